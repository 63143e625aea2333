import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { evaluateOne } from '#money/balance/balances.ts'
import { systemClock } from '#platform/clock.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { testVault } from '#test/support/mail.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const outside = { pool, clock: systemClock, vault: testVault, engines: only(new TestEngine()) }
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, portal.staff(await makeAdmin(pool, role))])),
) as Record<(typeof roles)[number], Visitor>
const debts = `${base}/desk-debts`

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const today = async () =>
  (await sql<{ day: string }>`select clock_today()::text as day`.execute(db)).rows[0]?.day
const owing = async (balance = '-60') => {
  const on = (await today()) ?? ''
  return makeAccount(pool, { projects: 1, panels: 0, opening: { balance, credit: '0', on } })
}
const remind = (client: Account, by = staff.billing) =>
  by.call('POST', `${base}/desk-clients/${client.id}/-actions/remind`, {
    body: {},
    headers: { 'portico-reason': 'They asked for it' },
  })
const lettersTo = async ({ email }: Account) =>
  (await db.selectFrom('outbox_letters').select('kind').where('recipient', '=', email).execute()).map(
    ({ kind }) => kind,
  )
const debtOf = async (client: Account) =>
  (await staff.readonly.get(`${debts}?filter[client_id]=${client.id}`)).list[0]?.attributes

test('staff who see money read who owes; support, clients and strangers do not', async () => {
  const ana = await owing()
  for (const role of ['billing', 'admin', 'readonly'] as const)
    expect((await staff[role].get(debts)).list.length).toBeGreaterThan(0)
  expect((await staff.support.get(debts)).list).toEqual([])
  expect((await portal.as(ana).get(debts)).status).toBe(404)
  expect((await portal.nobody.get(debts)).status).toBe(404)
  const [row] = (await staff.readonly.get(debts)).list
  expect(row?.meta?.may).toMatchObject({ holdDunning: false, endHold: false, remind: false })
  const [writable] = (await staff.billing.get(debts)).list
  expect(writable?.meta?.may).toMatchObject({ holdDunning: true, endHold: true, remind: true })
})

test('a debt says how much, since when and what comes next; who owes nothing is not listed', async () => {
  const ana = await owing('-1')
  await evaluateOne(outside, ana.id)
  expect(await debtOf(ana)).toMatchObject({
    owed: 1,
    owed_since: await today(),
    currency: 'USD',
    next_step: expect.stringMatching(/^(warned|suspended)$/),
    next_on: expect.stringMatching(/^\d{4}-/),
    dunning_hold_until: null,
  })
  expect(await debtOf(await makeAccount(pool, { projects: 1, panels: 0 }))).toBeUndefined()
  for (const wrong of ['filter[step]=low', 'filter[held]=yes', 'filter[currency]=usd', 'sort=owed'])
    expect((await staff.billing.get(`${debts}?${wrong}`)).status).toBe(400)
})

test('debts are found by step, hold and currency', async () => {
  const ana = await owing()
  const until = `${Number((await today())?.slice(0, 4)) + 1}-01-01`
  const idsOf = async (query: string) =>
    (await staff.billing.get(`${debts}?filter[client_id]=${ana.id}&${query}`)).list.length
  for (const [step, status] of [
    ['negative', 3],
    ['warned', 4],
    ['suspended', 5],
  ] as const) {
    await sql`update clients set billing_status = ${status} where id = ${ana.id}`.execute(db)
    expect([step, await idsOf(`filter[step]=${step}`)]).toEqual([step, 1])
  }
  expect(await idsOf('filter[step]=warned')).toBe(0)
  expect([await idsOf('filter[held]=false'), await idsOf('filter[held]=true')]).toEqual([1, 0])
  await sql`update clients set dunning_hold_until = ${until}::date where id = ${ana.id}`.execute(db)
  expect([await idsOf('filter[held]=false'), await idsOf('filter[held]=true')]).toEqual([0, 1])
  expect([await idsOf('filter[currency]=USD'), await idsOf('filter[currency]=EUR')]).toEqual([1, 0])
})

test('billing reminds a client once a day, with the letter of the step, and the log says why', async () => {
  const ana = await owing()
  for (const role of ['support', 'readonly'] as const)
    expect((await remind(ana, staff[role])).status).toBe(403)
  expect((await remind(ana, portal.as(ana))).status).toBe(404)
  await sql`update clients set billing_status = 4 where id = ${ana.id}`.execute(db)
  expect((await remind(ana)).json).toEqual({ status: 'queued' })
  expect(await lettersTo(ana)).toEqual(['balance-warned'])
  expect((await remind(ana)).faults).toEqual(['409 reminded_today'])
  expect((await debtOf(ana))?.last_letter_on).toBe(await today())
  const { rows } = await sql`select verb, reason, client_id from staff_actions where verb = 'remind'`.execute(
    db,
  )
  expect(rows).toEqual([{ verb: 'remind', reason: 'They asked for it', client_id: ana.id }])
})

test('a suspended client is reminded of the suspension, and who owes nothing of nothing', async () => {
  const ana = await owing()
  await sql`update clients set billing_status = 5 where id = ${ana.id}`.execute(db)
  await remind(ana)
  expect(await lettersTo(ana)).toEqual(['account-suspended'])
  const paid = await makeAccount(pool, { projects: 1, panels: 0 })
  expect((await remind(paid)).faults).toEqual(['409 client_owes_nothing'])
})
