import { bankLines } from '@portico/contract/resources/bank-lines.ts'
import { type SqlBool, sql } from 'kysely'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { confirmCertain } from './confirm-certain.ts'
import { ignoreLine, matchLine, returnLine } from './match-line.ts'
import { undoMatch } from './undo-match.ts'

const nameOf = (
  client: string,
) => sql`(select coalesce(nullif(e.company_name, ''), c.first_name || ' ' || c.last_name)
  from clients c left join client_entities e on e.client_id = c.id where c.id = ${sql.ref(client)})`

/** A document that was paid meanwhile is a candidate only where the line names it. */
const candidates = sql`(select coalesce(json_agg(json_build_object('client_id', x.client, 'client_name', ${nameOf('x.client')},
    'invoice_id', x.invoice, 'full_number', i.full_number, 'due', i.total - i.paid - i.credited + i.written_off, 'signs', x.signs)
    order by x.place), '[]')
  from jsonb_array_elements(bank_lines.candidates) with ordinality c (one, place)
    cross join lateral (select (c.one ->> 'client')::bigint as client, (c.one ->> 'invoice')::bigint as invoice,
      c.one -> 'signs' as signs, c.place) x
    left join invoices i on i.id = x.invoice
  where i.id is null or i.total - i.paid - i.credited + i.written_off > 0 or x.signs @> '["number"]')`

const document = sql`(select coalesce(p.proforma_id, p.invoice_id, p.advance_invoice_id)
  from payments p where p.id = bank_lines.payment_id)`

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
    undoMatch: writers,
  },
  columns: {
    candidates: () => candidates,
    client_name: () => nameOf('bank_lines.client_id'),
    document_id: () => document,
    document_number: () => sql`(select i.full_number from invoices i where i.id = ${document})`,
  },
  filters: {
    statement_id: 'statement_id',
    state: 'state',
    match: 'match',
    search: (eb, value) => sql<SqlBool>`(${contains(eb.ref('bank_lines.text'), value)}
      or ${contains(eb.ref('bank_lines.payer_name'), value)} or ${contains(eb.ref('bank_lines.payer_iban'), value)}
      or ${contains(eb.ref('bank_lines.reference'), value)})`,
  },
  order: '-booked_on',
  actions: {
    confirmCertain: outside(confirmCertain),
    matchLine,
    ignoreLine,
    returnLine,
    undoMatch,
  },
})
