import {
  register,
  registration,
  resendConfirmation,
  verifyEmail,
} from '@portico/contract/calls/registration.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { letterLimits } from '#identity/config.ts'
import { newToken } from '#identity/crypto.ts'
import { originOf } from '#identity/identity-context.ts'
import { done, type Parts } from '#identity/routes-parts.ts'
import { answerAfterMinimumTime } from '#identity/sign-in/minimum-time.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { resend, verify } from './confirmation.ts'
import * as verbs from './registration.ts'

const presentedBy = (request: FastifyRequest) => request.cookies.register_tx ?? ''

/** The routes to register with an e-mail address and to confirm it. */
export function registrationRoutes(scope: FastifyInstance, { deps, cookies }: Parts): void {
  serveCall(scope, register, (applicant, request, reply) =>
    answerAfterMinimumTime(async () => {
      const asked = { origin: originOf(request), presented: presentedBy(request) }
      const begun = await verbs.register(deps, applicant, asked)
      // Registering a taken address sets the same cookie, with a token that matches nothing.
      cookies.bindRegistration(reply, begun ?? newToken())
      return done
    }),
  )

  serveCall(scope, registration, async (_, request, reply) => {
    const binding = newToken()
    const asked = { presented: presentedBy(request), binding, origin: originOf(request) }
    const { verified, next } = await verbs.progress(deps, asked)
    if (verified) cookies.unbindRegistration(reply)
    if (next === undefined || !('code' in next)) return { verified }
    cookies.bind(reply, binding)
    return { verified, code: next.code }
  })

  serveCall(scope, verifyEmail, async ({ id, hash }, request) => {
    const asked = { id, hash, presented: presentedBy(request), origin: originOf(request) }
    return { ...done, email: await verify(deps, asked) }
  })

  serveCall(scope, resendConfirmation, ({ email }, request) =>
    answerAfterMinimumTime(async () => {
      await resend(deps, email, originOf(request))
      return { ...done, retry_after: letterLimits.minute.window / 1000 }
    }),
  )
}
