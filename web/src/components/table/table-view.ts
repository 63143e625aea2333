import { pageSize } from '@portico/contract/wire.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Size, sizeIn } from './table-sizes.ts'

/**
 * The part of a table's state that is in the address, so that a reload or a shared link shows the same rows.
 */
export type View = { search?: string | undefined; sort?: string | undefined; page: number; size: Size }

/** The view in the address, and a function to change it. */
export function useView(): [View, (change: Partial<View>) => void] {
  const given: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const text = (value: unknown) => (value === undefined || value === '' ? undefined : String(value))
  const view = {
    search: text(given.search),
    sort: text(given.sort),
    page: Math.max(1, Math.trunc(Number(given.page)) || 1),
    size: sizeIn(given.size),
  }
  const change = (wanted: Partial<View>) => {
    const next = { ...given, ...view, page: 1, ...wanted }
    void navigate({
      to: '.',
      search: {
        ...next,
        page: next.page === 1 ? undefined : next.page,
        size: next.size === pageSize.default ? undefined : next.size,
      },
      replace: true,
      resetScroll: false,
    })
  }
  return [view, change]
}
