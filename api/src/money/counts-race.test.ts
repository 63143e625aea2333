import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { testPortal } from '#test/support/portal.ts'
import { issueProforma } from './invoices/invoices.ts'
import { mergeCounts } from './merge-counts.ts'

// The counts of documents and payments, while documents are issued, changed and taken back, and two jobs merge them.

const portal = await testPortal({ poolSize: 12 })
const { pool } = portal
const db = pool.kysely
await makeOperator(pool)

/** The differences between what is counted and what there is. */
const differences = async () => {
  const { rows } = await sql`
    with counted as (
      select issue_date::text as day, kind, invoice_status_id as status, currency, sum(many) as many, sum(net) as net, sum(vat) as vat,
        sum(total) as total, sum(open) as open from document_counts group by 1, 2, 3, 4
    ), there as (
      select issue_date::text as day, kind, invoice_status_id as status, currency, count(*) as many, sum(net) as net, sum(vat) as vat,
        sum(total) as total, sum(invoice_open(i)) as open from invoices i where issued_at is not null group by 1, 2, 3, 4
    )
    select * from counted full join there using (day, kind, status, currency)
    where (coalesce(counted.many, 0), coalesce(counted.net, 0), coalesce(counted.vat, 0), coalesce(counted.total, 0), coalesce(counted.open, 0))
      is distinct from (coalesce(there.many, 0), coalesce(there.net, 0), coalesce(there.vat, 0), coalesce(there.total, 0), coalesce(there.open, 0))`.execute(
    db,
  )
  return rows
}

test('counts stay exact while documents change and two jobs merge them', async () => {
  const payers = await Promise.all(Array.from({ length: 6 }, () => makePayer(portal)))
  let done = 0
  const write = async ({ id }: { readonly id: number }) => {
    for (let round = 0; round < 8; round++) {
      const issue = db.transaction().execute(async (tx) => {
        const made = await issueProforma(tx, { clientId: id, sum: { net: `${10 + round}` } })
        if (round % 3 === 1) throw new Error('taken back')
        return made
      })
      await issue.catch((error: unknown) => {
        if (!(error instanceof Error && error.message === 'taken back')) throw error
      })
      await sql`update invoices set paid = total, invoice_status_id = invoice_status('paid')
        where client_id = ${id} and kind = 'proforma' and paid = 0 and issued_at is not null`.execute(db)
    }
    done += 1
  }
  const merge = async () => {
    let many = 0
    while (done < payers.length) {
      await mergeCounts(db)
      expect(await differences()).toEqual([])
      many += 1
    }
    return many
  }
  const [first, second] = await Promise.all([merge(), merge(), ...payers.map(write)])
  expect([first, second].every((many) => Number(many) > 0)).toBe(true)
  await mergeCounts(db)
  expect(await differences()).toEqual([])
  const { rows } = await sql<{ many: number }>`select count(*)::int as many from document_counts`.execute(db)
  const { rows: kinds } = await sql<{
    many: number
  }>`select count(distinct (issue_date, kind, invoice_status_id, currency))::int as many
    from invoices where issued_at is not null`.execute(db)
  expect(rows[0]?.many).toBe(kinds[0]?.many)
})
