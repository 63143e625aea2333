import Big from 'big.js'
import { type Refusal, reason } from '#platform/errors/problem.ts'
import type { FeeEntry, ListEntry, MeterEntry } from './plan-file.ts'

/** A price of the file with what it is for, as one word; equal words must not overlap in time. */
export type Priced = {
  readonly about: string
  readonly list: string
  readonly entry: FeeEntry | MeterEntry
}

export const isFee = (entry: FeeEntry | MeterEntry): entry is FeeEntry => 'monthly' in entry

const aboutOf = (list: string, entry: FeeEntry | MeterEntry): string =>
  isFee(entry)
    ? `${list} ${entry.plan} fee`
    : [list, entry.plan ?? 'any plan', entry.meter, entry.kind].filter(Boolean).join(' ')

export const pricesOf = (lists: readonly ListEntry[]): Priced[] =>
  lists.flatMap(({ code, fees, meters }) =>
    [...fees, ...meters].map((entry) => ({ about: aboutOf(code, entry), list: code, entry })),
  )

/** The terms of a price, without its validity period: prices with equal terms are the same price. */
export const termsOf = (entry: FeeEntry | MeterEntry): string =>
  isFee(entry)
    ? new Big(entry.monthly).toFixed(2)
    : JSON.stringify([
        entry.unit_price === null ? null : new Big(entry.unit_price).toFixed(10),
        new Big(entry.included_per_day).toFixed(6),
        (entry.tiers ?? []).map(({ up_to, unit_price }) => [up_to, new Big(unit_price).toFixed(10)]),
      ])

const counts = ({ from, to }: FeeEntry | MeterEntry, on: string) =>
  (from === null || from <= on) && (to === null || on < to)

/** Whether a price is dearer than another; tiers that differ count as dearer. */
function isDearer(now: FeeEntry | MeterEntry, before: FeeEntry | MeterEntry): boolean {
  if (isFee(now) || isFee(before))
    return isFee(now) && isFee(before) && new Big(now.monthly).gt(before.monthly)
  if (new Big(now.included_per_day).lt(before.included_per_day)) return true
  if (now.unit_price === null || before.unit_price === null) return termsOf(now) !== termsOf(before)
  return new Big(now.unit_price).gt(before.unit_price)
}

/** The days on which something may change. */
const turns = (prices: readonly Priced[], today: string): string[] =>
  [
    ...new Set([today, ...prices.flatMap(({ entry: { from, to } }) => [from ?? '0001-01-01', to ?? today])]),
  ].sort()

type Limits = {
  readonly today: string
  readonly noticed: string
  /** The plans that are or were offered. */
  readonly sold: ReadonlySet<string>
}

/** The price that a change replaces, and the one that replaces it; undefined: none. */
type Pair = { readonly before: Priced | undefined; readonly now: Priced | undefined }

const isFor = (one: Priced, use: Priced): boolean =>
  isFee(one.entry) || isFee(use.entry)
    ? one.about === use.about
    : one.list === use.list &&
      one.entry.meter === use.entry.meter &&
      [null, use.entry.plan].includes(one.entry.plan) &&
      ['', use.entry.kind].includes(one.entry.kind)

const rank = ({ entry }: Priced): number =>
  (entry.plan === null ? 2 : 0) + (!isFee(entry) && entry.kind === '' ? 1 : 0)

/** The price of a use on a day, in the order of `usage_price`: a price with the plan first, then one of the kind. */
const applying = (prices: readonly Priced[], use: Priced, on: string): Priced | undefined =>
  prices.filter((one) => counts(one.entry, on) && isFor(one, use)).sort((a, b) => rank(a) - rank(b))[0]

/** No account pays by the price of a plan that was never offered, so it may change today, and without notice. */
const isOfDraft = ({ entry: { plan } }: Priced, { sold }: Limits): boolean => plan !== null && !sold.has(plan)

type Named = { readonly name: string; readonly day: string }

function faultOfPast({ name, day }: Named, { before, now }: Pair, limits: Limits): Refusal | undefined {
  const same = before && now ? termsOf(before.entry) === termsOf(now.entry) : before === now
  if (same) return undefined
  if (day < limits.today) return reason('plan_price_past', { name, day })
  if (day === limits.today && before && !isOfDraft(now ?? before, limits))
    return reason('plan_price_today', { name })
  return undefined
}

function faultOfNotice({ name, day }: Named, { before, now }: Pair, noticed: string): Refusal | undefined {
  if (!before || !now || day >= noticed) return undefined
  return isDearer(now.entry, before.entry)
    ? reason('plan_price_unannounced', { name, day: noticed })
    : undefined
}

type Both = { readonly before: readonly Priced[]; readonly now: readonly Priced[] }

/** Why the prices of one use cannot follow those of before. */
function faultOf(use: Priced, { before, now }: Both, limits: Limits): Refusal | undefined {
  const name = use.about
  const was = before.filter(({ about }) => about === name)
  const becomes = now.filter(({ about }) => about === name)
  for (const day of turns([...was, ...becomes], limits.today)) {
    const [old, ...none] = was.filter(({ entry }) => counts(entry, day))
    const [wanted, ...more] = becomes.filter(({ entry }) => counts(entry, day))
    if (none.length > 0 || more.length > 0) return reason('plan_prices_overlap', { name, day })
    const pair = { before: applying(before, use, day), now: applying(now, use, day) }
    const fault =
      faultOfPast({ name, day }, { before: old, now: wanted }, limits) ??
      (isOfDraft(use, limits) ? undefined : faultOfNotice({ name, day }, pair, limits.noticed))
    if (fault) return fault
  }
  return undefined
}

/** Prices that may replace each other have the same word. */
const rivals = ({ about, list, entry }: Priced): string => (isFee(entry) ? about : `${list} ${entry.meter}`)

/**
 * Why these prices cannot follow those of before: the past stays, another price begins on a day to come, and a dearer one after
 * the notice, also where a special price begins or ends before a general one.
 */
export function faultsOf(before: readonly Priced[], now: readonly Priced[], limits: Limits): Refusal[] {
  const [was, becomes] = [Map.groupBy(before, rivals), Map.groupBy(now, rivals)]
  const uses = new Map([...before, ...now].map((one) => [one.about, one]))
  return [...uses.values()].flatMap((use) => {
    const both = { before: was.get(rivals(use)) ?? [], now: becomes.get(rivals(use)) ?? [] }
    return faultOf(use, both, limits) ?? []
  })
}
