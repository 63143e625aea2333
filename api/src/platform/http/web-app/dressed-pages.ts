import type { Brand } from '#platform/brand/brand.ts'
import { brandDress } from './brand-dress.ts'
import { dressPages, type Pages, readSources } from './documents.ts'
import { withMark } from './page-marks.ts'

export type Dress = ((html: string) => string) | undefined

/** One dress over the other; undefined where both are none. */
const both = (one: Dress, other: Dress): Dress => {
  if (one === undefined || other === undefined) return one ?? other
  return (html) => other(one(html))
}

type How = { readonly dress: Dress; readonly withNews: boolean }

const markNews: Dress = (html) => withMark(html, 'news')

/**
 * The documents as they look now: dressed for this start, in the brand, and marked while something is announced; made again after
 * each change of these.
 */
export function dressedPages(
  webDist: string | null,
  brand: () => Brand,
  { dress, withNews }: How,
): () => Pages {
  const sources = readSources(webDist)
  let worn: Brand | undefined
  let pages: Pages = new Map()
  return () => {
    const current = brand()
    if (current !== worn) {
      const news = withNews && current.hasNews ? markNews : undefined
      pages = dressPages(sources, both(both(dress, news), brandDress(current)))
      worn = current
    }
    return pages
  }
}
