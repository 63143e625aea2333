import type { View } from '../../components/table/table-view.ts'

/** Rows without ids of their own, numbered for a table. */
export const numbered = <R extends object>(rows: readonly R[]) =>
  rows.map((row, at) => ({ ...row, id: at + 1 }))

/** The part of rows that came as one answer which a table shows, as if the server had paged them. */
export const paged = <R>(rows: readonly R[], { page: number, size }: View) => ({
  items: rows.slice((number - 1) * size, number * size),
  page: { number, size, total: rows.length, pages: Math.max(1, Math.ceil(rows.length / size)) },
})
