import { pageSize } from '@portico/contract/wire.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Page } from '../../api/rows.ts'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import type { View } from '../../components/table/table-view.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconSearch } from '../../ui/icons.tsx'

/** The view of a table that is one of several on its page, so it is not in the address. */
export function useOwnView(): [View, (change: Partial<View>) => void] {
  const [view, setView] = useState<View>({ page: 1, size: pageSize.default })
  return [view, (wanted) => setView((last) => ({ ...last, page: 1, ...wanted }))]
}

type Props<R> = {
  caption: string
  columns: readonly Column<R>[]
  query: UseQueryResult<{ items: readonly R[]; page: Page }>
  view: View
  onChange: (change: Partial<View>) => void
  /** Said where there are no rows at all. */
  none: string
  icon?: ReactNode
}

/** A table in a part of the client's page: without a search, because all of it is about one client. */
export function ClientTable<R extends { readonly id: number }>({ none, icon, ...props }: Props<R>) {
  return (
    <ResourceTable
      {...props}
      tools={<span />}
      empty={<Empty icon={icon ?? <IconSearch size={20} />} title={none} />}
    />
  )
}
