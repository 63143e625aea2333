import * as addresses from '@portico/contract/calls/addresses.ts'
import type { Address } from '@portico/contract/calls/call.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type Output } from './call.ts'

const ofPerson = <A extends Address>(address: A, ask: (signal: AbortSignal) => Promise<Output<A>>) =>
  queryOptions({
    queryKey: [address.path],
    queryFn: ({ signal }) => ask(signal),
  })

/** How the person signs in. */
export const securityQuery = ofPerson(addresses.security, (signal) => call(addresses.security, {}, signal))
export const sessionsQuery = ofPerson(addresses.sessions, (signal) => call(addresses.sessions, {}, signal))
export const passkeysQuery = ofPerson(addresses.passkeys, (signal) => call(addresses.passkeys, {}, signal))
export const identitiesQuery = ofPerson(addresses.identities, (signal) =>
  call(addresses.identities, {}, signal),
)

/** What this portal offers beside e-mail; it is set when the portal starts. */
export const offerQuery = ofPerson(addresses.authConfig, (signal) => call(addresses.authConfig, {}, signal))

/** What happened to how the person signs in, the newest first. */
export const securityLogQuery = infiniteQueryOptions({
  queryKey: [addresses.securityLog.path],
  queryFn: ({ pageParam, signal }) =>
    call(addresses.securityLog, pageParam === undefined ? {} : { before: pageParam }, signal),
  // An id as the contract takes it: in a query all is text.
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ events, more }) => (more ? String(events.at(-1)?.id) : undefined),
})
