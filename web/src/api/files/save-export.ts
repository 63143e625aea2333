import { exportFile } from '@portico/contract/calls/account/addresses.ts'
import { confirmIdentity } from '../../stores/identity-check.ts'
import { asFailure } from '../failure.ts'
import { answer } from '../http.ts'
import { nameIn, save } from './download.ts'

/**
 * Saves the file of a data export. Like every call, it asks for confirmation when the last sign-in is too
 * old. Throws a `Failure`.
 */
export async function saveExport(id: number): Promise<void> {
  const path = exportFile.path.replace(':id', String(id))
  const bring = () => answer(path, { accept: 'application/zip' })
  const response = await bring().catch(async (error: unknown) => {
    if (!asFailure(error).wantsRecentSignIn || !(await confirmIdentity())) throw error
    return bring()
  })
  save(await response.blob(), nameIn(response) ?? 'portico.zip')
}
