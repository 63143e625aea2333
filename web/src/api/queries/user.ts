import * as addresses from '@portico/contract/calls/addresses.ts'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { call } from '../call.ts'

/** The signed-in person; the guard loads it before any protected page. */
export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }) => call(addresses.currentUser, {}, signal),
  staleTime: 30_000,
})

/** Below the guard the person is always loaded, so pages need not check. */
export function useUser() {
  return useSuspenseQuery(userQuery).data
}

type Named = { first_name: string; last_name: string }

/** First and last name. */
export const fullName = ({ first_name, last_name }: Named): string => `${first_name} ${last_name}`.trim()

/** The first letters of the first two words of the name. */
export function initials(person: Named): string {
  const words = fullName(person).split(/\s+/).filter(Boolean).slice(0, 2)
  return words.map((word) => [...word][0]?.toLocaleUpperCase() ?? '').join('')
}
