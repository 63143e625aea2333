import { dayMs, hourMs } from '@portico/contract/time.ts'
import Big from 'big.js'
import type { Deed, FeeRow, World, WorldPanel } from './plan-world.ts'

// Computes the costs of plans hour by hour, from the events alone, as a person would do it by hand.

type Stretch = {
  readonly from: number
  readonly to: number
  readonly plan: number
  readonly charged: boolean
}
type Hour = {
  readonly at: number
  readonly day: string
  readonly plan: number
  readonly amount: Big
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const within = ({ from, to }: { from: string; to: string | null }, day: string) =>
  from <= day && (to === null || day < to)

/** The stretches of a panel's plans; a suspended panel costs no fee. */
function stretchesOf(deeds: readonly Deed[]): Stretch[] {
  const all: Stretch[] = []
  let open: { from: number; plan: number; charged: boolean } | undefined
  for (const deed of deeds) {
    if (deed.what === 'use') continue
    const before = open
    if (deed.what === 'make' || deed.what === 'change')
      open = { from: deed.at, plan: deed.plan, charged: before?.charged ?? true }
    else if (deed.what === 'delete') open = undefined
    else if (open) open = { ...open, from: deed.at, charged: deed.what === 'resume' }
    if (before && before.from < deed.at) all.push({ ...before, to: deed.at })
  }
  return open ? [...all, { ...open, to: Number.POSITIVE_INFINITY }] : all
}

function monthly(world: World, panel: WorldPanel, plan: number, day: string): Big {
  for (const list of panel.lists.filter(({ from }) => from <= day)) {
    const found = world.fees.find(
      (row: FeeRow) => row.list === list.code && row.plan === plan && within(row, day),
    )
    if (found) return new Big(found.monthly)
  }
  throw new Error(`There is no fee for plan ${plan} on ${day}.`)
}

/** The dearest of these stretches in an hour; of the same price, the one with the higher id. */
function dearest(world: World, panel: WorldPanel, stretches: readonly Stretch[], at: number) {
  const touching = stretches.filter(({ from, to }) => from < at + hourMs && to > at)
  const plans = [...new Set(touching.map(({ plan }) => plan))]
  const [first] = plans
    .map((plan) => ({ plan, price: monthly(world, panel, plan, dayOf(at)) }))
    .sort((a, b) => b.price.cmp(a.price) || b.plan - a.plan)
  return first
}

/** The fee of an hour: what its month costs until its end, less what it costs until its begin. */
function feeOf(price: Big, at: number): Big {
  const date = new Date(at)
  const begin = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  const hours = (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) - begin) / hourMs
  const until = (k: number) => price.times(k).div(hours).round(6, Big.roundHalfUp)
  const k = (at - begin) / hourMs
  return until(k + 1).minus(until(k))
}

/** Every hour that is owed until the end. */
export function hoursOf(world: World, panel: WorldPanel, deeds: readonly Deed[]): Hour[] {
  const charged = stretchesOf(deeds).filter((stretch) => stretch.charged)
  const first = charged[0]
  if (!first) return []
  const hours: Hour[] = []
  for (let at = Math.floor(first.from / hourMs) * hourMs; at <= world.end; at += hourMs) {
    const found = dearest(world, panel, charged, at)
    if (found) hours.push({ at, day: dayOf(at), plan: found.plan, amount: feeOf(found.price, at) })
  }
  return hours
}

/** The plan that a day's meters are priced by. */
function planOfDay(world: World, panel: WorldPanel, stretches: readonly Stretch[], day: string) {
  const begin = Date.parse(day)
  const held = new Map<number, number>()
  for (let hour = 0; hour < 24; hour++) {
    const found = dearest(world, panel, stretches, begin + hour * hourMs)
    if (found) held.set(found.plan, (held.get(found.plan) ?? 0) + 1)
  }
  const [most] = [...held].sort(
    ([a, hours], [b, others]) =>
      others - hours || monthly(world, panel, b, day).cmp(monthly(world, panel, a, day)) || b - a,
  )
  const before = stretches.findLast(({ from }) => from < begin)
  const after = stretches.find(({ from }) => from < begin + 2 * dayMs)
  return most?.[0] ?? before?.plan ?? after?.plan ?? null
}

function meterPrice(
  world: World,
  panel: WorldPanel,
  { plan, meter, kind, day }: { plan: number | null; meter: string; kind: string; day: string },
) {
  for (const { code } of panel.lists.filter(({ from }) => from <= day))
    for (const forPlan of plan === null ? [null] : [plan, null])
      for (const forKind of [kind, '']) {
        const found = world.meters.find(
          (row) =>
            row.list === code &&
            row.plan === forPlan &&
            row.meter === meter &&
            row.kind === forKind &&
            within(row, day),
        )
        if (found) return found
      }
  throw new Error(`There is no price for ${meter} on ${day}.`)
}

/** The cost of a panel's meters, by UTC day, resource and meter. */
export function metersOf(world: World, panel: WorldPanel, deeds: readonly Deed[]): Map<string, Big> {
  const stretches = stretchesOf(deeds)
  const sums = new Map<string, Big>()
  for (const deed of deeds)
    if (deed.what === 'use') {
      const key = `${dayOf(deed.at)} ${deed.resource} ${deed.meter}`
      sums.set(key, (sums.get(key) ?? new Big(0)).plus(deed.quantity))
    }
  const left = new Map<string, Big>()
  const costs = new Map<string, Big>()
  for (const [key, quantity] of [...sums].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [day = '', resource = '', meter = ''] = key.split(' ')
    const plan = planOfDay(world, panel, stretches, day)
    const price = meterPrice(world, panel, { plan, meter, kind: resource.split('/')[0] ?? '', day })
    const pool = `${day} ${world.meters.indexOf(price)}`
    // An included quantity counts once per panel and day; a price without a plan applies to each resource.
    const included =
      price.plan === null ? new Big(price.included) : (left.get(pool) ?? new Big(price.included))
    const rest = included.gt(quantity) ? included.minus(quantity) : new Big(0)
    left.set(pool, rest)
    const beyond = quantity.gt(included) ? quantity.minus(included) : new Big(0)
    costs.set(key, beyond.times(price.price).round(6, Big.roundHalfUp))
  }
  return costs
}
