import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'

export const invoiceProformaSeries = resource('invoice-proforma-series', {
  description: 'A series that proformas are numbered in.',
  attributes: { prefix: z.string() },
  sorts: ['prefix'],
})
