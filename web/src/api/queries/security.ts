import * as accountAddresses from '@portico/contract/calls/account/addresses.ts'
import type { Address } from '@portico/contract/calls/call.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type Output } from '../call.ts'

const ofPerson = <A extends Address>(address: A, ask: (signal: AbortSignal) => Promise<Output<A>>) =>
  queryOptions({
    queryKey: [address.path],
    queryFn: ({ signal }) => ask(signal),
  })

/** The person's sign-in methods. */
export const securityQuery = ofPerson(accountAddresses.security, (signal) =>
  call(accountAddresses.security, {}, signal),
)
export const sessionsQuery = ofPerson(accountAddresses.sessions, (signal) =>
  call(accountAddresses.sessions, {}, signal),
)
export const passkeysQuery = ofPerson(accountAddresses.passkeys, (signal) =>
  call(accountAddresses.passkeys, {}, signal),
)
export const identitiesQuery = ofPerson(accountAddresses.identities, (signal) =>
  call(accountAddresses.identities, {}, signal),
)

/** Security events of the account, newest first. */
export const securityLogQuery = infiniteQueryOptions({
  queryKey: [accountAddresses.securityLog.path],
  queryFn: ({ pageParam, signal }) =>
    call(accountAddresses.securityLog, pageParam === undefined ? {} : { before: pageParam }, signal),
  // Ids are text in a query, as the contract declares them.
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ events, more }) => (more ? String(events.at(-1)?.id) : undefined),
})
