import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { conditions } from './payment-conditions.ts'

const { pool } = await testPortal()

// Of an empty table any index is as good.
await makeAdmin(pool, 'billing')
await sql`with file as (insert into bank_statements (admin_id, iban, currency, filename, format, lines, sha256)
    select min(id), 'RO49AAAA1B31007593840000', 'USD', 'a.xml', 'camt053', 2000, '\\x00' from admins returning id, iban)
  insert into bank_lines (statement_id, iban, reference, booked_on, amount, currency, text, is_reversal)
    select id, iban, 'OP ' || n, '2026-01-01', 1, 'USD', '', false from file, generate_series(1, 2000) n`.execute(
  pool.kysely,
)
await sql`analyze bank_lines`.execute(pool.kysely)

/** The plan of a page of the list with one filter, whose value is not known when it is made. */
const planOf = (filter: keyof typeof conditions, value: string) =>
  pool.kysely.transaction().execute(async (tx) => {
    // The tables are empty here, where reading and sorting them whole is cheapest.
    await sql`set local enable_seqscan = off`.execute(tx)
    if (filter !== 'search') await sql`set local enable_sort = off`.execute(tx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select payments.id from payments
      where ${conditions[filter](sql`(select ${sql.lit(value)}::text)`)}
      order by payments.created_at desc, payments.id desc limit 25`.execute(tx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })

test.each([
  ['client_id', '1', ['payments_of_client']],
  ['provider', 'bank', ['payments_by_provider']],
  ['state', 'failed', ['payments_by_state']],
  ['status', 'refunded', ['payments_by_status']],
  ['amount', '60.50', ['payments_by_total']],
  ['from', '2026-01-01', ['payments_listed']],
  ['to', '2026-01-31', ['payments_listed']],
  ['days', '90', ['payments_listed']],
  [
    'search',
    'OP 12',
    [
      'payments_by_beginning',
      'payment_refunds_provider_ref_key',
      'payment_refunds_by_transfer',
      'payment_disputes_provider_provider_ref_key',
      'bank_lines_by_bank_reference',
      'clients_by_search_text',
      'payments_of_client',
      'payments_pkey',
    ],
  ],
] as const)('a list of payments by %s is read from an index', async (filter, value, indexes) => {
  const plan = await planOf(filter, value)
  for (const index of indexes) expect(plan).toMatch(new RegExp(`using ${index}\\b|on ${index}\\b`))
  expect(plan).not.toContain('Seq Scan on payments')
})
