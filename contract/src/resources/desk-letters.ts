import * as z from 'zod/mini'
import { idParameter, integerId, moment, noInput } from '../fields.ts'
import { action, resource } from '../jsonapi.ts'

const states = ['waiting', 'sent', 'failed', 'dropped'] as const

const moved = z.object({ state: z.enum(states) })

export const deskLetters = resource('desk-letters', {
  description:
    'A letter of the last 90 days, without its text, which may hold a link that opens an account. For staff.',
  attributes: {
    recipient: z.string(),
    /** The client who has this address now; null: none. */
    client_id: z.nullable(integerId),
    kind: z.string(),
    /** ISO 639-1. */
    language: z.string(),
    /** Its text is kept for a week after it was sent, and holds no secret, so staff can send it again. */
    repeatable: z.boolean(),
    /** `failed`: given up after its last attempt; `dropped`: given up by staff. */
    state: z.enum(states),
    attempts: z.int(),
    /** The answer of the mail server to the latest attempt. */
    last_error: z.nullable(z.string()),
    /** Before this moment it is not sent. */
    send_at: moment,
    sent_at: z.nullable(moment),
    failed_at: z.nullable(moment),
    createdAt: moment,
  },
  filters: {
    state: z.enum(states),
    /** Letters to the present address of a client. */
    client_id: idParameter,
  },
  sorts: ['createdAt'],
  actions: {
    retry: action({
      method: 'POST',
      on: 'one',
      description:
        'Sends a failed letter again, as it was written; its text is kept for a week. `letter_not_failed` when it has none any more, or was sent.',
      input: noInput,
      output: moved,
    }),
    resend: action({
      method: 'POST',
      on: 'one',
      keyed: true,
      description:
        'Sends a letter again that was sent, in the same words and to the same address, as another letter. `letter_address_left` where no client gets letters at that address any more, `letters_most` beyond 30 in an hour; many to one address wait their turn. `letter_not_kept` after a week, and for letters with a link that opens something, whose text is deleted once they are sent.',
      input: noInput,
      output: z.object({ letter_id: integerId }),
    }),
    drop: action({
      method: 'POST',
      on: 'one',
      description:
        'Gives up a letter that waits, and deletes its text. `letter_not_waiting` for others. Needs a recent sign-in.',
      input: noInput,
      output: moved,
    }),
  },
})
