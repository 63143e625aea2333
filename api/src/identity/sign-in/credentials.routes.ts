import { changeEmail, changePassword } from '@portico/contract/calls/account/security.ts'
import {
  checkReset,
  confirmEmail,
  forgotPassword,
  resetPassword,
  undoEmail,
} from '@portico/contract/calls/registration.ts'
import type { FastifyInstance } from 'fastify'
import { originOf } from '#identity/identity-context.ts'
import { done, type Parts } from '#identity/routes-parts.ts'
import { confirmChange, requestChange, undoChange } from '#identity/security/email.ts'
import { assertRecent, authenticateRecent } from '#identity/sessions/recent.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { answerAfterMinimumTime } from './minimum-time.ts'
import * as verbs from './password.ts'

function passwordRoutes(scope: FastifyInstance, { deps, cookies, throttle }: Parts): void {
  serveCall(scope, forgotPassword, ({ email }, request) =>
    answerAfterMinimumTime(async () => {
      await verbs.forgot(deps, email, originOf(request))
      return done
    }),
  )

  serveCall(scope, checkReset, async ({ token }) => ({
    ...done,
    email: await verbs.checkReset(deps, token),
  }))

  serveCall(scope, resetPassword, async ({ token, password }, request, reply) => {
    const device = await verbs.reset(deps, throttle, { token, password, origin: originOf(request) })
    if (device !== undefined) cookies.recognise(reply, device)
    return done
  })

  serveCall(scope, changePassword, async ({ current_password, password }, request) => {
    const actor = await authenticateRecent(deps, request)
    const asked = { current: current_password, password, origin: originOf(request) }
    await verbs.change(deps, throttle, actor, asked)
    return done
  })
}

function emailRoutes(scope: FastifyInstance, { deps }: Parts): void {
  serveCall(scope, changeEmail, async ({ email }, request) => {
    const actor = await scope.identity.signedIn(request)
    // A person who mistyped their address at registration has nothing that a hijacked session could steal.
    if (actor.emailVerified) await assertRecent(deps, actor)
    return answerAfterMinimumTime(async () => {
      await requestChange(deps, actor, { email, origin: originOf(request) })
      return done
    })
  })

  serveCall(scope, confirmEmail, async ({ token }, request) => ({
    ...done,
    email: await confirmChange(deps, token, originOf(request)),
  }))

  serveCall(scope, undoEmail, async ({ token }, request) => ({
    ...done,
    email: await undoChange(deps, token, originOf(request)),
  }))
}

/** The routes to change password or address, signed in or by a link. */
export function credentialRoutes(scope: FastifyInstance, parts: Parts): void {
  passwordRoutes(scope, parts)
  emailRoutes(scope, parts)
}
