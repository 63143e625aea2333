import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { demoPassword } from '#demo/accounts.ts'
import { demoVatNumbers } from '#demo/operator/operator.ts'
import { recordedOffice } from '#money/invoices/vat/vat-office.ts'
import { verifyLedger } from '#money/ledger/verify.ts'
import { cronItems } from '#start/schedule.ts'
import { testApp } from './support/app.ts'
import { demoDatabase } from './support/demo.ts'
import { businessTime, movedBalance } from './support/money.ts'
import { Browser } from './support/people.ts'

const { pool } = await demoDatabase()
const db = pool.kysely
const { app } = await testApp(pool, { env: { seed: 'demo' }, vatOffice: recordedOffice(demoVatNumbers) })

async function signIn(email: string): Promise<Browser> {
  const browser = new Browser(app)
  const { code } = (await browser.login(email, demoPassword)).json()
  await browser.get(`/auth/callback?code=${code}`)
  return browser
}
const ana = await signIn('ana@demo.test')
const { id } = await db
  .selectFrom('clients')
  .select('id')
  .where('email', '=', 'ana@demo.test')
  .executeTakeFirstOrThrow()

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

type Fee = {
  readonly attributes: {
    readonly resource_name: string
    readonly lines: readonly { readonly quantity: number }[]
    readonly status: string
  }
}

/** The hour of the UTC day by the business clock. */
async function hourNow(): Promise<number> {
  const { rows } = await sql<{
    hour: number
  }>`select extract(hour from clock_now() at time zone 'utc')::int as hour`.execute(db)
  return rows[0]?.hour ?? 0
}

const ask = async (path: string, payload: object) =>
  (await ana.get(`/api/v1/${path}?payload=${encodeURIComponent(JSON.stringify(payload))}`)).json()

type Row = { readonly attributes: { readonly kind: string; readonly payment: number } }
type Sum = { readonly key: readonly string[]; readonly rated_amount: number }

/** The UTC day so many days from another. */
const dayFrom = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** The data of the account's screens, by call. */
async function seen() {
  const { as_of: day, ...shown } = await profile()
  const [[account], { days }, { rows }, logged] = await Promise.all([
    read('account-balances'),
    ask(`clients/${id}/-actions/checkNegativeNumberOfDays`, {}),
    ask('usages/-actions/summary', { group_by: ['day'], from: dayFrom(day, -7), to: day }),
    read('billing-logs?sort=-date&page[size]=100'),
  ])
  const used = new Map<string, number>(rows.map((row: Sum) => [row.key[0], row.rated_amount]))
  const usage = logged.filter(({ attributes }: Row) => attributes.kind === 'usage')
  const held = cents(account.attributes.account_balance + account.attributes.credit_balance)
  return {
    day,
    shown,
    held,
    warns: held < -3 || days >= 15,
    days,
    used: (on: string) => cents(used.get(on) ?? 0),
    log: {
      held: logged[0].attributes.balance_after,
      usage: cents(usage.reduce((sum: number, { attributes }: Row) => sum + attributes.payment, 0)),
    },
  }
}

/** The day on which what is left is used up, by what is held, less today, and the mean of seven days. */
function runsOut({ day, held, used }: Awaited<ReturnType<typeof seen>>): string {
  const daily = cents(
    Array.from({ length: 7 }, (_, n) => used(dayFrom(day, -1 - n))).reduce((a, b) => a + b) / 7,
  )
  return dayFrom(day, Math.max(0, Math.floor(cents(held - used(day)) / daily)))
}

test('each of five days advanced moves usage, balance, runway, banner and log together', async () => {
  // Two days and a half from where the banner begins.
  const { held, daily_use } = { ...(await profile()), held: (await seen()).held }
  await movedBalance(pool, id, (2.5 * daily_use - 3 - held).toFixed(2), (await profile()).as_of)
  let before = await seen()
  let since: string | undefined
  const banners = [before.warns]
  for (let press = 1; press <= 5; press++) {
    const answer = await advance(ana)
    const after = await seen()
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { ahead: press, day: after.day }])
    expect(after.day).toBe(dayFrom(before.day, 1))
    const charged = after.used(before.day)
    expect(charged).toBeGreaterThan(0.2)
    expect(after.held).toBe(cents(before.held - charged))
    expect(after.log).toEqual({ held: after.held, usage: cents(before.log.usage + charged) })
    if (after.held < 0) since ??= before.day
    expect(after.days).toBe(
      since === undefined ? 0 : Math.round((Date.parse(after.day) - Date.parse(since)) / 86_400_000),
    )
    expect(after.warns).toBe(after.held < -3 || after.days >= 15)
    expect(after.shown).toMatchObject({
      daily_use_basis_days: 7,
      uncharged_today: after.used(after.day),
      exhaustion_date: runsOut(after),
      negative_days: after.days,
      banner: { show: after.warns },
    })
    banners.push(after.warns)
    before = after
  }
  expect([banners[0], banners[1], banners.at(-1)]).toEqual([false, false, true])
  expect(await verifyLedger(db)).toEqual([])
})

test('several who press at once move on by a day each', async () => {
  const days = await Promise.all([advance(ana), advance(ana), advance(ana)])
  expect(days.map((answer) => answer.json().ahead).sort()).toEqual([6, 7, 8])
  expect((await ana.get('/api/demo/day')).json().ahead).toBe(8)
  expect(await verifyLedger(db)).toEqual([])
})

test('only a person who is signed in to a demo moves time', async () => {
  expect((await advance(new Browser(app))).statusCode).toBe(401)
  const { app: other } = await testApp(pool)
  const answer = await other.inject({ method: 'POST', url: '/api/demo/advance-day', payload: {} })
  expect(answer.statusCode).toBe(404)
  expect((await ana.get('/api/demo/day')).json().ahead).toBe(8)
})

test('a day requests every scheduled job', async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await advance(ana)
  const { rows } = await sql<{ task: string }>`select distinct t.identifier as task
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`.execute(
    db,
  )
  const requested = rows.map(({ task }) => task)
  expect(requested).toEqual(expect.arrayContaining(cronItems.map(({ task }) => task)))
  expect(requested).toContain('vat.recheck')
})

test('the fee of a plan is there with the day, and charged when it is over', async () => {
  const { rows } = await sql<{
    panel: number
  }>`update panels set plan_id = (select id from plans where code = 'web-3')
    where client_id = ${id} and name = 'staging-eu1' returning id as panel`.execute(db)
  const fees = async () =>
    (await read(`usages?filter[resource]=plan/web-3&filter[panel_id]=${rows[0]?.panel}&sort=usage_on`)).map(
      ({ attributes: { resource_name, lines, status } }: Fee) => [resource_name, lines[0]?.quantity, status],
    )
  const begun = 24 - (await hourNow())
  expect(await fees()).toEqual([])
  await advance(ana)
  // The hour of the change is the dearer plan's.
  expect(await fees()).toEqual([
    ['web-3', begun, 'charged'],
    ['web-3', (await hourNow()) + 1, 'open'],
  ])
  await advance(ana)
  expect((await fees())[1]).toEqual(['web-3', 24, 'charged'])
})

test('closing a month rechecks VAT numbers, also when the demo clock is advanced', async () => {
  const { rows } = await sql<{ id: number; last: string }>`select c.id,
      (date_trunc('month', clock_today()) + interval '1 month - 1 day')::date as last
    from clients c join client_entities e on e.client_id = c.id where e.vat_number = ${demoVatNumbers[0] ?? ''}`.execute(
    db,
  )
  const [hans] = rows
  if (!hans) throw new Error('The demo has no company with this number.')
  // A week at a time, because a request is given up that has a month to catch up with.
  for (let { day } = (await ana.get('/api/demo/day')).json(); day < hans.last; ) {
    const next = [dayFrom(day, 6), dayFrom(hans.last, -1)].toSorted()[0]
    await businessTime(pool, `${next}T12:00:00Z`)
    day = (await advance(ana)).json().day
  }
  await sql`update vat_checks set checked_at = checked_at - interval '40 days' where client_id = ${hans.id}`.execute(
    db,
  )
  expect((await advance(ana)).statusCode).toBe(200)
  const bill = await db
    .selectFrom('invoices')
    .select(['vat_treatment', 'vat'])
    .where('client_id', '=', hans.id)
    .where('reason', '=', 'service_bill')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(bill).toEqual({ vat_treatment: 'reverse_charge', vat: '0.00' })
  const checks = await sql`select source from vat_checks where client_id = ${hans.id}
    and checked_at > clock_now() - interval '1 hour'`.execute(db)
  expect(checks.rows).toEqual([{ source: 'recorded' }])
})
