import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { evaluateBalances } from '#money/balance/balances.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { systemClock } from '#platform/clock.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { businessTime, used } from '#test/support/money.ts'
import { belongTo } from '#test/support/usage.ts'
import { registerEngine } from '#workspaces/engines/registry.ts'
import { chargeDueDays } from './charging.ts'
import { receiveWatermark } from './ingest.ts'
import { noteIn } from './note-sentences.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const outside = { pool, clock: systemClock, vault: testVault, engines: only(new TestEngine()) }

const first = '2026-03-02'
const day = (n: number) => new Date(Date.parse(first) + n * 86_400_000).toISOString().slice(0, 10)
const days = (from: number, many: number) => Array.from({ length: many }, (_, n) => day(from + n))
const goTo = (n: number, time: string) => businessTime(pool, `${day(n)}T${time}:00Z`)

for (const code of ['alpha', 'beta'])
  await registerEngine(
    { db, vault: testVault },
    { code, name: code, baseUrl: `https://${code}.example.com`, isDefault: false },
  )

let messages = 0
/** Sends a watermark: the engine has reported everything up to the start of a day. */
async function sendWatermark(code: string, n: number): Promise<void> {
  const { id: engineId } = await db
    .selectFrom('panel_engines')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  const body = Buffer.from(code)
  const message = { engineId, id: `watermark-${++messages}`, body }
  await receiveWatermark(db, message, `${day(n)}T00:00:00Z`, new Date())
}

let asked = 0
const charge = async () => (await chargeDueDays(db, async () => void asked++)).charged
const use = (account: Account, on: readonly string[], resource = 'panel') =>
  used(db, account, on, '1', { charged: false, resource })
const chargedDays = async ({ id }: Account) =>
  (
    await sql<{
      line: string
    }>`select concat_ws(' ', c.usage_on, c.seq, t.effective_on) as line from usage_charges c
      join ledger_transactions t on t.id = c.transaction_id where c.client_id = ${id} order by t.id`.execute(
      db,
    )
  ).rows.map(({ line }) => line)
const notes = async ({ id }: Account) =>
  (
    await sql<{
      line: string
    }>`select concat_ws(' ', usage_notes.usage_on, u.panel_id, usage_notes.kind, ${noteIn('en')}) as line from usage_notes
      join usages u on u.id = usage_notes.usage_id where usage_notes.client_id = ${id} order by usage_notes.id`.execute(
      db,
    )
  ).rows.map(({ line }) => line)

let ana: Account
let panel = 0
let other = 0

beforeEach(async () => {
  await sql`delete from engine_watermarks`.execute(db)
  await goTo(0, '12:00')
  asked = 0
  ana = await makeAccount(pool, { projects: 1, panels: 2, opening: { balance: '5', credit: '0', on: first } })
  ;[panel = 0, other = 0] = ana.panels
  await belongTo(pool, 'alpha', [panel])
  await belongTo(pool, 'beta', [other])
})

// A day that is left behind is due in the next test too.
afterEach(async () => {
  await goTo(60, '12:00')
  await charge()
})

const early =
  'late_data Charged before all data of the day had come; what comes later is charged when it does.'

test('a day waits until all engines of a client have reported it, without holding up other clients', async () => {
  const bogdan = await makeAccount(pool, { projects: 1, panels: 1 })
  await belongTo(pool, 'alpha', bogdan.panels)
  await use(bogdan, [day(0)])
  await use(ana, [day(0)])
  await use({ ...ana, panels: [other] }, [day(0)])
  await goTo(1, '00:20')
  expect(await charge()).toBe(0)
  await sendWatermark('alpha', 1)
  await sendWatermark('beta', 0)
  expect(await charge()).toBe(1)
  expect([await chargedDays(bogdan), await chargedDays(ana)]).toEqual([[`${day(0)} 1 ${day(0)}`], []])
  await sendWatermark('beta', 1)
  expect(await charge()).toBe(1)
  expect(await chargedDays(ana)).toEqual([`${day(0)} 1 ${day(0)}`])
  expect([...(await notes(ana)), ...(await notes(bogdan))]).toEqual([])
  expect(await charge()).toBe(0)
})

test('at six in the morning charging proceeds, and a missing report is noted once', async () => {
  await use(ana, [day(0)])
  await use({ ...ana, panels: [other] }, [day(0)])
  await goTo(1, '00:20')
  await sendWatermark('alpha', 1)
  await sendWatermark('beta', 0)
  await goTo(1, '05:59')
  expect(await charge()).toBe(0)
  await goTo(1, '06:00')
  expect(await charge()).toBe(1)
  expect(await notes(ana)).toEqual([`${day(0)} ${other} ${early}`])
  await use({ ...ana, panels: [other] }, [day(0)], 'server/server1')
  expect(await charge()).toBe(1)
  expect(await chargedDays(ana)).toEqual([`${day(0)} 1 ${day(0)}`, `${day(0)} 2 ${day(1)}`])
  expect(await notes(ana)).toEqual([
    `${day(0)} ${other} ${early}`,
    `${day(0)} ${other} late_data 1.000000 USD more by data that came after the day was charged.`,
  ])
})

test('an engine that never sends a watermark is waited for until six, and is not reported as late', async () => {
  await use(ana, [day(0)])
  await goTo(1, '00:20')
  expect(await charge()).toBe(0)
  await goTo(1, '06:00')
  expect(await charge()).toBe(1)
  expect(await notes(ana)).toEqual([])
})

test('days that were missed are charged in their order, and yesterday only when its time has come', async () => {
  await use(ana, days(0, 4).toReversed())
  await goTo(4, '00:20')
  expect(await charge()).toBe(3)
  expect(await chargedDays(ana)).toEqual(days(0, 3).map((on) => `${on} 1 ${on}`))
  expect(asked).toBe(3)
  await goTo(4, '06:00')
  expect(await charge()).toBe(1)
  expect((await chargedDays(ana)).at(-1)).toBe(`${day(3)} 1 ${day(3)}`)
})

test('usage that arrives weeks late is a debt of yesterday: notified first, suspended in three weeks', async () => {
  const state = async () => {
    await evaluateBalances(outside, { byTime: true })
    const { billing_status: status } = await db
      .selectFrom('clients')
      .select('billing_status')
      .where('id', '=', ana.id)
      .executeTakeFirstOrThrow()
    const { negative_days } = await db
      .selectFrom('billing_profiles')
      .select('negative_days')
      .where('id', '=', ana.id)
      .executeTakeFirstOrThrow()
    return [status, negative_days, (await lettersTo(pool, ana.email)).map(({ kind }) => kind).at(-1)]
  }
  await goTo(25, '12:00')
  await use(ana, days(0, 25))
  expect(await charge()).toBe(25)
  expect(await state()).toEqual([4, 1, 'balance-negative'])
  // Each counts for its own day in the books, of which only the debt is younger.
  expect(await chargedDays(ana)).toEqual(days(0, 25).map((on) => `${on} 1 ${on}`))
  expect(await verifyLedger(db)).toEqual([])
  await goTo(44, '12:00')
  expect(await state()).toEqual([4, 20, 'balance-warned'])
  await goTo(45, '12:00')
  expect(await state()).toEqual([5, 21, 'account-suspended'])
})

test('days that the portal itself was away for are no older as a debt', async () => {
  await use(ana, days(0, 9))
  await goTo(30, '00:20')
  expect(await charge()).toBe(9)
  const { negative_since } = await db
    .selectFrom('account_balances')
    .select('negative_since')
    .where('client_id', '=', ana.id)
    .executeTakeFirstOrThrow()
  expect(negative_since).toBe(day(29))
})
