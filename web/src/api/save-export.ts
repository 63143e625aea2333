import { exportFile } from '@portico/contract/calls/addresses.ts'
import { confirmIdentity } from '../stores/identity-check.ts'
import { nameIn, save } from './download.ts'
import { asFailure } from './failure.ts'
import { answer } from './http.ts'

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
