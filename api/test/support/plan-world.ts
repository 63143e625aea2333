import { dayMs, hourMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type { Database, Pool } from '#platform/db/pool.ts'
import { makeAccount } from './account.ts'
import { seeded } from './usage-workload.ts'

export type FeeRow = {
  readonly list: string
  readonly plan: number
  readonly from: string
  readonly to: string | null
  readonly monthly: string
}
export type MeterRow = {
  readonly list: string
  readonly plan: number | null
  readonly meter: string
  readonly kind: string
  readonly from: string
  readonly to: string | null
  readonly price: string
  readonly included: string
}
export type WorldPanel = {
  readonly id: number
  readonly client: number
  /** The price lists that count for it, those of its client first, with the UTC day from which they do. */
  readonly lists: readonly { readonly code: string; readonly from: string }[]
}

/** An event of a panel, at a millisecond. */
export type Deed = { readonly panel: number; readonly at: number } & (
  | { readonly what: 'make' | 'change'; readonly plan: number; readonly quoted?: boolean }
  | { readonly what: 'suspend' | 'resume' | 'delete' }
  | { readonly what: 'use'; readonly resource: string; readonly meter: string; readonly quantity: string }
)

/** Plans, prices, panels and what happens to them in three months that begin with a February, all from a seed. */
export type World = {
  readonly panels: readonly WorldPanel[]
  readonly fees: readonly FeeRow[]
  readonly meters: readonly MeterRow[]
  readonly deeds: readonly Deed[]
  readonly end: number
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const currencies = ['USD', 'EUR', 'RON']
const defaults = currencies.map((code) => `world-${code.toLowerCase()}`)
const usedMeters = ['cpu_hours', 'traffic_gb']
const resources = ['server/a', 'server/b', 'cluster/a', 'panel']

type Random = () => number
const upTo = (random: Random, n: number) => Math.floor(random() * n)

/** Stretches of days from one to another, each some days long, the last without end. */
function* stretches(from: number, to: number, days: number): Generator<[string, string | null]> {
  for (let at = from; ; at += days * dayMs) {
    const last = at + days * dayMs >= to
    yield [dayOf(at), last ? null : dayOf(at + days * dayMs)]
    if (last) return
  }
}

async function makePlans(db: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`insert into plans (code, name_en, name_ro, kind)
    select 'p' || n, 'Plan ' || n, 'Plan ' || n, 'server' from generate_series(1, 5) n returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

const lists = [...defaults, 'agency']

function monthly(random: Random): string {
  const what = random()
  if (what < 0.1) return '0.00'
  return what < 0.3 ? '10.00' : (random() * 200).toFixed(2)
}

/** Fees change every 17 days; some are the same in two plans, some are free, and the agency's list has only some. */
const feesOf = (random: Random, plans: readonly number[], begin: number, end: number): FeeRow[] =>
  lists
    .flatMap((list) => plans.map((plan) => ({ list, plan })))
    .filter(({ list }) => list !== 'agency' || random() < 0.5)
    .flatMap((of) =>
      [...stretches(begin, end, 17)].map(([from, to]) => ({ ...of, from, to, monthly: monthly(random) })),
    )

/** Every default list prices each meter; some plans and kinds have prices of their own, with something included. */
const metersOf = (random: Random, plans: readonly number[], begin: number, end: number): MeterRow[] =>
  lists
    .flatMap((list) => usedMeters.map((meter) => ({ list, meter })))
    .flatMap((of) => [null, ...plans].map((plan) => ({ ...of, plan })))
    .flatMap((of) => ['', 'server'].map((kind) => ({ ...of, kind })))
    .filter(({ list, plan, kind }) => (list !== 'agency' && plan === null && kind === '') || random() < 0.5)
    .flatMap((of) =>
      [...stretches(begin, end, 23)].map(([from, to]) => {
        const included = random() < 0.4 ? '0' : (random() * 40).toFixed(6)
        return { ...of, from, to, price: random().toFixed(10), included }
      }),
    )

async function store(db: Database, fees: readonly FeeRow[], meters: readonly MeterRow[]): Promise<void> {
  // The lists of the world take the place of the standard one.
  await sql`update price_lists set is_default = false`.execute(db)
  await sql`insert into price_lists (code, currency, is_default) select 'world-' || lower(c), c, true from unnest(${currencies}::text[]) c`.execute(
    db,
  )
  await sql`insert into price_lists (code, currency) values ('agency', 'USD')`.execute(db)
  await sql`insert into plan_prices (price_list_id, plan_id, valid, monthly)
    select l.id, r.plan, daterange(r."from", r."to"), r.monthly
    from jsonb_to_recordset(${JSON.stringify(fees)}::jsonb) r (list text, plan int8, "from" date, "to" date, monthly numeric)
    join price_lists l on l.code = r.list`.execute(db)
  await sql`insert into prices (price_list_id, plan_id, meter_id, resource_kind, valid, unit_price, included_per_day)
    select l.id, r.plan, m.id, r.kind, daterange(r."from", r."to"), r.price, r.included
    from jsonb_to_recordset(${JSON.stringify(meters)}::jsonb) r (list text, plan int8, meter text, kind text, "from" date,
      "to" date, price numeric, included numeric)
    join price_lists l on l.code = r.list join meters m on m.code = r.meter`.execute(db)
}

/** Clients of three currencies, every fourth of them with the agency's prices from the middle of the second month. */
async function makePanels(pool: Pool, count: number, begin: number): Promise<WorldPanel[]> {
  const db = pool.kysely
  const panels: WorldPanel[] = []
  const own = dayOf(begin + 45 * dayMs)
  for (let n = 0; n < 8; n++) {
    const currency = ['USD', 'EUR', 'RON', 'USD'][n % 4] ?? 'USD'
    const { id, projects } = await makeAccount(pool, { projects: 1, panels: 0, opening: null })
    await sql`update clients set currency_id = (select id from currencies where code = ${currency}) where id = ${id}`.execute(
      db,
    )
    const agency = n % 4 === 3
    if (agency)
      await sql`insert into client_price_lists (client_id, price_list_id, valid)
        select ${id}, id, daterange(${own}, null) from price_lists where code = 'agency'`.execute(db)
    const { rows } = await sql<{ id: number }>`insert into panels (client_id, project_id, name)
      select ${id}, ${projects[0]}, 'Panel ' || n from generate_series(1, ${Math.ceil(count / 8)}::int) n returning id`.execute(
      db,
    )
    const its = [
      ...(agency ? [{ code: 'agency', from: own }] : []),
      { code: `world-${currency.toLowerCase()}`, from: '2000-01-01' },
    ]
    panels.push(...rows.map((row) => ({ id: row.id, client: id, lists: its })))
  }
  return panels
}

/** The next moment: as often as not in the same hour, sometimes on its stroke or at the same instant. */
function next(random: Random, at: number): number {
  if (random() < 0.05) return at
  const later = at + 1 + Math.floor(random() < 0.45 ? random() * 50 * 60_000 : random() * 9 * dayMs)
  return random() < 0.15 ? Math.max(at, Math.floor(later / hourMs) * hourMs) : later
}

function consumption(random: Random, panel: number, at: number): Deed {
  const resource = resources[upTo(random, resources.length)] ?? ''
  const meter = usedMeters[upTo(random, usedMeters.length)] ?? ''
  return { panel, at: Math.floor(at), what: 'use', resource, meter, quantity: (random() * 30).toFixed(6) }
}

function* deedsOf(
  random: Random,
  { id: panel }: WorldPanel,
  begin: number,
  plans: readonly number[],
): Generator<Deed> {
  const anyPlan = () => plans[upTo(random, plans.length)] ?? 0
  let at = begin + Math.floor(random() * 60 * dayMs)
  for (let n = upTo(random, 12); n > 0; n--)
    yield consumption(random, panel, at + (random() - 0.2) * 20 * dayMs)
  yield { panel, at, what: 'make', plan: anyPlan() }
  if (random() < 0.5) {
    at = next(random, at) + 1
    yield { panel, at, what: 'change', plan: anyPlan(), quoted: true }
    return
  }
  for (let n = upTo(random, 8), suspended = false; n > 0; n--) {
    at = next(random, at)
    // Used on the day before its plan changes, which may be another's then.
    if (random() < 0.5) yield consumption(random, panel, at - random() * 6 * hourMs)
    if (random() < 0.6) yield { panel, at, what: 'change', plan: anyPlan() }
    else {
      yield { panel, at, what: suspended ? 'resume' : 'suspend' }
      suspended = !suspended
    }
  }
  if (random() < 0.6) yield { panel, at: next(random, at), what: 'delete' }
}

export async function makeWorld(pool: Pool, seed: number, panels: number): Promise<World> {
  const random = seeded(seed)
  const year = 2025 + (seed % 4)
  const [begin, end] = [Date.UTC(year, 1, 1), Date.UTC(year, 4, 1)]
  const plans = await makePlans(pool.kysely)
  const fees = feesOf(random, plans, begin - 20 * dayMs, end)
  const meters = metersOf(random, plans, begin - 20 * dayMs, end)
  await store(pool.kysely, fees, meters)
  const made = await makePanels(pool, panels, begin)
  const deeds = made
    .flatMap((panel) => [...deedsOf(random, panel, begin, plans)])
    .filter(({ at }) => at >= begin - 10 * dayMs && at < end)
    .sort((a, b) => a.at - b.at)
  return { panels: made, fees, meters, deeds, end }
}
