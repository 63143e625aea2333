import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { withReplacements } from './parts.ts'

const { pool } = await testPortal()

test('the documents that took the place of a deposit are found without reading every line of every document', async () => {
  await pool.kysely.transaction().execute(async (tx) => {
    // The tables are empty here, where reading them whole is cheapest.
    await sql`set local enable_seqscan = off`.execute(tx)
    const { rows } = await sql<{
      'QUERY PLAN': string
    }>`explain select ${withReplacements(sql`1::int8`)}`.execute(tx)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('invoice_lines_of_reference')
    expect(plan).not.toContain('Seq Scan on invoice_lines')
  })
})
