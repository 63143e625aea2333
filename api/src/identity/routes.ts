import { authConfig } from '@portico/contract/calls/auth.ts'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { externalSignInOf } from '#identity/external/external.routes.ts'
import { googleRoutes } from '#identity/external/google.routes.ts'
import { identityRoutes } from '#identity/external/identities.routes.ts'
import { firstAdminRoutes } from '#identity/first-admin/first-admin.routes.ts'
import { registrationRoutes } from '#identity/registration/registration.routes.ts'
import { securityRoutes } from '#identity/security/security.routes.ts'
import { Cookies } from '#identity/sessions/cookies.ts'
import { tokenRoutes } from '#identity/sessions/tokens.routes.ts'
import { credentialRoutes } from '#identity/sign-in/credentials.routes.ts'
import { passkeyRoutes } from '#identity/sign-in/passkeys/passkeys.routes.ts'
import { signInRoutes } from '#identity/sign-in/sign-in.routes.ts'
import { Throttle } from '#identity/sign-in/throttle.ts'
import { twoFactorRoutes } from '#identity/sign-in/two-factor/two-factor.routes.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import type { Deps } from './deps.ts'
import type { Parts } from './routes-parts.ts'
import { staffInvitationRoutes } from './staff-invitations.routes.ts'

/**
 * Extensions from higher rooms: calls that need the session's cookies, and demo accounts for the sign-in
 * page.
 */
export type Additions = {
  readonly calls: readonly ((scope: FastifyInstance, parts: Parts) => void)[]
  readonly demoAccounts: z.output<typeof authConfig.output>['demo_accounts']
}

/** The routes of identity, as the contract declares them. */
export function routes(scope: FastifyInstance, deps: Deps, { calls, demoAccounts }: Additions): void {
  const parts: Parts = { deps, cookies: new Cookies(deps.config), throttle: new Throttle(deps) }
  signInRoutes(scope, parts)
  tokenRoutes(scope, parts)
  registrationRoutes(scope, parts)
  credentialRoutes(scope, parts)
  securityRoutes(scope, parts)
  twoFactorRoutes(scope, parts)
  passkeyRoutes(scope, parts)
  staffInvitationRoutes(scope, parts)
  firstAdminRoutes(scope, parts)
  for (const add of calls) add(scope, parts)
  const externalSignIn = externalSignInOf(scope, parts)
  googleRoutes(scope, externalSignIn)
  identityRoutes(scope, externalSignIn)
  const readConfig = async () => ({
    google: deps.config.google !== undefined,
    mail: deps.config.sendsMail,
    country_lookup: deps.config.countryLookup,
    demo_accounts: demoAccounts,
  })
  // Anybody reads it, and so does the portal that staff see as a client.
  serveCall(scope, authConfig, readConfig, { views: true })
}
