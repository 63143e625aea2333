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
  readonly created_at: string
  readonly holds: Readonly<Record<string, Fields[]>>
  owner: Fields
}

export const textOr = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The resources of a kind in a panel, as the contract has them. */
export const resourcesOf = ({ id, region, holds }: Panel, kind: string): Fields[] =>
  (Object.hasOwn(holds, kind) ? (holds[kind] ?? []) : []).map((one, i) => ({
    kind,
    id: `${id}-${i + 1}`,
    status: 'running',
    region,
    reasons: [],
    ...one,
  }))

/** The problems of a panel's resources. */
const reasonsOf = (panel: Panel): Fields[] =>
  Object.keys(panel.holds).flatMap((kind) =>
    resourcesOf(panel, kind).flatMap(({ id, reasons }) =>
      (Array.isArray(reasons) ? reasons : []).map((reason: Fields) => ({
        ...reason,
        resource: `${kind}/${id}`,
      })),
    ),
  )

/** A panel as the contract has it. */
export const shown = (panel: Panel) => {
  const { id, panel_id, name, plan, status, region, domain, created_at } = panel
  return { id, panel_id, name, plan, status, region, domain, created_at, reasons: reasonsOf(panel) }
}

export function heldBy({ holds }: Panel): { servers: number; clusters: number; domains: number } {
  const { server = [], cluster = [], domain = [] } = holds
  return { servers: server.length, clusters: cluster.length, domains: domain.length }
}
