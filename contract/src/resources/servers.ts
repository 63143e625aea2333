import * as z from 'zod/mini'
import { powerVerb } from '../engine/reasons.ts'
import { moment } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'
import { panelResource, panelResourceStatus, series } from './panel-resource.ts'

export const servers = resource('servers', {
  description: 'A single server inside a panel, as its engine reports it.',
  ...panelResource,
  attributes: {
    ...panelResource.attributes,
    ipv4: z.nullable(z.string()),
    vcpus: z.int(),
    memory_gb: z.number(),
    disk_gb: z.number(),
    /** Share of the processor in use, 0 to 100. */
    cpu_percent: z.number(),
    ipv6: z.nullable(z.string()),
    /** All other addresses. */
    addresses: z.array(z.string()),
    /** The figures that not every engine reports. */
    memory_used_gb: z.nullable(z.number()),
    disk_used_gb: z.nullable(z.number()),
    up_since: z.nullable(moment),
    /** The power actions that are possible now; empty where its engine offers nothing. */
    power: z.array(powerVerb),
  },
  actions: {
    series,
    power: action({
      method: 'POST',
      on: 'one',
      description:
        'Starts, stops or restarts the server, once for each `request_id`, however often it is asked: a request without an answer is repeated with the same one. `waiting`: the engine has begun, and the status follows. `server_power_unanswered` when the engine does not say whether it did it, `server_busy` or `server_power_not_possible` when it did nothing.',
      input: z.strictObject({
        action: powerVerb,
        request_id: z.uuid(),
        /** Without waiting for what runs on it. */
        force: z.optional(z.boolean()),
      }),
      output: z.object({ state: z.enum(['done', 'waiting']), status: panelResourceStatus }),
    }),
  },
})
