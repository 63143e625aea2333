import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'

export const invoiceProformaSeries = resource('invoice-proforma-series', {
  description: 'A number series of proformas.',
  attributes: { prefix: z.string() },
  sorts: ['prefix'],
})
