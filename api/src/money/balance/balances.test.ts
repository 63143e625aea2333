import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deposit } from '#money/ledger/deposits.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { chargeAfterBackup, chargesUnknown } from '#money/payments/automatic/held.ts'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import { systemClock } from '#platform/clock.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { businessTime, movedBalance, used } from '#test/support/money.ts'
import { testPortal } from '#test/support/portal.ts'
import { enforceSuspension } from '#workspaces/engines/panel-engines.ts'
import { ensureBuiltInSecret } from '#workspaces/engines/registry.ts'
import { evaluateBalances, evaluateOne, requestEvaluation } from './balances.ts'
import { startTrial } from './trial.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const engine = new TestEngine()
const outside = { pool, clock: systemClock, vault: testVault, engines: only(engine) }
await ensureBuiltInSecret({ db, vault: testVault })

const first = '2026-03-02'
const day = (n: number) => new Date(Date.parse(first) + n * 86_400_000).toISOString().slice(0, 10)

/** Goes on to a day of business, counted from the first, and has every account looked at, twice. */
async function goTo(n: number): Promise<void> {
  await businessTime(pool, `${day(n)}T06:00:00Z`)
  await evaluateBalances(outside, { byTime: true })
  await evaluateBalances(outside, { byTime: true })
}

async function begin(opening: { balance: string; credit: string } | null): Promise<Account> {
  // An hour before `goTo`, since the clock runs on: what begins here must be over on its last day, however quick the test is.
  await businessTime(pool, `${first}T05:00:00Z`)
  const account = await makeAccount(pool, {
    projects: 1,
    panels: 2,
    opening: opening && { ...opening, on: first },
  })
  return account
}

const clientOf = ({ id }: Account) =>
  db.selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const statusOf = async (account: Account) => (await clientOf(account)).billing_status
const written = async ({ email }: Account) => (await lettersTo(pool, email)).map(({ kind }) => kind)
const panelsOf = async ({ id }: Account) =>
  (
    await db.selectFrom('panels').select(['status', 'suspend_reason']).where('client_id', '=', id).execute()
  ).map(({ status, suspend_reason }) => [status, suspend_reason])
const pay = async ({ id: clientId }: Account, net: string) =>
  db.transaction().execute(async (tx) => {
    await deposit(tx, { key: `paid:${clientId}:${net}`, clientId, currency: 'USD', means: 'bank', net })
    await requestEvaluation(tx, clientId)
  })
const addPanel = (account: Account) =>
  portal.as(account).post('/api/v1/panels', {
    data: {
      type: 'panels',
      attributes: { name: 'one more' },
      relationships: { project: { data: { type: 'projects', id: String(account.projects[0]) } } },
    },
  })

test("a negative balance is notified on the policy's days, then suspended, and resumed when it is paid", async () => {
  const ana = await begin({ balance: '-2', credit: '0' })
  const read: string[] = []
  const seen: (string | number)[][] = []
  for (let n = 0; n <= 24; n++) {
    await goTo(n)
    const fresh = (await written(ana)).slice(read.length)
    read.push(...fresh)
    if (fresh.length > 0) seen.push([n, await statusOf(ana), ...fresh])
  }
  expect(seen).toEqual([
    [0, 3, 'balance-negative'],
    [3, 3, 'balance-negative'],
    [7, 3, 'balance-negative'],
    [15, 4, 'balance-warned'],
    [18, 4, 'balance-warned'],
    [20, 4, 'balance-warned'],
    [21, 5, 'account-suspended'],
  ])
  expect((await lettersTo(pool, ana.email))[0]).toMatchObject({
    held: { amount: '-2.000000', currency: 'USD' },
    on: day(21),
  })
  expect((await clientOf(ana)).suspended_on).toBe(day(21))
  expect(await panelsOf(ana)).toEqual(Array(2).fill(['suspended', 'unpaid']))
  for (const panel of ana.panels) await enforceSuspension(outside, panel)
  expect(engine.asked.filter((what) => what.startsWith('suspend'))).toHaveLength(2)

  expect((await addPanel(ana)).faults).toEqual(['423 account_suspended'])
  // Everything else stays readable.
  expect((await portal.as(ana).get('/api/v1/panels')).list).toHaveLength(2)

  await pay(ana, '1.99')
  await evaluateOne(outside, ana.id)
  expect(await statusOf(ana)).toBe(5)
  await pay(ana, '0.01')
  const { rows } = await sql<{
    key: string
  }>`select key from graphile_worker.jobs where key = ${`bal:${ana.id}`}`.execute(db)
  expect(rows).toHaveLength(1)
  await evaluateOne(outside, ana.id)
  expect(await statusOf(ana)).toBe(1)
  expect((await clientOf(ana)).suspended_on).toBeNull()
  expect((await written(ana)).at(-1)).toBe('account-resumed')
  for (const panel of ana.panels) await enforceSuspension(outside, panel)
  expect(await panelsOf(ana)).toEqual(Array(2).fill(['active', null]))
  expect((await addPanel(ana)).status).toBe(201)
})

test('missed days are not announced afterwards, one letter after the other', async () => {
  const ana = await begin({ balance: '-1', credit: '0' })
  await goTo(16)
  expect(await written(ana)).toEqual(['balance-warned'])
  await goTo(17)
  expect(await written(ana)).toEqual(['balance-warned'])
})

test('the next negative balance is announced again', async () => {
  const ana = await begin({ balance: '-1', credit: '0' })
  await goTo(1)
  await pay(ana, '1')
  await goTo(2)
  await movedBalance(pool, ana.id, '-1', day(3))
  await goTo(3)
  expect(await written(ana)).toEqual(['balance-negative', 'balance-negative'])
})

test('a debt beyond the credit limit suspends at once, unless staff have set a hold', async () => {
  const ana = await begin({ balance: '-50', credit: '0' })
  await goTo(0)
  expect(await statusOf(ana)).toBe(4)
  await db
    .updateTable('clients')
    .set({ dunning_hold_until: day(2) })
    .where('id', '=', ana.id)
    .execute()
  await movedBalance(pool, ana.id, '-0.01', day(1))
  await goTo(2)
  expect([await statusOf(ana), ...(await panelsOf(ana))]).toEqual([4, ['active', null], ['active', null]])
  await goTo(3)
  expect(await statusOf(ana)).toBe(5)
  await db
    .updateTable('clients')
    .set({ dunning_hold_until: day(9) })
    .where('id', '=', ana.id)
    .execute()
  await goTo(4)
  expect([await statusOf(ana), (await panelsOf(ana))[0]?.[1]]).toEqual([4, null])
})

test('while a charge after the backup is open nobody is suspended by it, and who was suspended stays so', async () => {
  const [ana, bob, eva] = [
    await begin({ balance: '-60', credit: '0' }),
    await begin({ balance: '-60', credit: '0' }),
    await begin({ balance: '-60', credit: '0' }),
  ]
  await sql`update clients set billing_status = 5 where id = ${eva.id}`.execute(db)
  const open = (kind: string, about: string, detail: object) =>
    db.transaction().execute((tx) => alertStaff(tx, about, kind, { ...detail }))
  await open(chargeAfterBackup, 'stripe pi_1', { client_id: ana.id })
  await open(chargeAfterBackup, 'stripe pi_2', { client_id: eva.id })
  await goTo(0)
  expect([await statusOf(ana), await statusOf(bob), await statusOf(eva)]).toEqual([4, 5, 5])
  expect(await panelsOf(ana)).toEqual([
    ['active', null],
    ['active', null],
  ])
  await resolveAlert(db, 'stripe pi_1', chargeAfterBackup)
  await open(chargesUnknown, 'stripe', {})
  await goTo(1)
  expect(await statusOf(ana)).toBe(4)
  await resolveAlert(db, 'stripe', chargesUnknown)
  await goTo(2)
  expect(await statusOf(ana)).toBe(5)
})

test('the notifications announce a negative balance and suspended panels, each once', async () => {
  const ana = await begin({ balance: '-50', credit: '0' })
  const rung = async () =>
    (
      await db
        .selectFrom('notifications')
        .select('kind')
        .where('client_id', '=', ana.id)
        .orderBy('id')
        .execute()
    ).map(({ kind }) => kind)
  await goTo(0)
  await goTo(0)
  expect(await rung()).toEqual(['balance_negative'])
  await movedBalance(pool, ana.id, '-0.01', day(1))
  await goTo(1)
  await goTo(1)
  expect(await rung()).toEqual(['balance_negative', 'account_suspended'])
})

test('panels that staff suspended stay so when the balance is settled', async () => {
  const ana = await begin({ balance: '-60', credit: '0' })
  await sql`update panels set suspended_at = now(), suspend_reason = 'abuse', status = 'suspended'
    where id = ${ana.panels[0]}`.execute(db)
  await goTo(0)
  await pay(ana, '60')
  await goTo(0)
  expect(await panelsOf(ana)).toContainEqual(['suspended', 'abuse'])
  expect((await panelsOf(ana)).filter(([, reason]) => reason === null)).toHaveLength(1)
})

test('a low balance is announced at seven days and at three, with the days that it lasts', async () => {
  const ana = await begin({ balance: '80', credit: '0' })
  await used(db, ana, [day(-3), day(-2), day(-1)], '10')
  const profile = async () => (await portal.as(ana).get(`/api/v1/billing-profiles/${ana.id}`)).one.attributes
  await goTo(0)
  expect(await profile()).toMatchObject({
    account_balance: 50,
    available: 50,
    uncharged_today: 0,
    daily_use: 10,
    daily_use_basis_days: 3,
    exhaustion_date: day(5),
    negative_days: 0,
    credit_limit: 50,
    billing_status: 2,
    banner: { show: false, reason: null, amount_due: 0, suspend_on: day(10) },
    policy_timeline: [
      { step: 'low', on: day(-2), reached: true },
      { step: 'negative', on: day(5), reached: false },
      { step: 'warned', on: day(5), reached: false },
      { step: 'suspended', on: day(10), reached: false },
      { step: 'terminated', on: day(55), reached: false },
    ],
  })
  expect(await written(ana)).toEqual(['balance-low'])
  await used(db, ana, [day(0), day(1)], '10')
  await goTo(2)
  expect(await written(ana)).toEqual(['balance-low', 'balance-low'])
  await used(db, ana, [day(2), day(3), day(4), day(5)], '10')
  await goTo(6)
  expect(await profile()).toMatchObject({
    account_balance: -10,
    negative_days: 1,
    exhaustion_date: day(6),
    banner: { show: true, reason: 'balance', amount_due: 10, suspend_on: day(10) },
  })
  expect(await statusOf(ana)).toBe(4)
})

test('before a day is over, what today has come to is taken for its hours', async () => {
  const ana = await begin({ balance: '80', credit: '0' })
  await sql`update panels set created_at = ${`${first}T02:00:00Z`} where client_id = ${ana.id}`.execute(db)
  await businessTime(pool, `${first}T06:00:00Z`)
  await used(db, ana, [first], '3', { charged: false })
  const { attributes = {} } = (await portal.as(ana).get(`/api/v1/billing-profiles/${ana.id}`)).one
  // Three dollars in four hours.
  expect(attributes).toMatchObject({ daily_use_basis_days: 0, uncharged_today: 3, available: 77 })
  expect(attributes.daily_use).toBeCloseTo(18, 1)
  expect(attributes.exhaustion_date).toBe(day(4))
})

test('a trial gives credit, ends with it on its day, stops the panels, and payment starts them again', async () => {
  const ana = await begin(null)
  await db.transaction().execute((tx) => startTrial(tx, ana.id))
  await db.transaction().execute((tx) => startTrial(tx, ana.id))
  const profile = async () => (await portal.as(ana).get(`/api/v1/billing-profiles/${ana.id}`)).one.attributes
  await used(db, ana, [first], '4')
  await goTo(1)
  expect(await profile()).toMatchObject({ credit_balance: 16, exhaustion_date: day(5), billing_status: 0 })
  expect(
    (await portal.as(ana).get('/api/v1/client-features')).list.map((one) => one.attributes),
  ).toContainEqual(expect.objectContaining({ feature: 'trial', enabled: true }))
  await goTo(13)
  expect(await statusOf(ana)).toBe(0)
  await used(db, ana, [day(13)], '1')
  await used(db, ana, [day(14)], '2', { charged: false })
  await goTo(14)
  expect([await statusOf(ana), (await profile())?.credit_balance]).toEqual([5, 15])
  // The last day is charged when it is over, to the credit that it still had.
  await goTo(15)
  expect((await profile())?.credit_balance).toBe(15)
  await sql`select charge_client_day(${ana.id}, ${day(14)})`.execute(db)
  await goTo(15)
  expect(await profile()).toMatchObject({ credit_balance: 0, account_balance: 0 })
  expect(await panelsOf(ana)).toEqual(Array(2).fill(['suspended', 'trial_ended']))
  expect(await lettersTo(pool, ana.email)).toMatchObject([{ kind: 'account-suspended', trial: true }])
  await pay(ana, '10')
  await goTo(15)
  expect(await statusOf(ana)).toBe(1)
  expect((await panelsOf(ana)).map(([, reason]) => reason)).toEqual([null, null])
})

test('a trial whose credit is spent is over the same day, and one that was paid into stops nothing', async () => {
  const spent = await begin(null)
  const paid = await begin(null)
  for (const { id } of [spent, paid]) await db.transaction().execute((tx) => startTrial(tx, id))
  await pay(paid, '5')
  for (const account of [spent, paid]) await used(db, account, [first], '20')
  await goTo(1)
  expect([await statusOf(spent), (await panelsOf(spent))[0]]).toEqual([5, ['suspended', 'trial_ended']])
  expect([await statusOf(paid), (await panelsOf(paid))[0]]).toEqual([2, ['active', null]])
})

test('an evaluation moves no money except expired credit', async () => {
  expect(await verifyLedger(db)).toEqual([])
})

test.each<[string, { balance: string; credit?: string; days?: number }, 'balance' | 'days' | null]>([
  ['exactly -3.00 is quiet', { balance: '-3' }, null],
  ['-3.01 warns', { balance: '-3.01' }, 'balance'],
  ['the smallest amount below -3 warns', { balance: '-3.000001' }, 'balance'],
  ['credit counts', { balance: '-8', credit: '5' }, null],
  ['a sum that floats miss is still -3.00', { balance: '-3.3', credit: '0.3' }, null],
  ['day 14 is quiet', { balance: '-1', days: 14 }, null],
  ['day 15 warns, however small the debt', { balance: '-0.01', days: 15 }, 'days'],
  ['a balance above zero is quiet', { balance: '41.27', credit: '8' }, null],
])('the banner about the balance: %s', async (_, { balance, credit = '0', days = 0 }, reason) => {
  const account = await begin({ balance, credit })
  await businessTime(pool, `${day(days)}T06:00:00Z`)
  const profile = await portal.as(account).get(`/api/v1/billing-profiles/${account.id}`)
  expect(profile.one.attributes?.banner).toMatchObject({ show: reason !== null, reason })
  expect(profile.one.attributes?.negative_days).toBe(days)
})
