import Big from 'big.js'

type Part = { readonly amount: Big }

const cents = (amount: Big): Big => amount.round(2, Big.roundHalfUp)
const floor = (amount: Big): Big => {
  const down = amount.round(2, Big.roundDown)
  return down.gt(amount) ? down.minus('0.01') : down
}

/** The difference of two amounts as readers see it: of both in cents. */
export const shownDifference = (before: Big, now: Big): Big => cents(now).minus(cents(before))

/**
 * Parts in cents that add up to a total in cents, by largest remainder. The total may differ from the parts' exact sum by
 * up to a cent, because it is the difference of two rounded amounts; parts that differ by more are a bug.
 */
export function roundParts(amounts: readonly Big[], total: Big): Big[] {
  const floors = amounts.map(floor)
  const left = floors
    .reduce((rest, one) => rest.minus(one), total)
    .div('0.01')
    .toNumber()
  if (left < 0 || left > amounts.length) throw new Error('The parts do not add up to the total.')
  const byRemainder = amounts
    .map((amount, at) => ({ at, remainder: amount.minus(floors[at] ?? 0) }))
    .sort((a, b) => b.remainder.cmp(a.remainder))
  const raised = new Set(byRemainder.slice(0, left).map(({ at }) => at))
  return floors.map((one, at) => (raised.has(at) ? one.plus('0.01') : one))
}

/** The largest parts by themselves, and the rest as one. */
const mostShown = 5

const isDust = ({ amount }: Part): boolean => amount.abs().lt('0.005')

export type Shown<P extends Part> = {
  readonly part: P | undefined
  readonly count: number
  readonly amount: Big
}

/**
 * The parts of a difference as they are shown, largest first, in cents that add up to it; `part` is undefined for the last
 * one, which joins the `count` smallest.
 */
export function showParts<P extends Part>(parts: readonly P[], difference: Big): Shown<P>[] {
  const sorted = parts.toSorted((a, b) => b.amount.abs().cmp(a.amount.abs()))
  const worthIt = sorted.filter((one) => !isDust(one))
  // A line for one other part would take as much space as the part itself.
  const own = worthIt.slice(0, worthIt.length <= mostShown + 1 ? worthIt.length : mostShown)
  const others = sorted.slice(own.length)
  const joined = others.reduce((sum, { amount }) => sum.plus(amount), new Big(0))
  const all = [
    ...own.map((part) => ({ part, count: 1, exact: part.amount })),
    ...(others.length > 0 ? [{ part: undefined, count: others.length, exact: joined }] : []),
  ]
  const rounded = roundParts(
    all.map(({ exact }) => exact),
    difference,
  )
  return (
    all
      .map(({ part, count }, at) => ({ part, count, amount: rounded[at] ?? new Big(0) }))
      .filter(({ part, amount }) => part !== undefined || !amount.eq(0) || !others.every(isDust))
      // Rounding may have put a part that is nearly as large above another one.
      .sort(
        (a, b) =>
          Number(a.part === undefined) - Number(b.part === undefined) || b.amount.abs().cmp(a.amount.abs()),
      )
  )
}
