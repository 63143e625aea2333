import * as z from 'zod/mini'
import { countryCode, searchParameter } from '../fields.ts'
import { resource, toMany } from '../jsonapi.ts'

export const countries = resource('countries', {
  description: 'A country or territory of ISO 3166-1, with its dial code.',
  attributes: {
    name: z.string(),
    name_ro: z.string(),
    code: z.string(),
    dial_code: z.string(),
    is_eu: z.boolean(),
    vat_prefix: z.nullable(z.string()),
  },
  relationships: { counties: toMany('counties') },
  filters: { code: countryCode, search: searchParameter },
  sorts: ['name', 'name_ro', 'code'],
})
