import { pageSize } from '@portico/contract/wire.ts'

/** How many rows a table may show at once: those that its choice offers, so that no table begins with another. */
export type Size = (typeof pageSize.options)[number]

/** What an address or a choice says of it; anything else is the usual number. */
export const sizeIn = (given: unknown): Size =>
  pageSize.options.find((size) => size === Number(given)) ?? pageSize.default

/**
 * Whether there are rows on other pages, or were before more of them were asked for at once: the way back to fewer stays.
 */
export const hasOtherRows = ({ total, size }: { total: number; size: number }): boolean =>
  total > Math.min(size, pageSize.default)
