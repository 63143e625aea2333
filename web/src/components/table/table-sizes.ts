import { pageSize } from '@portico/contract/wire.ts'

/** Rows per page: one of the offered sizes, so that tables start equal. */
export type Size = (typeof pageSize.options)[number]

/** The size in an address or a choice; anything else becomes the default. */
export const sizeIn = (given: unknown): Size =>
  pageSize.options.find((size) => size === Number(given)) ?? pageSize.default

/**
 * Whether rows are on other pages, or were before the page size grew: the control to go back to fewer stays.
 */
export const hasOtherRows = ({ total, size }: { total: number; size: number }): boolean =>
  total > Math.min(size, pageSize.default)
