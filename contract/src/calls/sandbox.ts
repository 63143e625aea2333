import * as z from 'zod/mini'
import { fault } from '../refusals/fields.ts'
import * as addresses from './addresses.ts'
import { call } from './call.ts'

/** The expiry of a card as people write it. */
export const expiry = z
  .string()
  .check(z.regex(/^(0[1-9]|1[0-2])\s*\/\s*\d{2}$/, fault('card_expiry_invalid')))

export const sandboxCard = call(addresses.sandboxCard, {
  description:
    'The card form of the sandbox: submits a listed test number for a request of `stripe-setup-intents`, by its `provider_ref` and `client_secret`. `card_not_listed` for any other number, which is not stored. Then `confirm` of the request is called. 404 where real cards are accepted.',
  input: z.object({
    ref: z.string().check(z.regex(/^seti_[0-9a-f]{24}$/)),
    client_secret: z.string().check(z.minLength(1), z.maxLength(100)),
    /** Digits, with or without spaces. */
    number: z.string().check(z.regex(/^[\d ]{12,30}$/, fault('card_number_invalid'))),
    expiry,
    cvc: z.string().check(z.regex(/^\d{3,4}$/, fault('card_cvc_invalid'))),
  }),
  output: z.object({
    status: z.enum(['requires_action', 'processing', 'succeeded', 'failed', 'canceled']),
    /** A page on which the cardholder confirms the payment; null when the bank requires no confirmation. */
    challenge_url: z.nullable(z.string()),
    error_code: z.nullable(z.string()),
  }),
})
