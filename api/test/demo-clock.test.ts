import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifyLedger } from '../src/ledger/verify.ts'
import { demoPassword } from '../src/services/demo-accounts.ts'
import { testApp } from './support/app.ts'
import { demoDatabase } from './support/demo.ts'
import { Browser } from './support/people.ts'

const { pool } = await demoDatabase()
const db = pool.kysely
const { app } = await testApp(pool, { env: { seed: 'demo' } })

async function signIn(email: string): Promise<Browser> {
  const browser = new Browser(app)
  const { code } = (await browser.login(email, demoPassword)).json()
  await browser.get(`/auth/callback?code=${code}`)
  return browser
}
const ana = await signIn('ana@demo.test')

const read = async (path: string) => (await ana.get(`/api/v1/${path}`)).json().data
const profile = async () => (await read('billing-profiles'))[0].attributes
const advance = (browser: Browser) => browser.send('POST', '/api/demo/advance-day', {})
const cents = (amount: number) => Math.round(amount * 1e6) / 1e6

test('a seed with today’s clock leaves nothing to wait for', async () => {
  const waiting = await db
    .selectFrom('panels')
    .select('name')
    .where('status', 'not in', ['active', 'degraded'])
    .execute()
  expect(waiting).toEqual([])
  expect(await profile()).toMatchObject({
    account_balance: 41.27,
    credit_balance: 8,
    daily_use_basis_days: 7,
  })
})

test('whoever presses five times sees use, balance, runway and log move together, and stays signed in', async () => {
  const before = await profile()
  const days: string[] = []
  for (let press = 1; press <= 5; press++) {
    const answer = await advance(ana)
    expect([answer.statusCode, answer.json().ahead]).toEqual([200, press])
    days.push(answer.json().day)
  }
  expect(new Set(days).size).toBe(5)
  const after = await profile()
  const usages = await sql<{ charged: string; rated: string }>`
    select sum(charged_amount) as charged, sum(rated_amount) filter (where usage_on < clock_today()) as rated
    from usages u join clients c on c.id = u.client_id
    where c.email = 'ana@demo.test' and usage_on >= clock_today() - 5`.execute(db)
  const { charged, rated } = usages.rows[0] ?? {}
  expect(Number(charged)).toBeGreaterThan(1)
  expect(charged).toBe(rated)
  // What was there, less what was charged, is what is there.
  const held = (one: Record<string, number>) => (one.account_balance ?? 0) + (one.credit_balance ?? 0)
  expect(cents(held(before) - held(after))).toBe(cents(Number(charged)))
  expect(after.daily_use_basis_days).toBeGreaterThanOrEqual(4)
  const [newest] = await read('billing-logs?sort=-date&page[size]=1')
  expect(cents(newest.attributes.balance_after)).toBe(cents(held(after)))
  expect(after.exhaustion_date > (days.at(-1) ?? '') || held(after) <= 0).toBe(true)
  expect(await verifyLedger(db)).toEqual([])
})

test('several who press at once move on by a day each', async () => {
  const days = await Promise.all([advance(ana), advance(ana), advance(ana)])
  expect(days.map((answer) => answer.json().ahead).sort()).toEqual([6, 7, 8])
  expect((await ana.get('/api/demo/day')).json().ahead).toBe(8)
  expect(await verifyLedger(db)).toEqual([])
})

test('nobody who is not signed in moves time, and nowhere but in a demo does anybody', async () => {
  expect((await advance(new Browser(app))).statusCode).toBe(401)
  const { app: other } = await testApp(pool)
  const answer = await other.inject({ method: 'POST', url: '/api/demo/advance-day', payload: {} })
  expect(answer.statusCode).toBe(404)
  expect((await ana.get('/api/demo/day')).json().ahead).toBe(8)
})
