import { accountingExportLocation } from '@portico/contract/calls/file-locations.ts'
import { base } from '@portico/contract/wire.ts'
import type { Values } from '../../api/write.ts'
import { create } from '../../api/write.ts'
import { saveAnswer } from './save-answer.ts'

/** Exports a file for the accounts, and saves it. Throws a `Failure`. */
export async function saveFile(
  attributes: Values<'accounting-exports'>['attributes'] & object,
): Promise<void> {
  const { id } = await create('accounting-exports', { attributes })
  const path = `${base}${accountingExportLocation.download.replace(':id', String(id))}`
  await saveAnswer(path, 'text/csv, application/xml', String(attributes.kind))
}
