import { type ReactNode, Suspense, useState } from 'react'
import { atOnce } from '../../api/query.ts'
import { lazily } from '../../ui/loading/lazily.ts'

/** Methods, so that the lazy component takes lists of any type. */
export interface Parts<T> {
  readonly items: readonly T[]
  /** The name of the region with the search; none in a part of the page that has one. */
  readonly label?: string
  /** The names that the search looks into. */
  namesOf(item: T): readonly string[]
  /** So many in words. */
  count(of: { count: number }): string
  children(shown: readonly T[]): ReactNode
}

const Many = lazily(async () => (await import('./many.tsx')).Many)

/** A list; if it is long, a part of it and a search for the others. */
export function InParts<T>(parts: Parts<T>) {
  if (parts.items.length <= atOnce) return parts.children(parts.items)
  return (
    <Suspense>
      <Many {...parts} />
    </Suspense>
  )
}

/** A search in a long list by name, and a part of what it finds. */
export function useFound<T>(items: readonly T[], namesOf: (item: T) => readonly string[]) {
  const [search, setSearch] = useState('')
  const [most, setMost] = useState(atOnce)
  const wanted = search.trim().toLocaleLowerCase()
  const found =
    wanted === ''
      ? items
      : items.filter((item) => namesOf(item).some((name) => name.toLocaleLowerCase().includes(wanted)))
  return {
    search,
    /** Searches again, from the first part. */
    find: (text: string) => {
      setSearch(text)
      setMost(atOnce)
    },
    found,
    shown: found.slice(0, most),
    /** How many the next part has. */
    next: Math.min(atOnce, Math.max(0, found.length - most)),
    more: () => setMost(most + atOnce),
  }
}
