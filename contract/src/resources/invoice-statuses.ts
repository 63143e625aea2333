import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'

/** The states of a document, by their codes. */
export const invoiceStatus = z.enum([
  'draft',
  'unpaid',
  'partially_paid',
  'paid',
  'overdue',
  'cancelled',
  'expired',
  'refunded',
])

export const invoiceStatuses = resource('invoice-statuses', {
  description: 'A state of a document, with its displayed name.',
  attributes: { code: invoiceStatus, name_en: z.string(), name_ro: z.string() },
  sorts: ['name_en', 'name_ro'],
})
