import * as z from 'zod/mini'
import { reasonCode } from '../engine/reasons.ts'
import { idParameter, integerId, moment, searchParameter, stamps } from '../fields.ts'
import { toOne } from '../jsonapi.ts'

/** Why something is not as it should be, as its engine says, and since when. */
export const resourceReason = z.object({ code: reasonCode, since: z.string() })

export const panelResourceStatus = z.enum(['running', 'starting', 'stopped', 'degraded', 'error'])

const shared = {
  name: z.string(),
  panel_id: integerId,
  status: panelResourceStatus,
  region: z.nullable(z.string()),
  /** When the engine last reported it. */
  last_seen_at: moment,
  reasons: z.array(resourceReason),
  ...stamps,
}

/**
 * The common fields of servers, clusters and domains: read-only things inside a panel that the engine
 * reports.
 */
export const panelResource = {
  attributes: shared,
  relationships: { panel: toOne('panels') },
  filters: {
    client_id: idParameter,
    panel_id: idParameter,
    project_id: idParameter,
    status: panelResourceStatus,
    search: searchParameter,
  },
  sorts: ['name', 'status', 'createdAt'],
} as const
