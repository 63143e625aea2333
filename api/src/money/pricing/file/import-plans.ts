import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { type Refusal, reason } from '#platform/errors/problem.ts'
import { exportPlans, type PlanEntry, type PlanFile } from './plan-file.ts'
import { faultsOf, isFee, type Priced, pricesOf, termsOf } from './price-rules.ts'

/** A line of what an import changes, as it is logged. */
export type Change = { readonly about: string } & (
  | { readonly of: 'plan'; readonly was: PlanEntry | undefined; readonly becomes: PlanEntry | undefined }
  | { readonly of: 'list'; readonly was: ListTerms | undefined; readonly becomes: ListTerms | undefined }
  | { readonly of: 'price'; readonly list: string; readonly was: PriceEntry; readonly becomes: PriceEntry }
)

type ListTerms = { readonly currency: string; readonly default: boolean }
type PriceEntry = Priced['entry'] | undefined

/** The changes that a price file would make, or the reasons why it cannot be imported. */
export type Plan = { readonly changes: readonly Change[]; readonly faults: readonly Refusal[] }

async function limitsOf(db: Database, { plans }: PlanFile) {
  const { rows } = await sql<{ today: string; noticed: string }>`select clock_today()::text as today,
    (clock_today() + price_notice_days)::text as noticed from billing_policies`.execute(db)
  const [row] = rows
  if (!row) throw new Error('There are no policies.')
  return { ...row, sold: new Set(plans.filter(({ state }) => state !== 'draft').map((plan) => plan.code)) }
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Limits and engines in an order of their own, so that only what they say is compared. */
const sorted = (plan: PlanEntry | undefined) =>
  plan && {
    ...plan,
    limits: Object.fromEntries(Object.entries(plan.limits).sort()),
    engines: [...plan.engines].sort((a, b) => (a.engine < b.engine ? -1 : 1)),
  }

function differences(before: PlanFile, file: PlanFile): Change[] {
  const plans = file.plans.map((plan) => ({
    about: `plan ${plan.code}`,
    of: 'plan' as const,
    was: sorted(before.plans.find(({ code }) => code === plan.code)),
    becomes: sorted(plan),
  }))
  const lists = file.price_lists.map(({ code, currency, default: is }) => {
    const old = before.price_lists.find((list) => list.code === code)
    return {
      about: `price list ${code}`,
      of: 'list' as const,
      was: old && { currency: old.currency, default: old.default },
      becomes: { currency, default: is },
    }
  })
  return [...plans, ...lists].filter(({ was, becomes }) => !same(was, becomes))
}

/** The prices of lists that the file names. Others stay as they are. */
const oldPrices = (before: PlanFile, file: PlanFile): Priced[] =>
  pricesOf(before.price_lists.filter(({ code }) => file.price_lists.some((list) => list.code === code)))

const keyOf = ({ about, entry }: Priced) => `${about} from ${entry.from ?? 'the beginning'}`

function priceDifferences(before: readonly Priced[], now: readonly Priced[]): Change[] {
  const was = new Map(before.map((one) => [keyOf(one), one]))
  const becomes = new Map(now.map((one) => [keyOf(one), one]))
  return [...new Set([...was.keys(), ...becomes.keys()])]
    .map((about) => ({
      about,
      of: 'price' as const,
      list: (becomes.get(about) ?? was.get(about))?.list ?? '',
      was: was.get(about)?.entry,
      becomes: becomes.get(about)?.entry,
    }))
    .filter(
      (one) =>
        !one.was ||
        !one.becomes ||
        one.was.to !== one.becomes.to ||
        termsOf(one.was) !== termsOf(one.becomes),
    )
}

/** Compares the file with the database: every change, and every reason why it cannot be imported. */
export async function compare(db: Database, file: PlanFile): Promise<Plan> {
  const before = await exportPlans(db)
  const [was, becomes] = [oldPrices(before, file), pricesOf(file.price_lists)]
  const changes = [...differences(before, file), ...priceDifferences(was, becomes)]
  const moved = changes.flatMap((one) =>
    one.of === 'list' && one.was && one.was.currency !== one.becomes?.currency
      ? [reason('price_list_currency_kept', { name: one.about })]
      : [],
  )
  return { changes, faults: [...moved, ...faultsOf(was, becomes, await limitsOf(db, before))] }
}

/** A new plan is a draft until it has its limits, which only rise once it is offered. */
async function storePlans(tx: Database, plans: PlanFile['plans']): Promise<void> {
  const json = JSON.stringify(plans)
  await sql`insert into plans as p (code, name_en, name_ro, description_en, description_ro, kind, needs_domain, state, position)
    select x.code, x.name ->> 'en', x.name ->> 'ro', x.description ->> 'en', x.description ->> 'ro', x.kind, x.needs_domain,
      'draft', x.position
    from jsonb_to_recordset(${json}::jsonb) x (code text, name jsonb, description jsonb, kind text, needs_domain boolean,
      position int)
    on conflict (code) do update set name_en = excluded.name_en, name_ro = excluded.name_ro,
      description_en = excluded.description_en, description_ro = excluded.description_ro, kind = excluded.kind,
      needs_domain = excluded.needs_domain, position = excluded.position`.execute(tx)
  const limits = sql`select p.id, l.key as what, l.value::int as amount
    from jsonb_to_recordset(${json}::jsonb) x (code text, limits jsonb) join plans p on p.code = x.code, jsonb_each_text(x.limits) l`
  await sql`delete from plan_limits where (plan_id, what) not in (select id, what from (${limits}) l)
    and plan_id in (select p.id from plans p join jsonb_to_recordset(${json}::jsonb) x (code text) on x.code = p.code)`.execute(
    tx,
  )
  await sql`update plan_limits o set amount = l.amount from (${limits}) l
    where o.plan_id = l.id and o.what = l.what and o.amount <> l.amount`.execute(tx)
  await sql`insert into plan_limits (plan_id, what, amount) select l.id, l.what, l.amount from (${limits}) l
    where not exists (select from plan_limits o where o.plan_id = l.id and o.what = l.what)`.execute(tx)
  await sql`delete from plan_engines where plan_id in
    (select p.id from plans p join jsonb_to_recordset(${json}::jsonb) x (code text) on x.code = p.code)`.execute(
    tx,
  )
  await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan, regions)
    select p.id, g.id, e.plan, array(select jsonb_array_elements_text(e.regions))
    from jsonb_to_recordset(${json}::jsonb) x (code text, engines jsonb)
    join plans p on p.code = x.code
    cross join jsonb_to_recordset(x.engines) e (engine text, plan text, regions jsonb)
    join panel_engines g on g.code = e.engine`.execute(tx)
  await sql`update plans p set state = x.state from jsonb_to_recordset(${json}::jsonb) x (code text, state text)
    where p.code = x.code and p.state <> x.state`.execute(tx)
}

/** Names in the file that the portal does not know; what refers to them would be left out. */
export async function unknownIn(tx: Database, { plans, price_lists }: PlanFile): Promise<Refusal[]> {
  const engines = plans.flatMap((plan) => plan.engines.map(({ engine }) => engine))
  const meters = price_lists.flatMap((list) => list.meters.map(({ meter }) => meter))
  const priced = pricesOf(price_lists).flatMap(({ entry }) => entry.plan ?? [])
  const currencies = price_lists.map(({ currency }) => currency)
  const { rows } = await sql<{ name: string }>`
    select 'engine ' || n as name from unnest(${engines}::text[]) n where n not in (select code from panel_engines)
    union select 'meter ' || n from unnest(${meters}::text[]) n
      where n not in (select code from meters where not by_portal)
    union select 'currency ' || n from unnest(${currencies}::text[]) n where n not in (select code from currencies)
    union select 'plan ' || n from unnest(${priced}::text[]) n
      where n not in (select code from plans) and n <> all(${plans.map((plan) => plan.code)}::text[])
    order by 1`.execute(tx)
  return rows.map(({ name }) => reason('plan_name_unknown', { name }))
}

const table = (one: Priced) => sql.table(isFee(one.entry) ? 'plan_prices' : 'prices')

/** The row of a price, by what it is for and from when it counts. */
const isRow = ({
  list,
  entry,
}: Priced) => sql`price_list_id = (select id from price_lists where code = ${list})
  and plan_id is not distinct from (select id from plans where code = ${entry.plan})
  and lower(valid) is not distinct from ${entry.from}::date
  ${isFee(entry) ? sql`` : sql`and resource_kind = ${entry.kind} and meter_id = (select id from meters where code = ${entry.meter})`}`

const writePrice = (tx: Database, one: Priced) => {
  const { list, entry } = one
  const place = sql`(select id from price_lists where code = ${list}), (select id from plans where code = ${entry.plan}),
    daterange(${entry.from}::date, ${entry.to}::date)`
  return isFee(entry)
    ? sql`insert into plan_prices (price_list_id, plan_id, valid, monthly) values (${place}, ${entry.monthly}::numeric)`.execute(
        tx,
      )
    : sql`insert into prices (price_list_id, plan_id, valid, meter_id, resource_kind, unit_price, included_per_day, tiers)
      values (${place}, (select id from meters where code = ${entry.meter}), ${entry.kind}, ${entry.unit_price}::numeric,
        ${entry.included_per_day}::numeric, ${entry.tiers && JSON.stringify(entry.tiers)}::jsonb)`.execute(tx)
}

/** Prices that no longer begin then are removed, the ends of others moved, and the new ones written, in this order. */
async function storePrices(tx: Database, was: readonly Priced[], becomes: readonly Priced[]): Promise<void> {
  const wanted = new Map(becomes.map((one) => [keyOf(one), one]))
  const there = new Map(was.map((one) => [keyOf(one), one]))
  const stays = (one: Priced) => {
    const other = wanted.get(keyOf(one))
    return other !== undefined && termsOf(other.entry) === termsOf(one.entry)
  }
  for (const one of was) if (!stays(one)) await sql`delete from ${table(one)} where ${isRow(one)}`.execute(tx)
  const moved = was.filter(stays).flatMap((one) => {
    const to = wanted.get(keyOf(one))?.entry.to ?? null
    return to === one.entry.to ? [] : [{ one, to }]
  })
  // Those that end earlier first, to make room for the others.
  moved.sort((a, b) => ((a.to ?? '9999') < (b.to ?? '9999') ? -1 : 1))
  for (const { one, to } of moved)
    await sql`update ${table(one)} set valid = daterange(lower(valid), ${to}::date) where ${isRow(one)}`.execute(
      tx,
    )
  for (const one of becomes) {
    const old = there.get(keyOf(one))
    if (!old || !stays(old)) await writePrice(tx, one)
  }
}

/** Brings plans and prices to what the file says, and logs each change. What the file does not name stays. */
export async function applyPlans(tx: Database, file: PlanFile, changes: readonly Change[]): Promise<void> {
  const was = oldPrices(await exportPlans(tx), file)
  await storePlans(tx, file.plans)
  const lists = file.price_lists.map(({ code, currency, default: is_default }) => ({
    code,
    currency,
    is_default,
  }))
  await sql`insert into price_lists as l (code, currency, is_default)
    select code, currency, is_default from jsonb_to_recordset(${JSON.stringify(lists)}::jsonb) x (code text, currency text, is_default boolean)
    on conflict (code) do update set is_default = excluded.is_default where l.is_default <> excluded.is_default`.execute(
    tx,
  )
  await storePrices(tx, was, pricesOf(file.price_lists))
  await sql`insert into plan_changes (about, was, becomes)
    select about, was, becomes from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) x (about text, was jsonb, becomes jsonb)`.execute(
    tx,
  )
}
