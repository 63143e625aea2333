import { useQuery } from '@tanstack/react-query'
import { wholeList } from '../../api/query.ts'
import { countryName } from './words.ts'

/** The countries by their names in the language of the reader; values are codes (ISO 3166-1). */
export function useCountries(): { value: string; label: string }[] {
  const { data } = useQuery(wholeList('countries', { sort: 'name' }))
  return (data?.items ?? [])
    .map(({ code }) => ({ value: code, label: countryName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label))
}

/** The id of a country by its code; undefined until the list has come. */
export function useCountryId(code: string): number | undefined {
  const { data } = useQuery(wholeList('countries', { sort: 'name' }))
  const found = data?.items.find((country) => country.code === code)
  return found && Number(found.id)
}

/** The counties of a country whose documents state one, by name; values are codes (ISO 3166-2). */
export function useCounties(country: string): { value: string; label: string }[] {
  const { data } = useQuery(wholeList('counties', { sort: 'name' }))
  return (data?.items ?? [])
    .filter(({ code }) => code.startsWith(`${country}-`))
    .map(({ code, name }) => ({ value: code, label: name }))
}
