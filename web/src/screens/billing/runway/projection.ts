import { addDays, monthOf } from '../../../ui/days.ts'
import { sum } from '../../../ui/format.ts'

/** Automatic payment: the amount that it adds, the balance below which it does, and its monthly limit. */
export type TopUps = {
  readonly threshold: number
  readonly recharge: number
  /** The maximum in a calendar month; null for none. */
  readonly cap: number | null
  /** The amount that it has added in the current month. */
  readonly charged: number
  /** The least payment: a smaller rest of the maximum is not charged. */
  readonly least: number
}

type Account = { readonly as_of: string; readonly available: number; readonly daily_use: number }

/** The days within which the next automatic payment is looked for. */
const farthest = 366

/** The payment that lifts an amount to the threshold again, within what the month still allows. */
function topUp(left: number, { threshold, recharge, cap, least }: TopUps, charged: number): number {
  const lacking = sum([threshold, -left])
  if (lacking <= 0 || recharge <= 0) return 0
  const wanted = sum([Math.ceil(lacking / recharge) * recharge])
  if (cap === null) return wanted
  const rest = sum([cap, -charged])
  return rest < least ? 0 : Math.min(wanted, rest)
}

/** The first of the next days on which automatic payment charges, and how much; undefined within a year. */
export function nextTopUp(
  { as_of, available, daily_use }: Account,
  topUps: TopUps,
): { readonly inDays: number; readonly amount: number } | undefined {
  for (let day = 0; day <= farthest; day++) {
    const isOfNow = monthOf(addDays(as_of, day)) === monthOf(as_of)
    const amount = topUp(sum([available, -daily_use * day]), topUps, isOfNow ? topUps.charged : 0)
    if (amount > 0) return { inDays: day, amount }
  }
  return undefined
}

/** The expected balance at the end of each of the next days, with automatic payments as steps. */
export function projected({ as_of, available, daily_use }: Account, days: number, topUps?: TopUps): number[] {
  const values: number[] = []
  let left = available
  let month = monthOf(as_of)
  let charged = topUps?.charged ?? 0
  for (let day = 1; day <= days; day++) {
    const now = monthOf(addDays(as_of, day))
    if (now !== month) charged = 0
    month = now
    left = sum([left, -daily_use])
    const paid = topUps ? topUp(left, topUps, charged) : 0
    charged = sum([charged, paid])
    left = sum([left, paid])
    values.push(left)
  }
  return values
}
