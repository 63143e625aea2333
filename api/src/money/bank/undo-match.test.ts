import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { makePayer } from '#test/support/card.ts'
import { makeOperator } from '#test/support/documents.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'
import { camt, importFile } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely

test('nobody waits for a number of a credit note while the open lines are looked at again', async () => {
  await businessTime(pool, '2026-03-20T10:00:00Z')
  await makeOperator(pool)
  const billing = portal.staff(await makeAdmin(pool, 'billing'))
  const ana = await makePayer(portal)
  const entries = ['UNDO1', 'UNDO2'].map((reference) => ({ amount: '10.00', text: 'x', reference }))
  await importFile(billing, camt(entries))
  const { rows } = await sql<{ id: number }>`select id from bank_lines order by id`.execute(db)
  const [mine, other] = rows.map(({ id }) => id)
  const act = (verb: string, input: object) =>
    billing.post(`${base}/bank-lines/${mine}/-actions/${verb}`, input)
  expect((await act('matchLine', { client_id: ana.id })).faults).toEqual([])
  // Its proposal changes, so that it waits for whoever holds the line.
  await sql`update bank_lines set match = 'likely' where id = ${other}`.execute(db)
  const { undone, free } = await db.transaction().execute(async (tx) => {
    await sql`select from bank_lines where id = ${other} for update`.execute(tx)
    const answer = act('undoMatch', {})
    await untilBlocked(pool)
    const found = await sql`select id from invoice_series for update skip locked`.execute(db)
    return { undone: answer, free: found.rows.length }
  })
  expect((await undone).faults).toEqual([])
  const all = await sql`select id from invoice_series`.execute(db)
  expect([free, all.rows.length > 0]).toEqual([all.rows.length, true])
  const lines = await billing.get(`${base}/bank-lines?filter[state]=open`)
  expect(lines.list.map(({ attributes }) => attributes?.match)).toEqual(['none', 'none'])
  expect(await verifyLedger(db)).toEqual([])
})
