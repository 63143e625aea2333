import { usages } from '@portico/contract/resources/usages.ts'
import { base } from '@portico/contract/wire.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { businessTime } from '#test/support/money.ts'
import { makePlans } from '#test/support/plans.ts'
import { testPortal } from '#test/support/portal.ts'
import { isWhole, runSeed } from '#test/support/sweep.ts'
import { addDailyUse, type DailyUse, priceFrom } from '#test/support/usage.ts'
import { seeded } from '#test/support/usage-workload.ts'
import { rateUsage } from '#usage/charging.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const random = seeded(runSeed)
const below = (n: number) => Math.floor(random() * n)
const one = <T>(of: readonly [T, ...T[]]): T => of[below(of.length)] ?? of[0]

const first = '2025-01-01'
const today = '2026-03-18'
const days = (Date.parse(today) - Date.parse(first)) / 86_400_000
const dayAt = (at: number) => new Date(Date.parse(first) + at * 86_400_000).toISOString().slice(0, 10)
const months = Array.from({ length: 14 }, (_, at) =>
  new Date(Date.UTC(2025, 1 + at)).toISOString().slice(0, 7),
)

await businessTime(pool, `${today}T15:20:00Z`)

/** Prices that change at random days, some with a daily allowance, and tiers. */
async function makePrices(): Promise<readonly [number, ...number[]]> {
  for (const meter of ['cpu_hours', 'ram_gb_hours'])
    for (let at = 20 + below(60); at < days; at += 20 + below(120))
      await priceFrom(pool, meter, dayAt(at), (random() / 100).toFixed(10))
  const { small = 0, large = 0 } = await makePlans(db, { small: '7.99', large: '24.50' })
  const at = dayAt(100 + below(200))
  await sql`update plan_prices set valid = daterange(lower(valid), ${at}) where plan_id = ${small}`.execute(
    db,
  )
  await sql`insert into plan_prices (price_list_id, plan_id, valid, monthly)
    select id, ${small}, daterange(${at}, null), 9.49 from price_lists where code = 'standard'`.execute(db)
  await sql`insert into prices (price_list_id, plan_id, meter_id, valid, unit_price, included_per_day)
    select l.id, ${large}, m.id, '[2020-01-01,)', 0.013, 40 from price_lists l, meters m
    where l.code = 'standard' and m.code = 'traffic_gb'`.execute(db)
  await sql`insert into prices (price_list_id, plan_id, meter_id, valid, tiers)
    select l.id, ${small}, m.id, '[2020-01-01,)', '[{"up_to": "30", "unit_price": "0.02"}, {"unit_price": "0.011"}]'
    from price_lists l, meters m where l.code = 'standard' and m.code = 'traffic_gb'`.execute(db)
  return [small, large]
}

/** The life of a panel: its plans, with pauses, and its resources, which come, change their use and go. */
async function live(panel: number, plans: readonly [number, ...number[]]): Promise<DailyUse[]> {
  const born = random() < 0.5 ? 0 : below(days)
  const dies = random() < 0.6 ? days : born + below(days - born)
  if (random() < 0.7)
    for (let at = born; at < dies; ) {
      const until = Math.min(dies, at + 15 + below(200))
      await sql`insert into panel_plans (panel_id, plan_id, during, charged) select ${panel}, ${one(plans)},
        tstzrange(${dayAt(at)}::timestamptz + ${below(23)} * interval '1 hour', ${dayAt(until)}::timestamptz),
        ${random() < 0.9} where ${dayAt(at)} <> ${dayAt(until)} and ${until - at} > 1`.execute(db)
      at = until
    }
  return Array.from({ length: 1 + below(3) }, (_, resource) => {
    const uses: DailyUse[] = []
    for (let at = born + below(30); at < dies; ) {
      const until = Math.min(dies, at + below(70))
      const meter = one(['cpu_hours', 'ram_gb_hours', 'traffic_gb', 'disk_gb_hours'])
      uses.push({
        panel,
        resource: `server/s${resource}`,
        meter,
        from: dayAt(at),
        to: dayAt(until),
        quantity: (random() < 0.03 ? -random() : random() * 900).toFixed(6),
      })
      at = until + 1 + (random() < 0.3 ? below(50) : 0)
    }
    return uses
  }).flat()
}

type Narrowing = { readonly panel_id?: number }

/** The cost of some days in cents, as lists and sums have it. */
async function costsOf(account: Account, { panel_id }: Narrowing, from: string, to: string): Promise<Big> {
  const { rows } = await sql<{
    amount: string
  }>`select coalesce(sum(rated_amount), 0) as amount from usage_panel_days
    where client_id = ${account.id} and panel_id = coalesce(${panel_id ?? null}, panel_id)
      and usage_on between ${from} and ${to}`.execute(db)
  return new Big(rows[0]?.amount ?? 0).round(2, Big.roundHalfUp)
}

type Compared = { readonly kinds: readonly string[] }

/** Compares a month with the one before; undefined when there is none before. */
async function explain(account: Account, narrowing: Narrowing, month: string): Promise<Compared | undefined> {
  const about = `TEST_SEED=${runSeed} ${month} ${JSON.stringify(narrowing)}`
  const payload = encodeURIComponent(JSON.stringify({ month, ...narrowing }))
  const answer = await portal.as(account).get(`${base}/usages/-actions/explain?payload=${payload}`)
  const { difference, parts, ...range } = usages.actions.explain.output.parse(answer.json)
  const now = await costsOf(account, narrowing, range.from, range.to)
  const before = await costsOf(account, narrowing, range.before_from, range.before_to)
  expect([range.now?.toFixed(2), range.before?.toFixed(2)], about).toEqual([
    now.toFixed(2),
    before.toFixed(2),
  ])
  if (difference === null) {
    expect(before.toFixed(2), about).toBe('0.00')
    return undefined
  }
  const sum = parts.reduce((all, { amount }) => all.plus(amount), new Big(0))
  const wanted = now.minus(before).toFixed(2)
  expect([sum.toFixed(2), difference.toFixed(2)], about).toEqual([wanted, wanted])
  return { kinds: parts.map(({ kind }) => kind) }
}

// `npm run test:long` tries a thousand; each run has others.
const least = isWhole ? 1000 : 100
/** By then there are always enough; most runs need a few. */
const mostPeople = isWhole ? 40 : 12
const allKinds = ['days', 'ended', 'new', 'others', 'plan', 'price', 'quantity']

/** An account with three panels and their usage, fed and rated as in production. */
async function makeUsed(plans: readonly [number, ...number[]]): Promise<Account> {
  const account = await makeAccount(pool, { projects: 1, panels: 3, opening: null })
  for (const panel of account.panels) await addDailyUse(pool, await live(panel, plans))
  for (const month of ['2025-01', ...months])
    await sql`select plan_feed(${[...account.panels]}::int8[], ${`${month}-01`},
      least(${`${month}-01`}::date + interval '1 month' - interval '1 day', ${today}::date)::date, clock_now())`.execute(
      db,
    )
  while ((await rateUsage(db)).rated > 0);
  return account
}

/** Every month of an account and of each of its panels that has one before it. */
async function explainAll(account: Account): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const narrowing of [{}, ...account.panels.map((panel_id) => ({ panel_id }))])
    for (const month of months) {
      const found = await explain(account, narrowing, month)
      if (found) compared.push(found)
    }
  return compared
}

test('in random months the parts add up to the difference to the cent', { timeout: 600_000 }, async () => {
  const plans = await makePrices()
  const compared: Compared[] = []
  const kindsMet = () => [...new Set(compared.flatMap(({ kinds }) => kinds))].sort()
  const isEnough = () => compared.length >= least && kindsMet().length === allKinds.length
  for (let at = 0; at < mostPeople && !isEnough(); at++)
    compared.push(...(await explainAll(await makeUsed(plans))))
  expect(portal.bugs).toEqual([])
  expect(compared.length).toBeGreaterThanOrEqual(least)
  expect(kindsMet()).toEqual(allKinds)
})
