import * as z from 'zod/mini'
import { idParameter, integerId, line, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

const note = line(500, { required: fault('note_required') })

export const usageNotes = resource('usage-notes', {
  description:
    'Why a day’s use is not what one would expect: a new price, late data, a correction, or what staff wrote. Notes stay as they are.',
  attributes: {
    usage_id: integerId,
    usage_on: z.iso.date(),
    kind: z.enum(['price_change', 'late_data', 'correction', 'credit', 'estimate', 'staff']),
    note_en: note,
    note_ro: note,
    ...stamps,
  },
  relationships: { usage: toOne('usages') },
  create: ['note_en', 'note_ro', 'usage'],
  filters: { client_id: idParameter, usage_id: idParameter },
  sorts: ['createdAt', 'usage_on'],
})
