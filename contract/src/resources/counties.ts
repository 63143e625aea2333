import * as z from 'zod/mini'
import { idParameter, integerId } from '../fields.ts'
import { resource, toOne } from '../jsonapi.ts'

export const counties = resource('counties', {
  description: 'A county of a country whose invoices must name one; its code is that of ISO 3166-2.',
  attributes: { name: z.string(), code: z.string(), country_id: integerId },
  relationships: { country: toOne('countries') },
  filters: { country_id: idParameter },
  sorts: ['name', 'code'],
})
