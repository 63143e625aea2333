import { SegmentedControl, Textarea } from '@mantine/core'
import { ticketMessages } from '@portico/contract/resources/ticket-messages.ts'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { asFailure } from '../../api/failure.ts'
import { useUser } from '../../api/user.ts'
import { useCreate } from '../../api/write.ts'
import { Refusal } from '../../components/forms/form-foot.tsx'
import { SubmitButton } from '../../components/forms/submit-button.tsx'
import { AttachButton, AttachedFiles, attachHint, DropArea } from '../../components/tickets/attach.tsx'
import { saidBy } from '../../components/tickets/refusal.ts'
import { attached, useUploads } from '../../components/tickets/uploads.ts'
import { written } from '../../stores/written.ts'
import { m } from '../../texts/compiled/messages.js'
import { faultInWords } from '../../texts/faults.ts'
import '../../ui/segmented-styles.ts'
import { ReadyAnswers } from './ready-answers.tsx'
import { beneath } from './ready-text.ts'
import type { Ticket } from './ticket.ts'
import classes from './view-ticket.module.css'

const draft = z.object({ body: z.string(), files: z.array(attached), isNote: z.boolean() })

/** What was written here before and not sent. Files that were deleted since are not in it. */
function draftOf(name: string): z.output<typeof draft> {
  const { data } = z.safeParse(draft, written.read(name))
  if (!data) return { body: '', files: [], isNote: false }
  const now = Date.now()
  return { ...data, files: data.files.filter(({ expires_at }) => Date.parse(expires_at ?? '') > now) }
}

const { body: bodyRule } = ticketMessages.attributes

function useComposer(ticket: Ticket) {
  const create = useCreate('ticket-messages')
  const name = `${useUser().id}-ticket-${ticket.id}`
  const [kept] = useState(() => draftOf(name))
  const [body, setBody] = useState(kept.body)
  const [isNote, setIsNote] = useState(kept.isNote)
  const [fault, setFault] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const uploads = useUploads(kept.files)
  const { files } = uploads
  useEffect(() => {
    if (body === '' && files.length === 0) written.drop(name)
    else written.keep(name, { body, files, isNote } satisfies z.input<typeof draft>)
  }, [name, body, files, isNote])
  const send = async () => {
    const checked = z.safeParse(bodyRule, body)
    setFault(checked.success ? undefined : faultInWords(checked.error.issues[0]?.message ?? ''))
    setRefusal(undefined)
    if (!checked.success) return false
    try {
      await create.mutateAsync({
        attributes: { body: checked.data, ...(isNote && { visibility: 'internal' }) },
        relationships: {
          ticket: { type: 'tickets', id: ticket.id },
          ...(files.length > 0 && { ticketFiles: files.map(({ id }) => ({ type: 'ticket-files', id })) }),
        },
      })
      setBody('')
      uploads.clear()
      return true
    } catch (error) {
      setRefusal(saidBy(asFailure(error)))
      return false
    }
  }
  return { body, setBody, isNote, setIsNote, fault, refusal, uploads, send, isSending: create.isPending }
}

/** What may be written to: an answer, or a note that only staff reads. */
function Kind({ isNote, setIsNote }: { isNote: boolean; setIsNote: (isNote: boolean) => void }) {
  return (
    <SegmentedControl
      aria-label={m.ticket_kind()}
      data={[
        { value: 'answer', label: m.ticket_answer() },
        { value: 'note', label: m.ticket_note() },
      ]}
      value={isNote ? 'note' : 'answer'}
      onChange={(value) => setIsNote(value === 'note')}
    />
  )
}

const reopens = ({ status }: Ticket) => status === 'resolved' || status === 'closed'

/** Where an answer is written. What is written stays until it is sent, also over a reload. */
export function Composer({ ticket }: { ticket: Ticket }) {
  const composer = useComposer(ticket)
  const { body, setBody, isNote, fault, refusal, uploads, send, isSending } = composer
  const field = useRef<HTMLTextAreaElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await send()
    field.current?.focus()
  }
  const insert = (text: string) => {
    setBody(beneath(body, text))
    field.current?.focus()
  }
  const key = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  const label = isNote ? m.ticket_note() : m.ticket_your_answer()
  return (
    <form
      className={`card ${classes.composer}`}
      data-note={isNote || undefined}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      {ticket.may.note && (
        <div className={classes.kinds}>
          <Kind {...composer} />
          <ReadyAnswers ticket={ticket} onPick={insert} />
        </div>
      )}
      <DropArea uploads={uploads}>
        <Textarea
          ref={field}
          label={label}
          description={isNote ? m.ticket_note_text() : m.ticket_write_hint()}
          rows={4}
          classNames={{ input: classes.text ?? '' }}
          value={body}
          error={fault}
          onKeyDown={key}
          onChange={({ currentTarget: { value } }) => setBody(value)}
        />
      </DropArea>
      <AttachedFiles uploads={uploads} />
      <Refusal>{refusal}</Refusal>
      <div className={classes.foot}>
        <AttachButton uploads={uploads} />
        <span className={classes.hint}>{attachHint()}</span>
        <SubmitButton loading={isSending} disabled={uploads.isSending}>
          {isNote ? m.ticket_note_add() : m.ticket_send()}
        </SubmitButton>
      </div>
      {reopens(ticket) && !isNote && <p className="quiet">{m.ticket_reopens()}</p>}
    </form>
  )
}
