import type { PlanDraft } from '@portico/contract/resources/desk-plan-verbs.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { exportPlans, type ListEntry, type PlanEntry, type PlanFile } from './plan-file.ts'

/** How many of each currency are about a dollar, for examples. */
export const perDollar: Readonly<Record<string, string>> = { USD: '1', EUR: '0.92', RON: '4.65' }

/** Meters that the price of an example includes: machines, and what limits count. */
export const includedMeters: readonly string[] = [
  'cpu_hours',
  'ram_gb_hours',
  'disk_gb_hours',
  'panel_hours',
  'domain_days',
  'mailbox_days',
]

/** What the portal and its operator have, which examples are made for. */
export type World = {
  readonly today: string
  readonly engines: PlanEntry['engines']
  readonly currencies: string[]
  /** The operator's own currency; null before the company is entered. */
  readonly own: string | null
}

type Example = Omit<PlanEntry, 'position' | 'engines'> & { readonly dollars: string }

const examples: readonly Example[] = [
  {
    code: 'example-basic',
    name: { en: 'Basic', ro: 'De bază' },
    description: { en: 'For a first site.', ro: 'Pentru un prim site.' },
    kind: 'web_hosting',
    needs_domain: false,
    state: 'offered',
    limits: { domains: 5, mailboxes: 20, disk_gb: 50, traffic_gb_month: 500 },
    dollars: '8',
  },
  {
    code: 'example-business',
    name: { en: 'Business', ro: 'Afaceri' },
    description: { en: 'For shops and several sites.', ro: 'Pentru magazine și mai multe site-uri.' },
    kind: 'web_hosting',
    needs_domain: false,
    state: 'offered',
    limits: { domains: 25, mailboxes: 100, disk_gb: 250, traffic_gb_month: 2000 },
    dollars: '20',
  },
]

/** Today, the engine that would carry the plans, and the currencies that the operator and its clients use. */
async function worldOf(db: Database): Promise<World> {
  const { rows } = await sql<World>`select clock_today()::text as today,
    coalesce((select json_agg(json_build_object('engine', g.code, 'plan', g.capabilities -> 'plans' ->> 0, 'regions', '[]'::json))
      from panel_engines g where g.is_default and g.disabled_at is null and g.capabilities -> 'plans' ->> 0 is not null), '[]') as engines,
    (select base_currency from operator_profile) as own,
    array(select base_currency from operator_profile
      union select currencies_kept()) as currencies`.execute(db)
  const [world] = rows
  if (!world) throw new Error('There is no clock.')
  return world
}

const monthlyIn = (currency: string, dollars: string) => rateOf(currency).times(dollars).round(0).toFixed(2)

const rateOf = (currency: string) => new Big(perDollar[currency] ?? '1')

/** A default list for a currency without one, with the prices of use of another list in this currency. */
function listFor(currency: string, { price_lists: lists }: PlanFile, today: string): ListEntry {
  const model = lists.find((list) => list.default)
  const rate = rateOf(currency).div(rateOf(model?.currency ?? 'USD'))
  const converted = (amount: string) => new Big(amount).times(rate).round(8).toFixed()
  const current = (model?.meters ?? []).filter(
    ({ plan, from, to }) => plan === null && (from === null || from <= today) && (to === null || to > today),
  )
  const code = currency.toLowerCase()
  return {
    code: lists.some((list) => list.code === code) ? `${code}-default` : code,
    currency,
    default: true,
    fees: [],
    meters: current.map((one) => ({
      ...one,
      from: today,
      to: null,
      unit_price: one.unit_price && converted(one.unit_price),
      tiers: one.tiers?.map((tier) => ({ ...tier, unit_price: converted(tier.unit_price) })) ?? null,
    })),
  }
}

/** A list with the prices of the examples. */
function priced(list: ListEntry, added: readonly Example[], today: string): ListEntry {
  const meters = new Set(list.meters.map(({ meter }) => meter))
  const free = { kind: '', from: today, to: null, unit_price: '0', included_per_day: '0', tiers: null }
  return {
    ...list,
    fees: [
      ...list.fees,
      ...added.map(({ code, dollars }) => ({
        plan: code,
        from: today,
        to: null,
        monthly: monthlyIn(list.currency, dollars),
      })),
    ],
    meters: [
      ...list.meters,
      ...added.flatMap(({ code }) =>
        includedMeters.filter((one) => meters.has(one)).map((meter) => ({ meter, plan: code, ...free })),
      ),
    ],
  }
}

/** The current plans and prices as they are, and with a list without plans for each currency that is used and has no default list. */
export async function withEveryCurrency(
  db: Database,
): Promise<{ file: PlanFile; world: World; known: PlanFile }> {
  const known = await exportPlans(db)
  const world = await worldOf(db)
  const lacking = world.currencies.filter(
    (one) => !known.price_lists.some((list) => list.default && list.currency === one),
  )
  const added = lacking.map((one) => listFor(one, known, world.today))
  return { file: { ...known, price_lists: [...known.price_lists, ...added] }, world, known }
}

/** The current plans and prices with two example plans, priced in every currency that is used. Nothing is written. */
export async function examplePlans(db: Database): Promise<PlanFile> {
  const { file, world } = await withEveryCurrency(db)
  const { today, engines } = world
  const added = examples.filter(({ code }) => !file.plans.some((plan) => plan.code === code))
  const after = Math.max(0, ...file.plans.map(({ position }) => position))
  return {
    plans: [
      ...file.plans,
      ...added.map(({ dollars: _, ...plan }, at) => ({ ...plan, position: after + at + 1, engines })),
    ],
    price_lists: file.price_lists.map((list) => (list.default ? priced(list, added, today) : list)),
  }
}

/** One small plan as the form of a draft has it, priced in each default list. */
export function examplePlan({ price_lists }: PlanFile, { engines }: World): PlanDraft {
  const defaults = price_lists.filter((list) => list.default)
  const priced = new Set(defaults.flatMap((list) => list.meters.map(({ meter }) => meter)))
  return {
    code: 'start',
    name_en: 'Start',
    name_ro: 'Start',
    description_en: 'For a first site.',
    description_ro: 'Pentru un prim site.',
    kind: 'web_hosting',
    needs_domain: false,
    limits: {
      servers: null,
      clusters: null,
      domains: 5,
      mailboxes: 20,
      disk_gb: 50,
      traffic_gb_month: 500,
    },
    fees: defaults.map(({ code, currency }) => ({ list: code, monthly: monthlyIn(currency, '8') })),
    included: includedMeters.filter((one) => priced.has(one)).map((meter) => ({ meter, per_day: null })),
    engines,
  }
}
