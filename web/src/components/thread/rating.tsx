import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { IconThumbDown, IconThumbUp } from '../../ui/more-icons.tsx'
import classes from './thread.module.css'
import type { Message } from './ticket.ts'

const kinds = [
  { rating: 'good', name: m.rating_good, Icon: IconThumbUp },
  { rating: 'bad', name: m.rating_bad, Icon: IconThumbDown },
] as const

type Kind = (typeof kinds)[number]['rating']

/** The contract's limit for a comment. */
const longest = 500

/** The client's rating of an answer; a new one replaces it. */
export function Rating({ message: { id, author_name, rating, rating_comment } }: { message: Message }) {
  const rate = useAction('ticket-messages', 'rate')
  const [comment, setComment] = useState<string>()
  const say = (chosen: Kind, words?: string) =>
    rate
      .mutateAsync({ id, payload: { rating: chosen, ...(words && { comment: words }) } })
      .catch((error: unknown) => toast(m.rating_failed(), inWords(error), 'bad'))
  const choose = async (chosen: Kind) => {
    await say(chosen)
    setComment('')
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (rating === null) return
    await say(rating, comment?.trim())
    setComment(undefined)
    toast(m.rating_thanks())
  }
  const question = rating === 'good' ? m.rating_comment_good() : m.rating_comment()
  return (
    <div className={classes.rating}>
      <fieldset aria-label={m.rating_of({ name: author_name })}>
        <span className={classes.question}>{m.rating_question()}</span>
        {kinds.map(({ rating: kind, name, Icon }) => (
          <Button
            key={kind}
            size="xs"
            variant={rating === kind ? 'light' : 'subtle'}
            color={rating === kind ? 'accent' : 'gray'}
            aria-pressed={rating === kind}
            leftSection={<Icon size={16} aria-hidden="true" />}
            disabled={rate.isPending}
            onClick={() => void choose(kind)}
          >
            {name()}
          </Button>
        ))}
      </fieldset>
      {rating_comment && comment === undefined && <p className="quiet">{rating_comment}</p>}
      {comment !== undefined && rating !== null && (
        <form onSubmit={(event) => void send(event)}>
          <TextInput
            size="xs"
            maxLength={longest}
            aria-label={question}
            placeholder={question}
            value={comment}
            onChange={({ currentTarget: { value } }) => setComment(value)}
          />
          <Button size="xs" type="submit" variant="default" disabled={comment.trim() === ''}>
            {m.rating_send()}
          </Button>
        </form>
      )}
    </div>
  )
}
