import * as z from 'zod/mini'
import { idParameter, integerId, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

export const usageNotes = resource('usage-notes', {
  description: 'Why a day’s use is not what one would expect: a new price, late data, a correction.',
  attributes: {
    usage_id: integerId,
    usage_on: z.iso.date(),
    kind: z.enum(['price_change', 'late_data', 'correction', 'credit', 'estimate', 'staff']),
    note_en: z.string(),
    note_ro: z.string(),
    ...stamps,
  },
  relationships: { usage: toOne('usages') },
  filters: { client_id: idParameter, usage_id: idParameter },
  sorts: ['createdAt', 'usage_on'],
})
