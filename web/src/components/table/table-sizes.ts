import { pageSize } from '@portico/contract/wire.ts'

/** A part of a page with a table begins with fewer rows, so that it does not become endless. */
export const brief = 10

/** The sizes that a table offers, which begins with the first. */
export type Sizes = readonly [Size, ...Size[]]

/** Rows per page: one of the offered sizes, so that tables start equal. */
export type Size = (typeof pageSize.options)[number] | typeof brief

export const sizes: Sizes = pageSize.options
export const briefSizes: Sizes = [brief, ...pageSize.options]

/** The size in an address or a choice; anything else becomes the first. */
export const sizeIn = (given: unknown, offered: Sizes = sizes): Size =>
  offered.find((size) => size === Number(given)) ?? offered[0]

/**
 * Whether rows are on other pages, or were before the page size grew: the control to go back to fewer stays.
 */
export const hasOtherRows = (
  { total, size }: { total: number; size: number },
  [least]: Sizes = sizes,
): boolean => total > Math.min(size, least)
