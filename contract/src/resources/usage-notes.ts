import * as z from 'zod/mini'
import { idParameter, integerId, line, stamps } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'
import { fault } from '../refusals/fields.ts'

const note = line(500, { required: fault('note_required') })

export const usageNotes = resource('usage-notes', {
  description:
    'A note that explains an unexpected day’s usage: a new price, late data, a correction, or a text of staff. Notes are never changed.',
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
