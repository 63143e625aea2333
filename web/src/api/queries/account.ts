import * as addresses from '@portico/contract/calls/account/addresses.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'

/** Poll interval while a copy is being prepared, in milliseconds. */
const whileMaking = 1_000

/** The copies of their data that the person requested, newest first. */
export const exportsQuery = queryOptions({
  queryKey: [addresses.dataExports.path],
  queryFn: ({ signal }) => call(addresses.dataExports, {}, signal),
  refetchInterval: ({ state }) => {
    const status = state.data?.exports[0]?.status
    return status === 'waiting' || status === 'running' ? whileMaking : false
  },
})

/** Whether the account can be closed, and the obstacles to it. */
export const closingQuery = queryOptions({
  queryKey: [addresses.closing.path],
  queryFn: ({ signal }) => call(addresses.closing, {}, signal),
})
