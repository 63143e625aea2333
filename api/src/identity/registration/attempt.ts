import * as z from 'zod/mini'

// The registration that a browser began, by the token with which it polls the progress.

/** `elsewhere`: the link was followed in another browser, so this one has to sign in separately. */
export const attemptData = z.object({ contested: z.boolean(), elsewhere: z.optional(z.boolean()) })

export const attemptOf = (token: string, now: Date) =>
  ({ purpose: 'registration', token, binding: '', now }) as const
