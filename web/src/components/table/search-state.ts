import { firstDay, lastDay } from '@portico/contract/rules/pickers.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = Record<string, unknown>

/**
 * The search parameters of the address, and a function to change some of them; undefined removes one. State
 * that a person may bookmark belongs there.
 */
export function useSearchState(): [Search, (change: Search) => void] {
  const given: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (wanted: Search) =>
    void navigate({ to: '.', search: { ...given, ...wanted }, replace: true, resetScroll: false })
  return [given, change]
}

/** An id from the address; undefined for anything else. */
export const idIn = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined

export const textIn = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : String(value)

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** A day from the address, as `2026-11-21`, within the years of the pickers; the server refuses others. */
export const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  dayPattern.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  value >= firstDay &&
  value <= lastDay
    ? value
    : undefined
