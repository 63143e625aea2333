import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'

export const invoiceSeries = resource('invoice-series', {
  description: 'A series that invoices or credit notes are numbered in, without gaps.',
  attributes: { prefix: z.string() },
  sorts: ['prefix'],
})
