import type { Registry, TypeName } from '@portico/contract/index.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Listing, list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { useView } from '../../components/table/table-view.ts'

type Sort<T extends TypeName> = Registry[T]['sorts'][number]

type Options<T extends TypeName> = {
  /** The order at first. */
  readonly order: Sort<T> | `-${Sort<T>}`
  /** The columns by which the table can be sorted, in both directions. */
  readonly sorts: readonly Sort<T>[]
  readonly filter?: NonNullable<Listing<T, never>['filter']>
  /** Whether a row changes by itself: then the list is read again every few seconds. */
  readonly moves?: (row: Row<T>) => boolean
}

const everyMs = 3000

/** The rows of a type by the view in the address, as a `ResourceTable` takes them; those of before stay meanwhile. */
export function useRows<const T extends TypeName>(type: T, { order, sorts, filter = {}, moves }: Options<T>) {
  const [view, onChange] = useView()
  const sort = sorts.flatMap((one) => [one, `-${one}` as const]).find((one) => one === view.sort) ?? order
  const query = useQuery({
    ...list<T, never>(type, { filter, sort, page: { number: view.page, size: view.size } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (moves && state.data?.items.some(moves) ? everyMs : false),
  })
  return { query, view: { ...view, sort }, onChange }
}
