import * as z from 'zod/mini'
import { resource } from '../jsonapi.ts'

export const currencies = resource('currencies', {
  description: 'A currency accounts can be kept in (ISO 4217).',
  attributes: { code: z.string(), name: z.string(), symbol: z.string(), decimals: z.int() },
  sorts: ['name', 'code'],
})
