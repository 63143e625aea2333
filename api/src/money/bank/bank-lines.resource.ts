import { bankLines } from '@portico/contract/resources/bank-lines.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { linesThatMayShow, transfersShownBy } from './by-hand.ts'
import { confirmCertain } from './confirm-certain.ts'
import { otherMoney, sameMoney } from './decisions/decide-doubtful.ts'
import { ignoreLine, matchLine, returnLine } from './decisions/match-line.ts'
import { undoMatch } from './decisions/undo-match.ts'
import { isBrought } from './line-states.ts'
import { nearDays } from './readings/compare.ts'
import { bankReference, bankReferenceOf } from './references.ts'

const nameOf = (
  client: string,
) => sql`(select coalesce(nullif(e.company_name, ''), c.first_name || ' ' || c.last_name)
  from clients c left join client_entities e on e.client_id = c.id where c.id = ${sql.ref(client)})`

/**
 * A document that was paid meanwhile is a candidate only where the line names it. Transfers recorded by hand are looked for at each
 * reading, since they may be recorded after the import.
 */
const candidates = sql`(select coalesce(json_agg(json_build_object('client_id', x.client, 'client_name', ${nameOf('x.client')},
    'invoice_id', x.invoice, 'full_number', i.full_number, 'due', i.total - i.paid - i.credited + i.written_off,
    'payment_id', x.payment, 'received_on', x.received_on, 'reference', x.reference, 'signs', x.signs)
    order by not x.signs @> '["number"]', x.payment, x.place), '[]')
  from (select (c.one ->> 'client')::bigint as client, (c.one ->> 'invoice')::bigint as invoice, c.one -> 'signs' as signs, c.place,
        null::bigint as payment, null::date as received_on, null as reference
      from jsonb_array_elements(bank_lines.candidates) with ordinality c (one, place)
    union all
    select p.client_id, null, '["amount"]', null, p.id, p.received_on, p.provider_ref ${transfersShownBy}) x
    left join invoices i on i.id = x.invoice
  where i.id is null or i.total - i.paid - i.credited + i.written_off > 0 or x.signs @> '["number"]')`

/** Without another sign than the amount of a transfer by hand, the proposal of a line is likely all the same. */
const matchIf = (mayShow: RawBuilder<unknown>) =>
  sql`case when bank_lines.match = 'none' and ${mayShow} then 'likely' else bank_lines.match end`

const document = sql`(select coalesce(p.proforma_id, p.invoice_id, p.advance_invoice_id)
  from payments p where p.id = bank_lines.payment_id)`

const mostOthers = 20

/** SQL: the sum of the batch of which a line is a payment. */
const batchSum = (line: 'bank_lines' | 'o') => sql`(select sum(b.amount) from bank_lines b
  where b.statement_id = ${sql.ref(`${line}.statement_id`)} and b.batch_entry = ${sql.ref(`${line}.batch_entry`)} and b.state <> 'taken_back')`

/** SQL: whether a line `o` has the amount of one of `bank_lines`, itself or as a batch. */
const isOfAmount = sql`(o.amount = bank_lines.amount or o.batch_entry is not null and ${batchSum('o')} = bank_lines.amount
  or bank_lines.batch_entry is not null and ${batchSum('bank_lines')} = o.amount)`

/** The line that has the money that a doubtful one may be, and while nobody decided those of the same amount on the days around, the nearest first. */
const otherLines = sql`case when bank_lines.same_as is null then '[]' else (
  select coalesce(json_agg(json_build_object('id', l.id, 'state', l.state, 'booked_on', l.booked_on, 'amount', l.amount,
      'payer_name', l.payer_name, 'payer_iban', l.payer_iban, 'text', l.text, 'reference', ${bankReference}, 'filename', s.filename)
      order by l.id <> x.root, abs(l.booked_on - bank_lines.booked_on), l.id), '[]')
  from (select bank_line_root(bank_lines.same_as) as root) x, lateral (select o.* from bank_lines o where o.id = x.root and o.id <> bank_lines.id
    union all (select o.* from bank_lines o where bank_lines.state = 'doubtful' and o.iban = bank_lines.iban
      and o.booked_on between bank_lines.booked_on - ${sql.lit(nearDays)} and bank_lines.booked_on + ${sql.lit(nearDays)}
      and ${isOfAmount} and o.currency = bank_lines.currency
      and ${isBrought('o')} and o.id not in (x.root, bank_lines.id)
      order by abs(o.booked_on - bank_lines.booked_on), o.id limit ${sql.lit(mostOthers)})) l
    join bank_statements s on s.id = l.statement_id) end`

const writers = staffAlone(...moneyWriters.roles)

export default serve(bankLines, {
  table: 'bank_lines',
  ofStaff: true,
  pageFirst: true,
  policy: {
    read: staffAlone(...moneyStaff.roles),
    confirmCertain: writers,
    matchLine: writers,
    ignoreLine: writers,
    returnLine: writers,
    sameMoney: writers,
    otherMoney: writers,
    undoMatch: writers,
  },
  columns: {
    candidates: () => candidates,
    reference: () => bankReferenceOf('bank_lines'),
    other_lines: () => otherLines,
    match: () => matchIf(sql`exists (select ${transfersShownBy})`),
    client_name: () => nameOf('bank_lines.client_id'),
    document_id: () => document,
    document_number: () => sql`(select i.full_number from invoices i where i.id = ${document})`,
  },
  filters: {
    statement_id: 'statement_id',
    state: 'state',
    match: (_, value) => sql<SqlBool>`${matchIf(sql`bank_lines.id in ${linesThatMayShow}`)} = ${value}`,
    search: (eb, value) => sql<SqlBool>`(${contains(eb.ref('bank_lines.text'), value)}
      or ${contains(eb.ref('bank_lines.payer_name'), value)} or ${contains(eb.ref('bank_lines.payer_iban'), value)}
      or ${contains(bankReferenceOf('bank_lines'), value)})`,
  },
  order: '-booked_on',
  actions: {
    confirmCertain: outside(confirmCertain),
    matchLine,
    ignoreLine,
    returnLine,
    sameMoney,
    otherMoney,
    undoMatch,
  },
})
