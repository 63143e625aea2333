import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { panelResource } from './panel-resource.ts'

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
  },
})
