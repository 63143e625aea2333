import * as addresses from '@portico/contract/calls/addresses.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'

/** The sign-in methods that this portal offers in addition to e-mail; fixed when the portal starts. */
export const offerQuery = queryOptions({
  queryKey: [addresses.authConfig.path],
  queryFn: ({ signal }) => call(addresses.authConfig, {}, signal),
})
