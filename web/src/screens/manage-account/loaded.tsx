import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailure } from '../../components/load-failure.tsx'
import { Bone } from '../../ui/loading/bones.tsx'
import { SectionBody } from '../../ui/section.tsx'

/** The places of rows that are on their way. */
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

/** A part of the page that waits for an answer: its place, what failed, or what came. */
export function Loaded<D>({
  query: { data, error, isError, refetch },
  rows,
  children,
}: {
  query: UseQueryResult<D>
  /** How much room it will take, in rows. */
  rows: number
  children: (data: D) => ReactNode
}) {
  if (data !== undefined) return children(data)
  return isError ? <LoadFailure error={error} onRetry={refetch} /> : <RowBones rows={rows} />
}
