import type { Fields } from './offers.ts'

/** A panel as the example keeps it. */
export type Panel = {
  id: string
  /** Null while the panel is unlinked. */
  panel_id: number | null
  name: string
  plan: string | null
  status: string
  region: string
  domain: string | null
  /** The sort key in the list. */
  readonly place: number
  readonly holds: Readonly<Record<string, Fields[]>>
  owner: Fields
}

export const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A panel as the contract has it. */
export const shown = ({ id, panel_id, name, plan, status, region, domain }: Panel) => ({
  id,
  panel_id,
  name,
  plan,
  status,
  region,
  domain,
})

export function heldBy({ holds }: Panel): { servers: number; clusters: number; domains: number } {
  const { server = [], cluster = [], domain = [] } = holds
  return { servers: server.length, clusters: cluster.length, domains: domain.length }
}
