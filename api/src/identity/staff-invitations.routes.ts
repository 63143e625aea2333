import { acceptStaffInvitation, checkStaffInvitation } from '@portico/contract/calls/staff-invitation.ts'
import type { FastifyInstance } from 'fastify'
import { serveCall } from '#platform/http/serve-call.ts'
import { newToken } from './crypto.ts'
import { originOf } from './identity-context.ts'
import type { Parts } from './routes-parts.ts'
import { acceptInvitation, checkInvitation } from './staff-invitations.ts'

/** The routes by which an invited person joins the staff. */
export function staffInvitationRoutes(scope: FastifyInstance, { deps, cookies }: Parts): void {
  serveCall(scope, checkStaffInvitation, ({ token }, request) =>
    checkInvitation(deps, { token, origin: originOf(request) }),
  )

  serveCall(scope, acceptStaffInvitation, async ({ token, password }, request, reply) => {
    const binding = newToken()
    const code = await acceptInvitation(deps, { token, password, binding, origin: originOf(request) })
    cookies.bind(reply, binding)
    return { code }
  })
}
