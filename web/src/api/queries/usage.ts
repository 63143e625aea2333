import { queryOptions } from '@tanstack/react-query'
import type { ActionOf, Input, Output } from '../actions.ts'
import { action } from '../query.ts'

type Summary = ActionOf<'usages', 'summary'>
export type Sums = Output<Summary>
export type SumRow = Sums['rows'][number]
type Asked = Input<Summary>
export type Group = Asked['group_by'][number]

/** Filters of usage. Without `client_id` it is the person's own account. */
export type Narrowing = {
  readonly client_id?: number | undefined
  readonly project_id?: number | undefined
  readonly panel_id?: number | undefined
  readonly resource?: string | undefined
}
/** UTC days, both included. */
export type Range = { readonly from: string; readonly to: string }

/** Usage totals in a range, grouped by one or two dimensions. */
export const usageSums = (narrowing: Narrowing, range: Range, ...groups: readonly Group[]) =>
  sums({ ...narrowing, ...range }, groups)

/** A chart has at most so many series; with more kinds, the last one is the sum of the others. */
export const mostSeries = 6

/** The sums of a chart: of the largest kinds, and of all others together. */
export const chartSums = (narrowing: Narrowing, range: Range, unit: Group, by: Group) =>
  sums({ ...narrowing, ...range, top: mostSeries }, [unit, by])

/** The previous totals stay on screen while new ones load, but only if the grouping is the same: a day is not a resource. */
function sums(wanted: Omit<Asked, 'group_by'>, groups: readonly Group[]) {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined)
  // Undefined values are left out of the query, which the exact types cannot express.
  const asked = action('usages', 'summary', {
    payload: { ...Object.fromEntries(given), group_by: [...groups] } as Asked,
  })
  const split = groups.join()
  return queryOptions({
    ...asked,
    meta: { split },
    placeholderData: (previous, query) => (query?.meta?.split === split ? previous : undefined),
  })
}

export type Explanation = Output<ActionOf<'usages', 'explain'>>

/** Why a month costs more or less than the one before. */
export const explained = (narrowing: Narrowing, month: string) => {
  const given = Object.entries({ ...narrowing, month }).filter(([, value]) => value !== undefined)
  return action('usages', 'explain', { payload: Object.fromEntries(given) })
}
