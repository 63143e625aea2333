import * as z from 'zod/mini'
import { idParameter, integerId, money, noInput, searchParameter, stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { mostConfirmed } from '../rules/money/bank-statements.ts'

/** How sure the proposal is: the number and the amount of one document, some signs, or none. */
export const bankMatch = z.enum(['certain', 'likely', 'none'])

/** `doubtful`: it may be money that another line has; `same`: it is. Neither is in the books by this line. */
export const bankLineState = z.enum([
  'open',
  'matched',
  'ignored',
  'returned',
  'taken_back',
  'doubtful',
  'same',
])

/** A line that another one may be. */
const otherLine = z.object({
  id: integerId,
  state: bankLineState,
  booked_on: z.iso.date(),
  amount: money,
  payer_name: z.nullable(z.string()),
  payer_iban: z.nullable(z.string()),
  text: z.string(),
  reference: z.nullable(z.string()),
  /** The file in which it stands. */
  filename: z.string(),
})

/** The reasons for a candidate. */
export const matchSign = z.enum(['number', 'amount', 'iban', 'name'])

const candidate = z.object({
  client_id: integerId,
  client_name: z.string(),
  /** Null: the balance of the client, or a transfer. */
  invoice_id: z.nullable(integerId),
  full_number: z.nullable(z.string()),
  /** The unpaid part of the document. */
  due: z.nullable(money),
  /** A transfer of the same amount that staff recorded by hand and that no line shows yet, with what they typed. */
  payment_id: z.nullable(integerId),
  received_on: z.nullable(z.iso.date()),
  reference: z.nullable(z.string()),
  signs: z.array(matchSign),
})

const decided = z.object({ state: bankLineState })

export const bankLines = resource('bank-lines', {
  description:
    'Money that came to the operator’s bank account, by an imported statement. Until it is decided whose it is, it stands in a suspense account of the ledger.',
  attributes: {
    statement_id: integerId,
    /** The bank’s reference; null where it gave none. */
    reference: z.nullable(z.string()),
    booked_on: z.iso.date(),
    amount: money,
    currency: z.string(),
    payer_name: z.nullable(z.string()),
    payer_iban: z.nullable(z.string()),
    text: z.string(),
    /** Money of ours that came back, by the bank’s own mark. */
    is_reversal: z.boolean(),
    state: bankLineState,
    match: bankMatch,
    /** Best first. */
    candidates: z.array(candidate),
    /** Why the last confirmation failed: the code of a refusal. */
    problem: z.nullable(z.string()),
    /** Of a line that is or was doubtful: the one that it may be, or is, first; then others of the same amount on the days around. */
    other_lines: z.array(otherLine),
    /** Of a matched line. */
    client_id: z.nullable(integerId),
    client_name: z.nullable(z.string()),
    document_id: z.nullable(integerId),
    document_number: z.nullable(z.string()),
    ...stamps,
  },
  filters: {
    statement_id: idParameter,
    state: bankLineState,
    match: bankMatch,
    search: searchParameter,
  },
  sorts: ['booked_on', 'amount'],
  actions: {
    confirmCertain: action({
      method: 'POST',
      on: 'type',
      description: `Records the certain open lines as bank transfers of their documents, at most ${mostConfirmed} at once. A line whose document was paid meanwhile, or cannot be paid, is not certain any more; \`problem\` says why. One of a statement that the caller imported themselves, or about which they took back a decision that was not their own match, above their limits for \`recordBankTransfer\` of \`invoices\` stays certain, \`problem\` says so, and a colleague confirms it, or the caller on another day or under another limit. Repeat it while \`more\` is true.`,
      input: z.strictObject({ statement_id: z.optional(integerId) }),
      output: z.object({ confirmed: z.int(), failed: z.int(), more: z.boolean() }),
    }),
    matchLine: action({
      method: 'POST',
      on: 'one',
      description:
        'Records the line as a bank transfer of a proforma or a bill, or, with `client_id`, as a deposit of a client; open bills are paid first. With `payment_id`, says that the line shows a transfer of the same amount that was recorded by hand under another reference or day: it is not booked again. `bank_line_decided` where that was decided before, `bank_line_currency` where the currencies differ. Lines of a statement that the caller imported, and those about which they took back a decision that was not their own match, count against the limits for `recordBankTransfer` of `invoices`: above them a colleague matches the line (`bank_line_own_import`).',
      input: z.strictObject({
        invoice_id: z.optional(integerId),
        client_id: z.optional(integerId),
        payment_id: z.optional(integerId),
      }),
      output: decided,
    }),
    ignoreLine: action({
      method: 'POST',
      on: 'one',
      description: 'Leaves a line that is no money of clients, such as a transfer between own accounts.',
      input: noInput,
      output: decided,
    }),
    returnLine: action({
      method: 'POST',
      on: 'one',
      description: 'Marks money that belongs to nobody here as sent back by the bank.',
      input: noInput,
      output: decided,
    }),
    sameMoney: action({
      method: 'POST',
      on: 'one',
      description:
        'Says that a doubtful line is the money of another line, `of`, without it the first of its `other_lines`, so that it is in the books once. Also for one that was taken for other money and is still open. `bank_line_other_gone` where the import of the other line was taken back, `bank_line_other_unfit` for one of another amount.',
      input: z.strictObject({ of: z.optional(integerId) }),
      output: decided,
    }),
    otherMoney: action({
      method: 'POST',
      on: 'one',
      description:
        'Says that a doubtful line is other money than its `other_lines`: it is open from then on. Whoever says so has the limits of their own imports for it.',
      input: noInput,
      output: decided,
    }),
    undoMatch: action({
      method: 'POST',
      on: 'one',
      description:
        'Takes a decision back, so that the line is open again, or doubtful where it was the same as another one. A deposit is credited by a credit note, while all of it is unused; `bank_match_used` otherwise. `bank_line_taken_back` where the import of the line was taken back. Needs a recent sign-in.',
      input: noInput,
      output: decided,
    }),
  },
})
