import type { deskPlans } from '@portico/contract/resources/desk-plans.ts'
import type * as z from 'zod/mini'
import type { Change } from '#money/pricing/file/import-plans.ts'
import { isFee, type Priced } from '#money/pricing/file/price-rules.ts'

type Described = z.input<typeof deskPlans.actions.previewPlans.output>['changes'][number]

const actOf = ({ was, becomes }: Change): Described['act'] => {
  if (was === undefined) return 'new'
  return becomes === undefined ? 'removed' : 'changed'
}

const nothing = {
  plan: null,
  list: null,
  meter: null,
  resource_kind: null,
  from: null,
  was: null,
  becomes: null,
} as const

/** The names of what differs. */
function differing(was: object | undefined, becomes: object | undefined): string[] {
  if (was === undefined || becomes === undefined) return []
  const [before, now] = [new Map(Object.entries(was)), new Map(Object.entries(becomes))]
  return [...now.keys()].filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(now.get(key)))
}

const amountOf = (entry: Priced['entry'] | undefined): string | null => {
  if (entry === undefined) return null
  return isFee(entry) ? entry.monthly : entry.unit_price
}

/** A change as the desk reads it. */
export function described(change: Change): Described {
  const fields = differing(change.was, change.becomes)
  const act = actOf(change)
  if (change.of === 'plan') {
    const { code = '' } = change.becomes ?? change.was ?? {}
    return { ...nothing, of: 'plan', act, plan: code, fields }
  }
  if (change.of === 'list')
    return { ...nothing, of: 'list', act, list: change.about.replace('price list ', ''), fields }
  const { was, becomes, list } = change
  const entry = becomes ?? was
  const amounts = { was: amountOf(was), becomes: amountOf(becomes), list, act, fields }
  return entry === undefined || isFee(entry)
    ? { ...nothing, of: 'fee', plan: entry?.plan ?? null, from: entry?.from ?? null, ...amounts }
    : {
        ...nothing,
        of: 'meter',
        plan: entry.plan,
        meter: entry.meter,
        resource_kind: entry.kind,
        from: entry.from,
        ...amounts,
      }
}
