import { Button } from '@mantine/core'
import {
  type FormEvent,
  type FunctionComponent,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { fieldFault } from '../../api/field-fault.ts'
import { useUser } from '../../api/queries/user.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useActionOnce, useCreate } from '../../api/write.ts'
import { savedDrafts } from '../../stores/saved-drafts.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/loading/chunk.ts'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Refusal } from '../form-foot/form-foot.tsx'
import { SubmitButton } from '../form-foot/submit-button.tsx'
import { AttachButton, AttachedFiles, attachHint, DropArea } from '../tickets/attach.tsx'
import { type Attached, isAttached, useUploads } from '../tickets/uploads.ts'
import classes from './thread.module.css'
import type { Ticket } from './ticket.ts'

/** A ready answer that does more than write: what it does when the answer is sent. */
export type Macro = { id: number; does: string }

/** What only staff have in the composer; the desk hands it in, so that clients never load it. */
export type OfStaff = {
  readonly Kinds: FunctionComponent<{
    ticket: Ticket
    /** What is written so far. */
    body: string
    isNote: boolean
    setIsNote: (isNote: boolean) => void
    /** Replaces it, by a text that a ready answer has changed. */
    write: (body: string, macro: Macro | undefined) => void
  }>
  readonly MacroLine: FunctionComponent<{ macro: Macro; onDrop: () => void }>
}

type Draft = { body: string; files: Attached[]; isNote: boolean }

const isDraft = (kept: unknown): kept is Draft =>
  typeof kept === 'object' &&
  kept !== null &&
  'body' in kept &&
  typeof kept.body === 'string' &&
  'isNote' in kept &&
  typeof kept.isNote === 'boolean' &&
  'files' in kept &&
  Array.isArray(kept.files) &&
  kept.files.every(isAttached)

/** The unsent draft of this ticket, without files that were deleted since. */
function draftOf(name: string): Draft {
  const kept = savedDrafts.read(name)
  if (!isDraft(kept)) return { body: '', files: [], isNote: false }
  const now = Date.now()
  return { ...kept, files: kept.files.filter(({ expires_at }) => Date.parse(expires_at ?? '') > now) }
}

/** The text to send, or why it is invalid. */
async function checkedBody(body: string): Promise<{ body: string } | { fault: string }> {
  const rules = await chunk(() => import('./rules.ts'))
  const { data, error } = rules.body.safeParse(body)
  return data === undefined ? { fault: fieldFault(error?.issues[0]?.message ?? '') } : { body: data }
}

function useComposer(ticket: Ticket) {
  const create = useCreate('ticket-messages')
  const run = useActionOnce('tickets', 'runMacro')
  const [macro, setMacro] = useState<Macro>()
  const name = `${useUser().id}-ticket-${ticket.id}`
  const [kept] = useState(() => draftOf(name))
  const [body, setBody] = useState(kept.body)
  const [isNote, setIsNote] = useState(kept.isNote)
  const [fault, setFault] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const uploads = useUploads(kept.files)
  const { files } = uploads
  useEffect(() => {
    if (body === '' && files.length === 0) savedDrafts.drop(name)
    else savedDrafts.keep(name, { body, files, isNote } satisfies Draft)
  }, [name, body, files, isNote])
  const send = async () => {
    setRefusal(undefined)
    try {
      const checked = await checkedBody(body)
      setFault('fault' in checked ? checked.fault : undefined)
      if ('fault' in checked) return false
      if (macro && !isNote) {
        const payload = { answer_id: macro.id, body: checked.body, file_ids: files.map(({ id }) => id) }
        await run.mutateAsync({ id: ticket.id, payload })
        setMacro(undefined)
      } else
        await create.mutateAsync({
          attributes: { body: checked.body, ...(isNote && { visibility: 'internal' }) },
          relationships: {
            ticket: { type: 'tickets', id: ticket.id },
            ...(files.length > 0 && { ticketFiles: files.map(({ id }) => ({ type: 'ticket-files', id })) }),
          },
        })
      setBody('')
      uploads.clear()
      return true
    } catch (error) {
      setRefusal(inWords(error))
      return false
    }
  }
  return {
    ...{ body, setBody, isNote, setIsNote, macro, setMacro, fault, refusal, uploads, send },
    isSending: create.isPending || run.isPending,
  }
}

const reopens = ({ status }: Ticket) => status === 'resolved' || status === 'closed'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** How to format and how to send by keyboard. */
const hint = () => `${m.ticket_write_hint()} ${m.ticket_send_keys({ keys: isMac ? '⌘↵' : 'Ctrl+Enter' })}`

/** The answer as its readers will see it. */
function Preview({ body }: { body: string }) {
  return (
    <section className={classes.preview} aria-label={m.ticket_preview()}>
      {body.trim() === '' ? <p className="quiet">{m.ticket_preview_empty()}</p> : <Markdown source={body} />}
    </section>
  )
}

/** The field for an answer. A draft survives a reload until it is sent. */
export function Composer({ ticket, ofStaff }: { ticket: Ticket; ofStaff?: OfStaff }) {
  const composer = useComposer(ticket)
  const { body, setBody, isNote, macro, setMacro, fault, refusal, uploads, send, isSending } = composer
  const field = useRef<HTMLTextAreaElement>(null)
  const [isPreview, setPreview] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await send()
    // The field takes the focus only while it is shown.
    flushSync(() => setPreview(false))
    field.current?.focus()
  }
  const write = (text: string, chosen: Macro | undefined) => {
    setBody(text)
    setMacro(chosen)
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
      {ofStaff && ticket.may.note && (
        <ofStaff.Kinds {...{ ticket, body, isNote, write }} setIsNote={composer.setIsNote} />
      )}
      {isPreview && <Preview body={body} />}
      {/* It stays, so that the text keeps its place and its undo. */}
      <div hidden={isPreview}>
        <DropArea uploads={uploads}>
          <TextArea
            ref={field}
            label={label}
            description={isNote ? m.ticket_note_text() : hint()}
            rows={4}
            classNames={{ input: classes.text ?? '' }}
            value={body}
            error={fault}
            onKeyDown={key}
            onChange={({ currentTarget: { value } }) => setBody(value)}
          />
        </DropArea>
      </div>
      {ofStaff && macro && !isNote && <ofStaff.MacroLine macro={macro} onDrop={() => setMacro(undefined)} />}
      <AttachedFiles uploads={uploads} />
      <Refusal>{refusal}</Refusal>
      <div className={classes.foot}>
        <AttachButton uploads={uploads} />
        <Button variant="default" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
          {isPreview ? m.ticket_edit() : m.ticket_preview()}
        </Button>
        <span className={classes.hint}>{attachHint()}</span>
        <SubmitButton loading={isSending} disabled={uploads.isSending}>
          {isNote ? m.ticket_note_add() : m.ticket_send()}
        </SubmitButton>
      </div>
      {reopens(ticket) && !isNote && <p className="quiet">{m.ticket_reopens()}</p>}
    </form>
  )
}
