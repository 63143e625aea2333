import { hourMs } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type { Database, Pool } from '#platform/db/pool.ts'
import { rateUsage } from '#usage/charging.ts'
import { feedPlans } from '#usage/plan-feed.ts'
import { hoursOf, metersOf } from './plan-oracle.ts'
import type { Deed, World } from './plan-world.ts'
import { seeded } from './usage-workload.ts'

export type Quote = { readonly deed: Deed; readonly quoted: string }

const moment = (ms: number) => new Date(ms).toISOString()

/** Has the business clock show this moment in the transaction that is open. */
const clockAt = (tx: Database, at: number) =>
  sql`update clock set ahead = ${moment(at)}::timestamptz - now()`.execute(tx)

async function change(tx: Database, deed: Deed): Promise<void> {
  switch (deed.what) {
    case 'make':
      await sql`update panels set status = 'active', plan_id = ${deed.plan} where id = ${deed.panel}`.execute(
        tx,
      )
      return
    case 'change':
      await sql`update panels set plan_id = ${deed.plan} where id = ${deed.panel}`.execute(tx)
      return
    case 'suspend':
      await sql`update panels set status = 'suspended' where id = ${deed.panel}`.execute(tx)
      return
    case 'resume':
      await sql`update panels set status = 'active' where id = ${deed.panel}`.execute(tx)
      return
    case 'delete':
      await sql`update panels set status = 'deleting' where id = ${deed.panel}`.execute(tx)
      return
    case 'use':
      // Counted once, though the database ends and it is sent again.
      await sql`select usage_count(1, array[${moment(deed.at).slice(0, 10)}::date],
        array[${`${deed.panel}-${deed.at}-${deed.resource}-${deed.meter}`}], array[${deed.panel}::int8], array[${deed.resource}],
        array[(select id from meters where code = ${deed.meter})], array[${moment(deed.at)}::timestamptz],
        array[${moment(deed.at + 1)}::timestamptz], array[${deed.quantity}::numeric])`.execute(tx)
  }
}

/** One deed at its moment; a change of plan is quoted first where that was asked. */
async function happen(db: Database, deed: Deed): Promise<Quote | undefined> {
  return db.transaction().execute(async (tx) => {
    await clockAt(tx, deed.at)
    let quote: Quote | undefined
    if (deed.what === 'change' && deed.quoted) {
      const { rows } = await sql<{
        quoted: string
      }>`select plan_quote(${deed.panel}, ${deed.plan}, ${moment(deed.at)}) as quoted`.execute(tx)
      quote = { deed, quoted: rows[0]?.quoted ?? '' }
    }
    await change(tx, deed)
    return quote
  })
}

type Course = {
  /** How often between two deeds the hours are fed and the use rated; others may do so meanwhile. */
  readonly often: number
  readonly seed: number
  /** Tries a deed again that the database ended in. */
  readonly through?: <T>(work: () => Promise<T>) => Promise<T>
}

/** Everything that happens in a world, in its order, with feeding and rating in between; returns the quotes. */
export async function live(
  { kysely: db }: Pool,
  world: World,
  { often, seed, through = (work) => work() }: Course,
): Promise<Quote[]> {
  const random = seeded(seed + 1)
  const quotes: Quote[] = []
  for (const deed of world.deeds) {
    const quote = await through(() => happen(db, deed))
    if (quote) quotes.push(quote)
    if (random() < often) await through(() => feedPlans(db))
    if (random() < often) await through(() => rateUsage(db))
  }
  await through(() => clockAt(db, world.end))
  await through(() => feedPlans(db))
  await through(() => rateUsage(db))
  return quotes
}

/** Every line of the fees and meters, by panel, day, resource and meter: quantity of hours and amount. */
export async function rated(db: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; what: string }>`
    select concat_ws(' ', u.panel_id, u.usage_on, u.resource_ref, m.code) as key,
      concat_ws(' ', case when m.by_portal then trim_scale(l.quantity) end, trim_scale(l.amount)) as what
    from usage_lines l join usages u on u.id = l.usage_id join meters m on m.id = l.meter_id
    where not m.by_portal or l.quantity <> 0`.execute(db)
  return new Map(rows.map(({ key, what }) => [key, what]))
}

/** The expected value of `rated`, computed by an independent calculation. */
function expected(world: World, codes: ReadonlyMap<number, string>): Map<string, string> {
  const lines = new Map<string, { hours: number; amount: Big }>()
  const costs = new Map<string, string>()
  for (const panel of world.panels) {
    const deeds = world.deeds.filter((deed) => deed.panel === panel.id)
    for (const { day, plan, amount } of hoursOf(world, panel, deeds)) {
      const key = `${panel.id} ${day} plan/${codes.get(plan)} plan_hours`
      const line = lines.get(key) ?? { hours: 0, amount: new Big(0) }
      lines.set(key, { hours: line.hours + 1, amount: line.amount.plus(amount) })
    }
    for (const [key, amount] of metersOf(world, panel, deeds))
      costs.set(`${panel.id} ${key}`, amount.toFixed())
  }
  for (const [key, { hours, amount }] of lines) costs.set(key, `${hours} ${amount.toFixed()}`)
  return costs
}

/** The differences between the ledger and the independent calculation; empty when they agree. */
export async function differences(db: Database, world: World): Promise<string[]> {
  const { rows } = await sql<{ id: number; code: string }>`select id, code from plans`.execute(db)
  const want = expected(world, new Map(rows.map(({ id, code }) => [id, code])))
  const have = await rated(db)
  return [...new Set([...want.keys(), ...have.keys()])]
    .filter((key) => want.get(key) !== have.get(key))
    .map((key) => `${key}: ${have.get(key)} instead of ${want.get(key)}`)
}

/** Quotes that are not what the rest of their month was charged. */
export function wrongQuotes(world: World, quotes: readonly Quote[]): string[] {
  return quotes.flatMap(({ deed, quoted }) => {
    const panel = world.panels.find(({ id }) => id === deed.panel)
    const date = new Date(deed.at)
    const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
    const from = Math.floor(deed.at / hourMs) * hourMs
    const deeds = world.deeds.filter((one) => one.panel === deed.panel)
    const rest = panel ? hoursOf(world, panel, deeds).filter(({ at }) => at >= from && at < end) : []
    const charged = rest.reduce((sum, { amount }) => sum.plus(amount), new Big(0))
    return charged.eq(quoted) ? [] : [`panel ${deed.panel}: ${quoted} was quoted, ${charged} charged`]
  })
}

/** The number of hours that the sums have. */
export async function countedHours(db: Database): Promise<number> {
  const { rows } = await sql<{
    hours: number
  }>`select coalesce(sum(bit_count(slots::bit(24))), 0)::int as hours
    from usage_meter_days`.execute(db)
  return rows[0]?.hours ?? 0
}
