import { soldLines } from '@portico/contract/resources/invoice-drafts.ts'
import { askedVerbs } from '@portico/contract/rules/asked-verbs.ts'
import * as z from 'zod/mini'
import type { Row } from '../../api/rows.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import type { Tone } from '../../ui/status.tsx'

export type Request = Row<'desk-requests'>

type State = { readonly tone: Tone; readonly name: () => string; readonly many: () => string }

/** The names of the states of a request, and of many. */
export const requestStates: Record<Request['state'], State> = {
  open: { tone: 'warn', name: m.desk_request_open, many: m.desk_request_open },
  approved: { tone: 'good', name: m.desk_request_approved, many: m.desk_shown_approved },
  declined: { tone: 'bad', name: m.desk_request_declined, many: m.desk_shown_declined },
  withdrawn: { tone: 'idle', name: m.desk_request_withdrawn, many: m.desk_shown_withdrawn },
  expired: { tone: 'idle', name: m.desk_request_expired, many: m.desk_request_expired },
}

/** The name of the verb of a request. */
export const verbInWords = ({ verb }: Pick<Request, 'verb'>): string =>
  askedVerbs[verb][language() === 'ro' ? 'ro' : 'en']

/** The members of inputs that people know by a name; others keep that of the API. */
const members: Readonly<Record<string, () => string>> = {
  amount: m.desk_amount,
  per_action: m.desk_limit_action,
  per_day: m.desk_limit_day,
  net: m.desk_credit_net,
  to: m.desk_credit_to,
  iban: m.desk_credit_iban,
  direction: m.desk_adjust_direction,
  message: m.desk_message,
  lines: m.desk_credit_lines_label,
  reason: m.desk_verb_reason,
  email: m.email,
  role: m.desk_column_role,
  display_name: m.desk_staff_invite_name,
  language: m.desk_staff_invite_language,
}

/** The values of inputs that are words of the API. */
const choices: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  to: { balance: m.desk_credit_to_balance, card: m.desk_credit_to_card, bank: m.desk_credit_to_bank },
  direction: { up: m.desk_adjust_up, down: m.desk_adjust_down },
}

type Entry = { readonly key: string; readonly name: string | undefined; readonly value: string }

const amounts: ReadonlySet<string> = new Set(['amount', 'net'])

/** The lines of an invoice in words, in both languages; the places of lines, and whatever else, as they are. */
function linesInWords(lines: unknown, currency: string): string {
  const sold = z.safeParse(soldLines, lines)
  const places = z.safeParse(z.array(z.number()), lines)
  if (places.success) return places.data.join(', ')
  if (!sold.success) return JSON.stringify(lines)
  return sold.data
    .map(({ description_en: en, description_ro: ro, quantity, unit_price: price }) => {
      const text = ro === undefined ? en : `${en} / ${ro}`
      return `${text}: ${quantity} × ${money(price, currency)}`
    })
    .join(', ')
}

function valueInWords(key: string, value: unknown, currency: string | null): string {
  if (amounts.has(key) && typeof value === 'number' && currency !== null) return money(value, currency)
  if (key === 'lines' && currency !== null) return linesInWords(value, currency)
  return typeof value === 'string' ? (choices[key]?.[value]?.() ?? value) : JSON.stringify(value)
}

/** The input of a request, whole: each member with its value. */
export const inputOf = ({ input, currency }: Request): Entry[] =>
  Object.entries(input).map(([key, value]) => ({
    key,
    name: members[key]?.(),
    value: valueInWords(key, value, currency),
  }))
