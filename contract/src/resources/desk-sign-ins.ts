import * as z from 'zod/mini'
import type { securityEventKinds } from '../calls/account/security.ts'
import { idParameter, integerId, moment } from '../fields.ts'
import { resource } from '../jsonapi.ts'

/** The events that say who was let in, and who was not. */
export const signInKinds = [
  'signed-in',
  'sign-in-failed',
  'sign-in-blocked',
  'signed-out',
  'session-ended',
  'refresh-reuse',
  'two-factor-failed',
  'recovery-code-used',
] as const satisfies readonly (typeof securityEventKinds)[number][]

export const deskSignIns = resource('desk-sign-ins', {
  description: 'A sign-in of a client, or an attempt, for staff. Those of staff are not among them.',
  attributes: {
    client_id: integerId,
    kind: z.enum(signInKinds),
    at: moment,
    ip: z.nullable(z.string()),
    /** As the browser named itself. */
    user_agent: z.nullable(z.string()),
  },
  filters: { client_id: idParameter },
  sorts: ['at'],
})
