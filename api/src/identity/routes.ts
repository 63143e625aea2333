import { authConfig } from '@portico/contract/calls/auth.ts'
import type { FastifyInstance } from 'fastify'
import { demoAccounts } from '../services/demo-accounts.ts'
import { Cookies } from './cookies.ts'
import type { Deps } from './deps.ts'
import { closingRoutes } from './routes/closing.ts'
import { credentialRoutes } from './routes/credentials.ts'
import { elsewhereOf } from './routes/elsewhere.ts'
import { googleRoutes } from './routes/google.ts'
import { identityRoutes } from './routes/identities.ts'
import type { Parts } from './routes/parts.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { registrationRoutes } from './routes/registration.ts'
import { securityRoutes } from './routes/security.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { twoFactorRoutes } from './routes/two-factor.ts'
import { serveCall } from './serve-call.ts'
import { Throttle } from './throttle.ts'

/** The calls of identity, as the contract declares them. */
export function routes(scope: FastifyInstance, deps: Deps): void {
  const parts: Parts = { deps, cookies: new Cookies(deps.config), throttle: new Throttle(deps) }
  signInRoutes(scope, parts)
  tokenRoutes(scope, parts)
  registrationRoutes(scope, parts)
  credentialRoutes(scope, parts)
  securityRoutes(scope, parts)
  closingRoutes(scope, parts)
  twoFactorRoutes(scope, parts)
  passkeyRoutes(scope, parts)
  const elsewhere = elsewhereOf(scope, parts)
  googleRoutes(scope, elsewhere)
  identityRoutes(scope, elsewhere)
  serveCall(scope, authConfig, async () => ({
    google: deps.config.google !== undefined,
    country_lookup: deps.config.countryLookup,
    demo_accounts: deps.config.demo ? demoAccounts : null,
  }))
}
