import * as z from 'zod/mini'
import { moment, noInput } from '../fields.ts'
import { action } from '../jsonapi.ts'
import { viewMinutes } from '../rules/view-minutes.ts'

/** The verbs by which staff see an account as its owner does. */
export const viewVerbs = {
  seeAsClient: action({
    method: 'POST',
    on: 'one',
    unkept: true,
    description: `Opens the account as its owner sees it, for ${viewMinutes} minutes: with the token it is read and never changed, and it reads no keys, cards, sign-in methods, files or exports. It rests on the owner’s consent in a ticket that is assigned to the reader, or for administrators on the rule \`views_without_consent\`, of which the owner is written to; without either \`view_not_granted\`. It ends with the session that opened it. The owner’s security log has it with the reason. \`client_not_active\`, \`client_email_unconfirmed\`. Needs a recent sign-in.`,
    input: noInput,
    output: z.object({ token: z.string(), until: moment }),
  }),
  leaveClient: action({
    method: 'POST',
    on: 'one',
    description: 'Ends the reader’s own view of the account at once, if there is one.',
    input: noInput,
    output: z.object({ ended: z.int() }),
  }),
} as const
