import * as z from 'zod/mini'
import { integerId, language, moment } from '../fields.ts'
import { clientEntities } from '../resources/client-entities.ts'
import { clients } from '../resources/clients.ts'
import * as addresses from './addresses.ts'
import { call } from './call.ts'

const { createdAt, updatedAt, ...ofClient } = clients.attributes
const { createdAt: entityCreatedAt, updatedAt: entityUpdatedAt, ...ofEntity } = clientEntities.attributes

/** The accounts whose resources of a kind the person can access, their own first. */
const reach = z.array(integerId)

/** The signed-in person, with everything the portal's shell needs to know about them. */
export const user = z.object({
  id: integerId,
  ...ofClient,
  /** ISO 639-1 code of `language_id`. */
  language: z.string(),
  clientEntity: z.nullable(z.object({ id: integerId, ...ofEntity })),
  /** The version of the terms of service that they have to accept before they go on; null: none. */
  terms_due: z.nullable(z.string()),
  access: z.object({ billing: reach, tickets: reach, my_workspaces: reach }),
  /** Their role among the operator's staff, who read and answer tickets; null for clients. */
  staff: z.nullable(
    z.object({
      id: integerId,
      display_name: z.string(),
      role: z.enum(['support', 'billing', 'admin', 'readonly']),
      /** Whether they can open only their sign-in settings until they turn on two-factor authentication. */
      needs_second_factor: z.boolean(),
    }),
  ),
  /** Set where a member of staff sees the account as the person does: who, and until when. */
  view: z.nullable(z.object({ by: z.string(), until: moment })),
})
export type User = z.output<typeof user>

export const currentUser = call(addresses.currentUser, {
  description: 'The signed-in person.',
  input: z.object({}),
  output: user,
})

export const chooseLanguage = call(addresses.chooseLanguage, {
  description:
    'Saves the language of the signed-in person: for their letters, and for browsers where none was chosen.',
  input: z.object({ language }),
  output: z.object({ status: z.boolean() }),
})

export const logout = call(addresses.logout, {
  description:
    'Ends the session at once and clears the cookies. Only the bearer header counts, so no foreign page can call it.',
  input: z.object({}),
  output: z.object({ status: z.boolean() }),
})
