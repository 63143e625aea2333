import { m } from '../../texts/compiled/messages.js'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { useSide } from '../tickets/words.tsx'
import { When } from '../when.tsx'
import { Files } from './files.tsx'
import { Rating } from './rating.tsx'
import classes from './thread.module.css'
import type { Message } from './ticket.ts'

/** The initials of the first two words of a name. */
const letters = (name: string) =>
  name
    .split(/[\s@]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? '')
    .join('')

const authorOf = ({ author_kind, author_name }: Message): string => {
  switch (author_kind) {
    case 'client':
    case 'email':
    case 'staff':
      return author_name
    case 'system':
      return m.brand()
  }
}

/** One message, with its author, time, files and rating. */
export function MessageCard({ message }: { message: Message }) {
  const side = useSide()
  const { id, author_kind, body, visibility, source, createdAt, ticketFiles } = message
  const author = authorOf(message)
  const isNote = visibility === 'internal'
  return (
    <article
      className={`card ${classes.message}`}
      data-kind={isNote ? 'note' : author_kind}
      data-ours={
        (author_kind === 'staff') === (side === 'staff') && author_kind !== 'system' ? true : undefined
      }
      aria-labelledby={`author-${id}`}
    >
      <header className={classes.head}>
        <span className={classes.letters} aria-hidden="true">
          {letters(author)}
        </span>
        <span id={`author-${id}`} className={classes.author}>
          {author}
        </span>
        {author_kind === 'staff' && <span className={classes.badge}>{m.ticket_support()}</span>}
        {isNote && <span className={classes.badge}>{m.ticket_note()}</span>}
        <span className={classes.when}>
          <When moment={createdAt} />
          {source === 'mail' && ` · ${m.ticket_by_mail()}`}
        </span>
      </header>
      <Markdown source={body} />
      {ticketFiles.length > 0 && <Files files={ticketFiles} />}
      {author_kind === 'staff' && !isNote && message.may.rate && <Rating message={message} />}
    </article>
  )
}
