import type { Brand } from '#platform/brand/brand.ts'
import { brandDress } from './brand-dress.ts'
import { dressPages, type Pages, readSources } from './documents.ts'

export type Dress = ((html: string) => string) | undefined

/** One dress over the other; undefined where both are none. */
const both = (one: Dress, other: Dress): Dress => {
  if (one === undefined || other === undefined) return one ?? other
  return (html) => other(one(html))
}

/** The documents as they look now: dressed for this start, and in the brand, anew after each change of it. */
export function dressedPages(webDist: string | null, brand: () => Brand, dress?: Dress): () => Pages {
  const sources = readSources(webDist)
  let worn: Brand | undefined
  let pages: Pages = new Map()
  return () => {
    const current = brand()
    if (current !== worn) {
      pages = dressPages(sources, both(dress, brandDress(current)))
      worn = current
    }
    return pages
  }
}
