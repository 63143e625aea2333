import { exportFile } from '@portico/contract/calls/account.ts'
import * as addresses from '@portico/contract/calls/addresses.ts'
import { queryOptions } from '@tanstack/react-query'
import { confirmIdentity } from '../stores/identity-check.ts'
import { call } from './call.ts'
import { nameIn, save } from './download.ts'
import { asFailure } from './failure.ts'
import { answer } from './http.ts'

/** While a copy is being made one wants to see it come, in milliseconds. */
const whileMaking = 1_000

/** The copies of their data that the person asked for, the newest first. */
export const exportsQuery = queryOptions({
  queryKey: [addresses.dataExports.path],
  queryFn: ({ signal }) => call(addresses.dataExports, {}, signal),
  refetchInterval: ({ state }) => {
    const status = state.data?.exports[0]?.status
    return status === 'waiting' || status === 'running' ? whileMaking : false
  },
})

/** Whether the account can be closed, and what would have to be done before. */
export const closingQuery = queryOptions({
  queryKey: [addresses.closing.path],
  queryFn: ({ signal }) => call(addresses.closing, {}, signal),
})

/** Brings the file of a copy; whoever signed in long ago is asked who they are, as of every other call. Throws a `Failure`. */
export async function saveExport(id: number): Promise<void> {
  const path = exportFile.path.replace(':id', String(id))
  const bring = () => answer(path, { accept: 'application/zip' })
  const response = await bring().catch(async (error: unknown) => {
    if (!asFailure(error).wantsRecentSignIn || !(await confirmIdentity())) throw error
    return bring()
  })
  save(await response.blob(), nameIn(response) ?? 'portico.zip')
}
