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
    'The letters of a demo, newest first, 30 at a time: `before` is the id of the last one received. 404 in any other portal.',
  input: z.object({ before: z.optional(idParameter) }),
  output: z.object({ letters: z.array(head), more: z.boolean() }),
})

export const outboxLetter = call(addresses.outboxLetter, {
  description: 'One letter of a demo, as text and as HTML for a sandboxed frame. 404 in any other portal.',
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
    'Answers a letter of a demo by mail, as its recipient or as a forger (`forged`): it is processed like any mail. The outcome: `posted`, `unverified` for staff to review, or `ignored`. 404 in any other portal, and for letters that accept no answer.',
  input: z.object({
    id: idParameter,
    text: z.string().check(z.trim(), z.minLength(1), z.maxLength(10_000)),
    forged: z.optional(z.boolean()),
  }),
  output: z.object({ state: z.enum(['posted', 'unverified', 'ignored']) }),
})
