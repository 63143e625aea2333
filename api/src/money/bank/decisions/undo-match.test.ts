import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { proposeMatches } from '#money/bank/propose-matches.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { bankDesk } from '#test/support/bank-desk.ts'
import { makePayer } from '#test/support/card.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { businessTime } from '#test/support/money.ts'
import { camt, importFile } from '#test/support/statements.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const { portal, pool, db, importer: billing } = await bankDesk()

/** Two open lines of 10.00; the first is the client's. */
async function twoLines() {
  const ana = await makePayer(portal)
  const entries = ['UNDO1', 'UNDO2'].map((text) => ({
    amount: '10.00',
    text: 'x',
    reference: `${text} ${ana.id}`,
  }))
  await importFile(billing, camt(entries))
  const { rows } = await sql<{ id: number }>`select id from bank_lines order by id desc limit 2`.execute(db)
  const [other, mine] = rows.map(({ id }) => id)
  const act = (line: number | undefined, verb: string, input: object) =>
    billing.post(`${base}/bank-lines/${line}/-actions/${verb}`, input)
  expect((await act(mine, 'matchLine', { client_id: ana.id })).faults).toEqual([])
  // Its proposal would change.
  await sql`update bank_lines set match = 'likely' where id = ${other}`.execute(db)
  const matchOf = async (line: number | undefined) =>
    (await billing.get(`${base}/bank-lines/${line}`)).one.attributes?.match
  return { mine, other, act, ana, matchOf }
}

test('nobody waits for a number of a credit note while the open lines are looked at again', async () => {
  const { mine, other, act, matchOf } = await twoLines()
  const { undone, free } = await db.transaction().execute(async (tx) => {
    // Whose the lines are is looked for by the names of companies.
    await sql`lock table client_entities in access exclusive mode`.execute(tx)
    const answer = act(mine, 'undoMatch', {})
    await untilBlocked(pool)
    const found = await sql`select id from invoice_series for update skip locked`.execute(db)
    return { undone: answer, free: found.rows.length }
  })
  expect((await undone).faults).toEqual([])
  const all = await sql`select id from invoice_series`.execute(db)
  expect([free, all.rows.length > 0]).toEqual([all.rows.length, true])
  expect([await matchOf(mine), await matchOf(other)]).toEqual(['none', 'none'])
  expect(await verifyLedger(db)).toEqual([])
})

test('an undone match does not wait for a line that a colleague decides, who may wait for the client’s accounts', async () => {
  const { mine, other, act, matchOf } = await twoLines()
  await db.transaction().execute(async (tx) => {
    await sql`select from bank_lines where id = ${other} for update`.execute(tx)
    expect((await act(mine, 'undoMatch', {})).faults).toEqual([])
  })
  expect([await matchOf(mine), await matchOf(other)]).toEqual(['none', 'likely'])
})

test('of more open lines than are looked at again, those are that were imported last', async () => {
  const { mine, other, act, matchOf } = await twoLines()
  expect((await act(mine, 'undoMatch', {})).faults).toEqual([])
  await sql`update bank_lines set match = 'likely' where id in (${mine}, ${other})`.execute(db)
  await db.transaction().execute((tx) => proposeMatches(tx, 1))
  expect([await matchOf(mine), await matchOf(other)]).toEqual(['likely', 'none'])
})

test('the payments of a month read the same after a match of it was undone later', async () => {
  const { mine, other, act, ana } = await twoLines()
  const admin = portal.staff(await makeAdmin(pool, 'admin'))
  const file = async () => {
    const attributes = { kind: 'payments', from_day: '2026-03-01', to_day: '2026-03-31' }
    const made = await admin.post(`${base}/accounting-exports`, {
      data: { type: 'accounting-exports', attributes },
    })
    return (await admin.get(`${base}/accounting-exports/${made.one.id}/-actions/download`)).text
  }
  const { rows } = await sql<{ name: string }>`select bank_reference || ' / ' || payment_id as name
    from bank_lines where id = ${mine}`.execute(db)
  const name = rows[0]?.name ?? ''
  // Another payment has the name that the undone one gets.
  await importFile(admin, camt([{ amount: '1.00', text: 'x', reference: name }]))
  const { list } = await admin.get(`${base}/bank-lines?filter[state]=open&filter[search]=${name}`)
  expect((await act(Number(list[0]?.id), 'matchLine', { client_id: ana.id })).faults).toEqual([])
  expect((await act(other, 'matchLine', { client_id: ana.id })).faults).toEqual([])
  const before = await file()
  expect(before).toContain(name)
  await businessTime(pool, '2026-05-20T10:00:00Z')
  for (const line of [mine, other]) expect((await act(line, 'undoMatch', {})).faults).toEqual([])
  expect(await file()).toBe(before)
  await businessTime(pool, '2026-03-20T10:00:00Z')
})
