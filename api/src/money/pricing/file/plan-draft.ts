import type { PlanDraft } from '@portico/contract/resources/desk-plan-verbs.ts'
import { planLimits } from '@portico/contract/resources/plans.ts'
import Big from 'big.js'
import type { FeeEntry, ListEntry, MeterEntry, PlanEntry, PlanFile } from './plan-file.ts'
import { termsOf } from './price-rules.ts'

// A plan that is not offered yet, as the form of the desk has it, in the file of plans and prices, and back.

type Dated = FeeEntry | MeterEntry

const byDay = (a: Dated, b: Dated) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1)

/** The price that counts in the end. */
const lastOf = <E extends Dated>(entries: readonly E[]): E | undefined =>
  entries.toSorted(byDay).findLast(({ to }) => to === null)

/** The prices of one use when a price counts from today on: what was before stays, and what was planned goes. */
function fromToday<E extends Dated>(old: readonly E[], wanted: E | undefined, today: string): E[] {
  const last = lastOf(old)
  if (last && wanted && termsOf(last) === termsOf(wanted)) return [...old]
  const past = old.filter(({ from }) => from === null || from < today)
  const ended = past.map((one) => ({ ...one, to: one.to !== null && one.to < today ? one.to : today }))
  return wanted ? [...ended, { ...wanted, from: today, to: null }] : ended
}

const open = { from: null, to: null } as const

const feesOf = (list: ListEntry, { code, fees }: PlanDraft, today: string): FeeEntry[] => {
  const monthly = fees.find((one) => one.list === list.code)?.monthly ?? null
  const old = list.fees.filter(({ plan }) => plan === code)
  const wanted = monthly === null ? undefined : { plan: code, ...open, monthly: new Big(monthly).toFixed(2) }
  return [...list.fees.filter(({ plan }) => plan !== code), ...fromToday(old, wanted, today)]
}

const isFree = ({ unit_price }: MeterEntry) => unit_price !== null && new Big(unit_price).eq(0)

/** Whether the form can say this price: all is included, or a quantity a day. Others are kept as they are. */
const isIncluded = (entry: MeterEntry): boolean =>
  entry.kind === '' && (isFree(entry) || new Big(entry.included_per_day).gt(0))

const countsOn = ({ from, to }: Dated, day: string) =>
  (from === null || from <= day) && (to === null || day < to)

/** The price of a unit of a meter today in a list, whatever the plan and the kind. */
const generalIn = ({ meters }: ListEntry, meter: string, today: string): MeterEntry | undefined =>
  meters.find((one) => one.meter === meter && one.plan === null && one.kind === '' && countsOn(one, today))

type Inclusion = PlanDraft['included'][number]

/** The price of a meter that the plan includes; undefined where the list leaves this meter to the default list. */
function includedIn(
  list: ListEntry,
  { meter, per_day }: Inclusion,
  { code, today }: Of,
): MeterEntry | undefined {
  const general = generalIn(list, meter, today)
  const own = lastOf(ownOf(list, meter, code))
  const price = own && !isFree(own) ? own : general
  if (per_day !== null && !price) return undefined
  if (!general && !own && !list.default) return undefined
  const terms =
    per_day === null || !price
      ? { unit_price: '0', included_per_day: '0', tiers: null }
      : { unit_price: price.unit_price, included_per_day: per_day, tiers: price.tiers }
  return { meter, plan: code, kind: '', ...open, ...terms }
}

type Of = { readonly code: string; readonly today: string }

const ownOf = ({ meters }: ListEntry, meter: string, code: string): MeterEntry[] =>
  meters.filter((one) => one.meter === meter && one.plan === code && one.kind === '')

const sameInclusion = (one: Inclusion | undefined, other: Inclusion | undefined): boolean =>
  one?.meter === other?.meter && (one?.per_day ?? null) === (other?.per_day ?? null)

/** The prices of meters in a list. One that the form did not change stays in each list that has the plan: lists may differ. */
function metersOf(
  list: ListEntry,
  { code, included }: PlanDraft,
  { before, today }: { readonly before: PlanDraft | undefined; readonly today: string },
): MeterEntry[] {
  const asked = new Map(included.map((one) => [one.meter, one]))
  const known = new Map(before?.included.map((one) => [one.meter, one]))
  const isKept = !list.default || list.fees.some(({ plan }) => plan === code)
  const named = new Set([...asked.keys(), ...list.meters.map(({ meter }) => meter)])
  const isOf = ({ plan, kind }: MeterEntry) => plan === code && kind === ''
  const own = [...named].flatMap((meter) => {
    const old = ownOf(list, meter, code)
    const one = asked.get(meter)
    const last = lastOf(old)
    if (isKept && sameInclusion(one, known.get(meter))) return old
    if (!one && last && !isIncluded(last)) return old
    return fromToday(old, one && includedIn(list, one, { code, today }), today)
  })
  return [...list.meters.filter((one) => !isOf(one)), ...own]
}

function entryOf(draft: PlanDraft, known: PlanEntry | undefined, position: number): PlanEntry {
  const limits = planLimits.flatMap((name) => {
    const amount = draft.limits[name]
    return amount === null ? [] : [[name, amount] as const]
  })
  return {
    code: draft.code,
    name: { en: draft.name_en, ro: draft.name_ro },
    description: { en: draft.description_en, ro: draft.description_ro },
    kind: draft.kind,
    needs_domain: draft.needs_domain,
    state: 'draft',
    position: known?.position ?? position,
    limits: Object.fromEntries(limits),
    engines: draft.engines,
  }
}

/** The file with a draft in the place of the plan of its code, or after all others. Its prices count from today on. */
export function withDraft(file: PlanFile, draft: PlanDraft, today: string): PlanFile {
  const { plans, price_lists } = file
  const before = draftIn(file, draft.code)
  const known = plans.find(({ code }) => code === draft.code)
  const entry = entryOf(draft, known, Math.max(0, ...plans.map(({ position }) => position)) + 1)
  return {
    plans: known ? plans.map((plan) => (plan === known ? entry : plan)) : [...plans, entry],
    price_lists: price_lists.map((list) => ({
      ...list,
      fees: feesOf(list, draft, today),
      meters: metersOf(list, draft, { before, today }),
    })),
  }
}

/** The first quantity of a meter that no list can price beyond it: its place in the draft, and the currency. */
export function unpricedIn({ price_lists }: PlanFile, { included }: PlanDraft, today: string) {
  for (const [at, { meter, per_day }] of included.entries()) {
    const list = price_lists.find((one) => one.default && !generalIn(one, meter, today))
    if (per_day !== null && list) return { at, meter, currency: list.currency }
  }
  return undefined
}

const textOf = (decimal: string) => new Big(decimal).toFixed()

/** The plan of a code as the form has it; undefined when there is none. The lists are those of the file, in their order. */
export function draftIn({ plans, price_lists }: PlanFile, code: string): PlanDraft | undefined {
  const plan = plans.find((one) => one.code === code)
  if (!plan) return undefined
  const lists = price_lists.filter((list) => list.default)
  const meters = new Set(lists.flatMap((list) => list.meters.map(({ meter }) => meter)))
  return {
    code,
    name_en: plan.name.en,
    name_ro: plan.name.ro,
    description_en: plan.description.en,
    description_ro: plan.description.ro,
    kind: plan.kind,
    needs_domain: plan.needs_domain,
    limits: {
      servers: plan.limits.servers ?? null,
      clusters: plan.limits.clusters ?? null,
      domains: plan.limits.domains ?? null,
      mailboxes: plan.limits.mailboxes ?? null,
      disk_gb: plan.limits.disk_gb ?? null,
      traffic_gb_month: plan.limits.traffic_gb_month ?? null,
    },
    fees: price_lists.map((list) => ({
      list: list.code,
      monthly: lastOf(list.fees.filter((one) => one.plan === code))?.monthly ?? null,
    })),
    included: [...meters].flatMap((meter) => {
      const last = lists.map((list) => lastOf(ownOf(list, meter, code))).find((one) => one !== undefined)
      if (!last || !isIncluded(last)) return []
      return [{ meter, per_day: isFree(last) ? null : textOf(last.included_per_day) }]
    }),
    engines: plan.engines,
  }
}
