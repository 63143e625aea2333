import type { ReactNode } from 'react'
import { Bone } from '../ui/loading/bones.tsx'
import { SectionBody } from '../ui/section.tsx'
import { LoadFailure } from './load-failure.tsx'

/** The part of a query that says why there is no data yet. */
type Query = { isError: boolean; error: unknown; refetch: () => unknown }

/** The words of a failure, where the general ones do not do. */
type FailureWords = { title: string; text: string }

/** Placeholders of rows, as tall as the rows themselves. */
export function RowBones({ rows }: { rows: number }) {
  return (
    <SectionBody>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never change places.
        <Bone key={at} height={44} />
      ))}
    </SectionBody>
  )
}

type PendingProps = {
  query: Query
  /** The placeholder while the request runs. */
  children: ReactNode
  failed?: FailureWords | undefined
}

/** A query without data: its placeholder, or why it failed, with a button to retry. */
export function Pending({ query: { isError, error, refetch }, children, failed }: PendingProps) {
  return isError ? <LoadFailure error={error} words={failed} onRetry={() => void refetch()} /> : children
}

type LoadedProps<D> = {
  query: Query & { data: D | undefined }
  /** The height of the placeholder, in rows. */
  rows: number
  children: (data: D) => ReactNode
}

/** A part of a page that needs the data of a query. */
export function Loaded<D>({ query, rows, children }: LoadedProps<D>) {
  if (query.data !== undefined) return children(query.data)
  return (
    <Pending query={query}>
      <RowBones rows={rows} />
    </Pending>
  )
}

type ListProps<R> = {
  query: Query
  items: readonly R[] | undefined
  /** Shown when there are no items. */
  empty: ReactNode
  failed?: FailureWords
  children: (items: readonly R[]) => ReactNode
}

/** A list outside of a table: loading, failed, empty or shown. */
export function LoadedList<R>({ query, items, empty, failed, children }: ListProps<R>) {
  if (!items)
    return (
      <Pending query={query} failed={failed}>
        <RowBones rows={3} />
      </Pending>
    )
  return items.length === 0 ? empty : children(items)
}
