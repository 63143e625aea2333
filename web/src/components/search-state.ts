import { firstDay, lastDay } from '@portico/contract/rules/pickers.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = Record<string, unknown>

/**
 * What the address says after its question mark, and how to change a part of it; what is set to undefined leaves. State that
 * one would bookmark lives there.
 */
export function useSearchState(): [Search, (change: Search) => void] {
  const given: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (wanted: Search) =>
    void navigate({ to: '.', search: { ...given, ...wanted }, replace: true, resetScroll: false })
  return [given, change]
}

/** An id in the address; anything else is none. */
export const idIn = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined

export const textIn = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : String(value)

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** A day in the address, as `2026-11-21`, of the years that can be chosen; the server refuses any other. */
export const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  dayPattern.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  value >= firstDay &&
  value <= lastDay
    ? value
    : undefined
