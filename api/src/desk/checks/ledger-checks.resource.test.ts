import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepLedgerCheck } from '#money/ledger-check.ts'
import { makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const admin = portal.staff(await makeAdmin(pool, 'admin'))
const { id: ana } = await makeAccount(pool, { projects: 0, panels: 0 })
const url = `${base}/ledger-checks`

beforeEach(async () => {
  await sql`delete from ledger_checks`.execute(db)
  await sql`delete from staff_alerts`.execute(db)
})
afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const verify = (who: Visitor = admin) => who.post(`${url}/-actions/verifyLedger`, { data: {} })
const idOf = ({ json }: Awaited<ReturnType<typeof verify>>) => (json as { check_id: number }).check_id
const shown = async (id: number) => (await admin.get(`${url}/${id}`)).one.attributes
const said: string[] = []
const run = (id?: number) => keepLedgerCheck(db, id, (sentence) => said.push(sentence))

/** As an operator could who switches the rules off. */
const spoil = (balance: string) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update account_balances set account_balance = ${balance}::numeric where client_id = ${ana}`.execute(
      tx,
    )
  })

test('an administrator has the ledger verified, one at a time, and reads that it agrees', async () => {
  const asked = await verify()
  const id = idOf(asked)
  expect(await shown(id)).toMatchObject({ status: 'waiting', differences: null, finished_at: null })
  expect((await verify()).faults).toEqual(['409 ledger_check_running'])
  const { rows } = await sql`select payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'ledger.verify'`.execute(
    db,
  )
  expect(rows).toEqual([{ payload: expect.objectContaining({ checkId: id }) }])
  await run(id)
  expect(await shown(id)).toMatchObject({
    status: 'done',
    differences: 0,
    found: [],
    asked_by: expect.stringMatching(/./),
    finished_at: expect.stringMatching(/^20/),
  })
  const { rows: log } = await sql`select verb, reason from staff_actions where verb = 'verifyLedger'`.execute(
    db,
  )
  expect(log).toEqual([{ verb: 'verifyLedger', reason: 'A test asks for it' }])
  expect((await verify()).status).toBe(200)
})

test('a difference is listed with its place and both values, and alerts staff; the night lists it too', async () => {
  await spoil('60')
  try {
    const id = idOf(await verify())
    await run(id)
    await run()
    const found = [
      {
        what: 'what a client holds',
        place: `client ${ana}`,
        found: '60.000000 and 10.000000',
        expected: '12.345678 and 10.000000',
      },
    ]
    const { list } = await admin.get(`${url}?sort=createdAt`)
    expect(list.map(({ attributes }) => attributes)).toMatchObject([
      { status: 'done', differences: 1, found, asked_by: expect.stringMatching(/./) },
      { status: 'done', differences: 1, found, asked_by: null },
    ])
    const { rows } = await sql`select kind from staff_alerts where resolved_at is null`.execute(db)
    expect(rows).toContainEqual({ kind: 'ledger_differs' })
    expect(said[0]).toContain(`client ${ana} has 60.000000`)
  } finally {
    await spoil('12.345678')
  }
})

test('a verification whose job fails or dies is recorded as failed, and another can be asked for', async () => {
  const id = idOf(await verify())
  await spoil('60')
  const failing = keepLedgerCheck(db, id, () => {
    throw new Error('The disk is full')
  })
  await expect(failing).rejects.toThrow('The disk is full')
  await spoil('12.345678')
  expect(await shown(id)).toMatchObject({ status: 'failed', differences: null })
  const dead = idOf(await verify())
  await sql`update ledger_checks set created_at = now() - interval '4 hours' where id = ${dead}`.execute(db)
  expect((await verify()).status).toBe(200)
  expect(await shown(dead)).toMatchObject({ status: 'failed' })
})

test('only administrators verify; support and readonly read the outcome, and nobody else sees it', async () => {
  await run()
  const { rows } = await sql<{ id: number }>`select id from ledger_checks`.execute(db)
  for (const [who, reads, verifies] of [
    [portal.staff(await makeAdmin(pool)), 200, 403],
    [portal.staff(await makeAdmin(pool, 'readonly')), 200, 403],
    [portal.staff(await makeAdmin(pool, 'billing')), 404, 403],
    [portal.as({ id: ana }), 404, 404],
    [portal.nobody, 404, 404],
  ] as const) {
    expect((await who.get(`${url}/${rows[0]?.id}`)).status).toBe(reads)
    expect((await verify(who)).status).toBe(verifies)
  }
  expect((await admin.get(`${url}/999999`)).status).toBe(404)
  expect((await admin.post(`${url}/-actions/verifyLedger`, { data: { deep: true } })).status).toBe(422)
})
