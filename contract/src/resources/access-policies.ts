import * as z from 'zod/mini'
import { stamps } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'

/** The rules of staff's access to accounts. */
export const accessRules = {
  /** Whether administrators may see an account as its owner does without their consent. The owner is written to each time. */
  views_without_consent: z.boolean(),
} as const

export const accessPolicies = resource('access-policies', {
  description: 'The rules of staff’s access to the accounts of clients; one row for the portal.',
  attributes: { ...accessRules, ...stamps },
  actions: {
    editAccess: action({
      method: 'POST',
      on: 'one',
      description:
        'Administrators only: changes the rules. What is no longer allowed ends at once. Needs a recent sign-in.',
      input: z.strictObject(accessRules),
      output: z.object(accessRules),
    }),
  },
})
