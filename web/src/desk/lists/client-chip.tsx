import { useQuery } from '@tanstack/react-query'
import { one } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import { clientName } from '../client/words.tsx'
import { Chip } from './chip.tsx'

/** The client to whom a link narrowed a list. */
export function ClientChip({ id, onRemove }: { id: number; onRemove: () => void }) {
  const { data } = useQuery(one('desk-clients', id))
  return <Chip name={m.desk_chip_client({ name: data ? clientName(data) : id })} onRemove={onRemove} />
}
