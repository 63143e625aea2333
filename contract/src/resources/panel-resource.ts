import * as z from 'zod/mini'
import { reasonCode } from '../engine/reasons.ts'
import { idParameter, integerId, moment, noInput, searchParameter, stamps } from '../fields.ts'
import { action, toOne } from '../jsonapi.ts'

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

const values = z.array(z.nullable(z.number()))

/** The last day of a server or cluster. */
export const series = action({
  method: 'GET',
  on: 'one',
  fresh: 60,
  description:
    'The last 24 hours in steps of five minutes, oldest first, as the engine measured them; null: not measured. It is asked each time and not stored. `engine_without_readings` where the engine offers none.',
  input: noInput,
  output: z.object({
    /** The beginning of the first step. */
    start: z.string(),
    step_seconds: z.int(),
    cpu_percent: values,
    memory_gb: values,
    disk_gb: values,
    /** Its outgoing traffic in each step. */
    out_mb: values,
  }),
})
