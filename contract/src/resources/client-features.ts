import * as z from 'zod/mini'
import { idParameter, integerId, moment, stamps } from '../fields.ts'
import { resource } from '../jsonapi.ts'

export const clientFeatures = resource('client-features', {
  description: 'The optional features that are enabled for an account; only the operator changes them.',
  attributes: {
    client_id: integerId,
    feature: z.enum(['trial', 'clusters', 'domains', 'bank_transfer', 'api_keys', 'einvoice_copy']),
    enabled: z.boolean(),
    payload: z.nullable(z.record(z.string(), z.unknown())),
    expires_at: z.nullable(moment),
    ...stamps,
  },
  filters: { client_id: idParameter },
  sorts: ['createdAt'],
})
