import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'

export const invoiceSeries = resource('invoice-series', {
  description: 'A number series of invoices or credit notes, without gaps.',
  attributes: { prefix: z.string() },
  sorts: ['prefix'],
})
