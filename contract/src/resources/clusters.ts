import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { panelResource, series } from './panel-resource.ts'

export const clusters = resource('clusters', {
  description: 'A cluster of nodes inside a panel, as its engine reports it.',
  ...panelResource,
  attributes: {
    ...panelResource.attributes,
    nodes: z.int(),
    nodes_ready: z.int(),
    vcpus: z.int(),
    memory_gb: z.number(),
    cpu_percent: z.number(),
  },
  actions: { series },
})
