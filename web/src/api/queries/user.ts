import * as addresses from '@portico/contract/calls/addresses.ts'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { call } from '../call.ts'
import { action } from '../query.ts'

/** The signed-in person; the guard loads it before any protected page. */
export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }) => call(addresses.currentUser, {}, signal),
  staleTime: 30_000,
})

/** Poll interval of what waits, while the page is visible, in milliseconds. */
const every = 60_000

/** The counts of things that wait for the person. The query has no type, because a background poll must fail silently. */
export const waitingQuery = {
  ...action('clients', 'waiting', { payload: {} }),
  refetchInterval: every,
  staleTime: every,
}

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
