import { Link } from '@tanstack/react-router'
import type { Row } from '../../api/rows.ts'
import { documentKinds } from '../../components/money/document-words.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Status, type Tone } from '../../ui/status.tsx'
import { deskHref } from '../routes.ts'
import classes from './e-factura.module.css'

export type EInvoice = Row<'e-invoices'>

type State = EInvoice['state']

const stateNames: Record<State, () => string> = {
  waiting: m.desk_efactura_waiting,
  sending: m.desk_efactura_sending,
  sent: m.desk_efactura_sent,
  accepted: m.desk_efactura_accepted,
  rejected: m.desk_efactura_rejected,
  unknown: m.desk_efactura_unknown,
}

const tones: Record<State, Tone> = {
  waiting: 'idle',
  sending: 'idle',
  sent: 'idle',
  accepted: 'good',
  rejected: 'bad',
  unknown: 'warn',
}

const problems: Record<NonNullable<EInvoice['problem']>, () => string> = {
  unauthorised: m.desk_efactura_problem_unauthorised,
  busy: m.desk_efactura_problem_busy,
  refused: m.desk_efactura_problem_refused,
  unreachable: m.desk_efactura_problem_unreachable,
  late: m.desk_efactura_problem_late,
  lost: m.desk_efactura_problem_lost,
  failed: m.desk_efactura_problem_failed,
  answer_wrong: m.desk_efactura_problem_answer,
  answer_too_large: m.desk_efactura_problem_answer,
  lease: m.desk_efactura_problem_lease,
  file: m.desk_efactura_problem_file,
  too_large: m.desk_efactura_problem_too_large,
  index_of_other: m.desk_efactura_problem_index,
  index_rejected: m.desk_efactura_problem_index_rejected,
}

/** The number of a document, and whose it is. */
export function Document({ row: { full_number, kind, client_id, client_name } }: { row: EInvoice }) {
  return (
    <div className={classes.cell}>
      <Link to={deskHref('documents')} search={{ search: full_number, days: 'all' }}>
        <strong>{full_number}</strong>
      </Link>
      <span>{documentKinds[kind]()}</span>
      <Link to={deskHref('client', { id: client_id, tab: 'documents' })}>{client_name}</Link>
    </div>
  )
}

/** How many working days are left, or past. */
function inDays(left: number): string {
  if (left < 0) return m.desk_efactura_overdue({ count: -left })
  return left === 0 ? m.desk_efactura_last_day() : m.desk_efactura_left({ count: left })
}

/** The last day of a document that the office has not accepted yet, or rejected, and how close it is. */
export function Deadline({ row: { state, due_on, days_left: left, is_remakable } }: { row: EInvoice }) {
  const day = dayInWords(due_on, language())
  const words = inDays(left)
  // A rejected one that is settled otherwise has no deadline left.
  if (state === 'accepted' || (state === 'rejected' && !is_remakable)) return day
  return (
    <div className={classes.cell}>
      <span>{day}</span>
      {left > 2 ? <span>{words}</span> : <Status tone={left > 1 ? 'warn' : 'bad'}>{words}</Status>}
    </div>
  )
}

/** The state of a document at the tax office, in a word. */
export const EInvoiceState = ({ state }: { state: State }) => (
  <Status tone={tones[state]}>{stateNames[state]()}</Status>
)

/** What to do about a rejected document. */
function rejectedText({ kind, is_remakable }: EInvoice): string {
  if (!is_remakable) return m.desk_efactura_rejected_settled()
  return kind === 'credit_note' ? m.desk_efactura_rejected_note() : m.desk_efactura_rejected_text()
}

/** A sending that was rejected before the electronic invoice was made again. */
function Earlier({
  sending: { settled_at, said, problem, upload_index },
}: {
  sending: EInvoice['earlier'][number]
}) {
  return (
    <>
      <span>{m.desk_efactura_rejected_before({ day: dayInWords(settled_at, language()) })}</span>
      {problem !== null && <span>{problems[problem]()}</span>}
      {said !== null && <span lang="ro">{said}</span>}
      {upload_index !== null && <span>{m.desk_efactura_index({ index: upload_index })}</span>}
    </>
  )
}

/** The state of a document, why, and what to do about it. */
export function StateOf({ row }: { row: EInvoice }) {
  const { state, problem, said, is_decidable, upload_index, earlier } = row
  return (
    <div className={classes.cell}>
      <EInvoiceState state={state} />
      {problem !== null && <span>{problems[problem]()}</span>}
      {said !== null && <span lang="ro">{said}</span>}
      {state === 'unknown' && !is_decidable && <span>{m.desk_efactura_unknown_text()}</span>}
      {state === 'rejected' && <span>{rejectedText(row)}</span>}
      {upload_index !== null && <span>{m.desk_efactura_index({ index: upload_index })}</span>}
      {earlier.map((sending) => (
        <Earlier key={sending.settled_at} sending={sending} />
      ))}
    </div>
  )
}
