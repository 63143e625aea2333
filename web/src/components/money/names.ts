import { useQuery } from '@tanstack/react-query'
import { type Group, type Narrowing, type Range, usageSums } from '../../api/queries/usage.ts'
import { meterName } from './words.ts'

/**
 * Names of usage rows. The server's label of a meter is its unit, and resources of several panels often share
 * a name, so the panel is added unless all rows are of one.
 */
export function useNames({ client_id, panel_id }: Narrowing, range: Range) {
  const { data } = useQuery(usageSums({ client_id }, range, 'project', 'panel'))
  const panels = new Map(data?.rows.map(({ key: [, id], label: [, name] }) => [id, name]))
  return (group: Group, key: string, label: string): string => {
    if (group === 'meter') return meterName(key)
    const panel = group === 'resource' && panel_id === undefined ? panels.get(key.split('/')[0]) : undefined
    const name = label || key
    return panel === undefined || panel === name ? name : `${name} · ${panel}`
  }
}
