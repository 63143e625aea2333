import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cookies } from '#identity/sessions/cookies.ts'
import type { Opened } from '#identity/sessions/sessions.ts'
import type { Throttle } from '#identity/sign-in/throttle.ts'
import type { Deps } from './deps.ts'
import { keepsOwnTokens } from './identity-context.ts'

/** Shared by the routes of identity. */
export type Parts = { readonly deps: Deps; readonly cookies: Cookies; readonly throttle: Throttle }

/** Signs an access token for a session, and sets both tokens as cookies for a browser. */
export async function issueTokens(
  cookies: Cookies,
  opened: Opened,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const accessToken = await request.server.identity.tokens.sign(opened)
  if (!keepsOwnTokens(request)) cookies.open(reply, accessToken, opened)
  return accessToken
}

/** The response of a call without output. */
export const done = { status: true } as const
