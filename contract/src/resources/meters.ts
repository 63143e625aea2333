import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'
import { meterCode } from './usages.ts'

export const meters = resource('meters', {
  description: 'What usage is measured in. Engines send all of them but those of the portal itself.',
  attributes: {
    code: meterCode,
    unit: z.string(),
    /** Counted by the portal: the hours of plans. */
    by_portal: z.boolean(),
  },
  filters: { code: meterCode },
  sorts: ['code'],
})
