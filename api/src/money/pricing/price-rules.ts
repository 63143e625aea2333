import Big from 'big.js'
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

function faultOfPast(on: string, { before, now }: Pair, today: string): string | undefined {
  const same = before && now ? termsOf(before.entry) === termsOf(now.entry) : before === now
  if (same) return undefined
  if (on < today) return `what counted on ${on} cannot change; usage:rerate is for that.`
  if (on === today && before) return 'another price begins on a day to come.'
  return undefined
}

function faultOfNotice(on: string, { before, now }: Pair, { noticed, sold }: Limits, plan: string | null) {
  if (!before || !now || on >= noticed || (plan !== null && !sold.has(plan))) return undefined
  return isDearer(now.entry, before.entry)
    ? `a dearer price begins on ${noticed} at the earliest.`
    : undefined
}

/**
 * Why these prices cannot follow those of before, in sentences: the past stays, another price begins on a day to come, and a
 * dearer one after the notice, also where a special price begins or ends before a general one.
 */
export function faultsOf(before: readonly Priced[], now: readonly Priced[], limits: Limits): string[] {
  const uses = new Map([...before, ...now].map((one) => [one.about, one]))
  return [...uses].flatMap(([about, use]) => {
    const was = before.filter((one) => one.about === about)
    const becomes = now.filter((one) => one.about === about)
    for (const on of turns([...was, ...becomes], limits.today)) {
      const [old, ...none] = was.filter(({ entry }) => counts(entry, on))
      const [wanted, ...more] = becomes.filter(({ entry }) => counts(entry, on))
      if (none.length > 0 || more.length > 0) return [`${about}: two prices count on ${on}.`]
      const pair = { before: applying(before, use, on), now: applying(now, use, on) }
      const fault =
        faultOfPast(on, { before: old, now: wanted }, limits.today) ??
        faultOfNotice(on, pair, limits, use.entry.plan)
      if (fault) return [`${about}: ${fault}`]
    }
    return []
  })
}
