import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { meterCode } from './usages.ts'

export const meters = resource('meters', {
  description: 'A measure of usage. Engines send all of them except those of the portal itself.',
  attributes: {
    code: meterCode,
    unit: z.string(),
    /** Counted by the portal: the hours of plans. */
    by_portal: z.boolean(),
  },
  filters: { code: meterCode },
  sorts: ['code'],
})
