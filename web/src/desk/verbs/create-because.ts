import type { Attributes, TypeName } from '@portico/contract/index.ts'
import { base } from '@portico/contract/wire.ts'
import { http } from '../../api/http.ts'
import { type Document, type Row, toRow } from '../../api/rows.ts'
import { because } from './verb-dialog.tsx'

/** Creates a row with the reason of a member of staff. Throws a `Failure`. */
export async function createBecause<T extends TypeName>(
  type: T,
  attributes: Partial<Attributes<T>>,
  reason: string,
): Promise<Row<T>> {
  const body = { data: { type, attributes } }
  const answer = await http(`${base}/${type}`, { method: 'POST', body, headers: because(reason) })
  // The response has the shape of the contract, as in `query.ts`.
  return toRow<T, never>(answer as Document)
}
