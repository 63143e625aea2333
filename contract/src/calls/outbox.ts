import * as z from 'zod/mini'
import { idParameter, integerId, moment } from '../fields.ts'
import * as addresses from './addresses.ts'
import { call } from './call.ts'

// The letters of a demo, for trying it out without a mail server. Portals that are not a demo answer 404.

const head = z.object({
  id: integerId,
  to: z.string(),
  subject: z.string(),
  /** ISO 639-1 code of the language of the letter. */
  language: z.string(),
  created_at: moment,
})

export const outbox = call(addresses.outbox, {
  description:
    'The letters of a demo, the newest first, 30 at a time: `before` is the id of the last that is there already. 404 anywhere else.',
  input: z.object({ before: z.optional(idParameter) }),
  output: z.object({ letters: z.array(head), more: z.boolean() }),
})

export const outboxLetter = call(addresses.outboxLetter, {
  description:
    'One letter of a demo, as text and as the HTML that is to be shown apart from any page. 404 anywhere else.',
  input: z.object({ id: idParameter }),
  output: z.extend(head, {
    text: z.string(),
    html: z.string(),
    /** Replies are read: the page offers to write one as the recipient. */
    answered: z.boolean(),
    /** The names of the attached files. */
    files: z.array(z.string()),
  }),
})

export const answerLetter = call(addresses.answerLetter, {
  description:
    'Answers a letter of a demo by mail as whoever got it, or as somebody who only says so (`forged`): it is read as any mail is. What became of it: `posted`, `unverified` for staff to look into, or `ignored`. 404 anywhere else, and for letters that are not answered.',
  input: z.object({
    id: idParameter,
    text: z.string().check(z.trim(), z.minLength(1), z.maxLength(10_000)),
    forged: z.optional(z.boolean()),
  }),
  output: z.object({ state: z.enum(['posted', 'unverified', 'ignored']) }),
})
