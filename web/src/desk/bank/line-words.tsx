import { Link } from '@tanstack/react-router'
import type { Row } from '../../api/rows.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { deskHref } from '../routes.ts'
import classes from './bank.module.css'

export type Line = Row<'bank-lines'>
type Candidate = Line['candidates'][number]

const signs = {
  number: m.desk_bank_sign_number,
  amount: m.desk_bank_sign_amount,
  iban: m.desk_bank_sign_iban,
  name: m.desk_bank_sign_name,
} as const

/**
 * What a candidate is about: a transfer that was recorded by hand, a document, or the balance of a client. Money for a document
 * that is paid goes to the balance.
 */
function aboutOf({ full_number, due, received_on, reference }: Candidate, currency: string): string {
  if (received_on !== null)
    return m.desk_bank_by_hand({ day: dayInWords(received_on, language()), reference: reference ?? '' })
  if (full_number === null) return m.desk_bank_balance()
  const open = due ?? 0
  return `${full_number} (${open > 0 ? money(open, currency) : m.desk_bank_paid()})`
}

/** A candidate in words: its transfer, document or balance, its client, and what speaks for it. */
export function candidateInWords(candidate: Candidate, currency: string): string {
  const why = candidate.signs.map((sign) => signs[sign]()).join(', ')
  return [aboutOf(candidate, currency), candidate.client_name, why].join(' · ')
}

/** The payer, and the text of the payment. */
export function Payer({ line: { payer_name, payer_iban, text, reference, state } }: { line: Line }) {
  return (
    <div className={classes.payer}>
      <strong>{payer_name ?? payer_iban ?? m.desk_bank_payer_unknown()}</strong>
      {text !== '' && <span>{text}</span>}
      {payer_name !== null && payer_iban !== null && <span>{payer_iban}</span>}
      {state === 'doubtful' && reference !== null && (
        <span>{m.desk_bank_doubtful_reference({ reference })}</span>
      )}
    </div>
  )
}

type Other = Line['other_lines'][number]

/** A line that another one may be, in one line of words. */
export const otherInWords = (other: Other, currency: string): string =>
  [
    other.payer_name ?? other.payer_iban ?? m.desk_bank_payer_unknown(),
    other.text,
    m.desk_bank_other_where({
      day: dayInWords(other.booked_on, language()),
      amount: money(other.amount, currency),
      file: other.filename,
    }),
  ]
    .filter((part) => part !== '')
    .join(' · ')

/** The line that another one may be, or is. */
export function OtherLine({ line }: { line: Line }) {
  const { other_lines: others, state, currency } = line
  const [other] = others
  if (!other) return null
  const where = {
    day: dayInWords(other.booked_on, language()),
    amount: money(other.amount, currency),
    file: other.filename,
  }
  return (
    <div className={classes.payer}>
      <span>{(state === 'same' ? m.desk_bank_same_other : m.desk_bank_doubtful_other)()}</span>
      <strong>{other.payer_name ?? other.payer_iban ?? m.desk_bank_payer_unknown()}</strong>
      {other.text !== '' && <span>{other.text}</span>}
      {other.payer_name !== null && other.payer_iban !== null && <span>{other.payer_iban}</span>}
      {other.reference !== null && (
        <span>{m.desk_bank_doubtful_reference({ reference: other.reference })}</span>
      )}
      <span>{m.desk_bank_other_where(where)}</span>
    </div>
  )
}

/** Whose the money is, or may be. */
export function Whose({ line }: { line: Line }) {
  const { state, client_id, client_name, document_number, candidates, currency, is_reversal } = line
  if (state === 'matched' && client_id !== null)
    return (
      <div className={classes.payer}>
        <Link to={deskHref('client', { id: client_id })}>{client_name}</Link>
        {document_number !== null && <span>{document_number}</span>}
      </div>
    )
  if (state === 'doubtful' || state === 'same') return <OtherLine line={line} />
  return (
    <div className={classes.payer}>
      {candidates.slice(0, 2).map((one) => (
        <span key={`${one.client_id} ${one.invoice_id} ${one.payment_id}`}>
          {candidateInWords(one, currency)}
        </span>
      ))}
      {candidates.length === 0 && state === 'open' && <span>{m.desk_bank_nobody()}</span>}
      {is_reversal && <span>{m.desk_bank_reversal()}</span>}
      {line.problem !== null && (
        <span>
          {(line.problem === 'bank_line_own_import' ? m.desk_bank_problem_own : m.desk_bank_problem)()}
        </span>
      )}
    </div>
  )
}
