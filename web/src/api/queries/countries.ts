import { pageSize } from '@portico/contract/wire.ts'
import { queryOptions } from '@tanstack/react-query'
import type { Language } from '../../stores/language.ts'
import { queryClient } from '../client.ts'
import { list } from '../query.ts'
import type { Row } from '../rows.ts'

/** Countries do not change during a session. */
const fixed = { staleTime: 'static' } as const

const page = (number: number) => ({
  ...list('countries', { page: { number, size: pageSize.max } }),
  ...fixed,
})

/** Every country. The first page says how many pages follow. */
export const countriesQuery = queryOptions({
  queryKey: ['countries', 'all'],
  queryFn: async (): Promise<Row<'countries'>[]> => {
    const first = await queryClient.query(page(1))
    const others = Array.from({ length: first.page.pages - 1 }, (_, at) => queryClient.query(page(at + 2)))
    return [first, ...(await Promise.all(others))].flatMap(({ items }) => items)
  },
  meta: { type: 'countries' },
  ...fixed,
})

/** The counties of a country whose invoices must name one; none for other countries. */
export const countiesQuery = (country: number | null) => ({
  ...list('counties', {
    filter: { country_id: country ?? undefined },
    sort: 'name',
    page: { size: pageSize.max },
  }),
  ...fixed,
  enabled: country !== null,
})

/** The countries sorted by their names in a language. */
export function byName(
  countries: readonly Row<'countries'>[],
  language: Language,
): { id: number; name: string }[] {
  const named = countries.map(({ id, name, name_ro }) => ({ id, name: language === 'ro' ? name_ro : name }))
  return named.sort((a, b) => a.name.localeCompare(b.name, language))
}
