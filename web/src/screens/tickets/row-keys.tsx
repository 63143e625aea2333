import { rowKeys } from '../../components/keys/row-keys.ts'
import { usePageKeys } from '../../stores/overlay.ts'

/** Gives the queue of staff the keys of the lists of the desk. */
export function RowKeys() {
  usePageKeys(rowKeys)
  return null
}
