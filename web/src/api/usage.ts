import { queryOptions } from '@tanstack/react-query'
import type { ActionOf, Input, Output } from './actions.ts'
import { action } from './query.ts'

type Summary = ActionOf<'usages', 'summary'>
export type Sums = Output<Summary>
export type SumRow = Sums['rows'][number]
type Asked = Input<Summary>
export type Group = Asked['group_by'][number]

/** What use is narrowed to. `client_id` undefined is the own account. */
export type Narrowing = {
  readonly client_id?: number | undefined
  readonly project_id?: number | undefined
  readonly panel_id?: number | undefined
  readonly resource?: string | undefined
}
/** UTC days, both included. */
export type Range = { readonly from: string; readonly to: string }

/**
 * Sums of use in a range, split by one or two things. What was there stays while other sums are on their way, if these are
 * split alike: a day would not pass for a resource.
 */
export const usageSums = (narrowing: Narrowing, range: Range, ...groups: readonly Group[]) => {
  const given = Object.entries({ ...narrowing, ...range }).filter(([, value]) => value !== undefined)
  // What is undefined is left out, which the exact types cannot see.
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
