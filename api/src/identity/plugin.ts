import cookie from '@fastify/cookie'
import { hourMs } from '@portico/contract/time.ts'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Authenticator } from '#identity/sessions/authenticator.ts'
import { type IdentityEnv, identityConfig } from './config.ts'
import type { Deps } from './deps.ts'
import { prune } from './prune.ts'
import { reseal } from './reseal.ts'
import { type Additions, routes } from './routes.ts'
import { admitViews } from './views/authenticate-view.ts'

export type IdentityOptions = Omit<Deps, 'config'> & {
  readonly env: IdentityEnv
  readonly additions: Additions
}

const tidyEvery = hourMs

/**
 * Deletes expired rows and reseals values of an older secret, periodically in every process; both are
 * idempotent.
 */
function tidyRegularly(app: FastifyInstance, deps: Deps): void {
  const timer = setInterval(() => {
    prune(deps).catch((error: unknown) =>
      app.log.warn({ err: error }, 'expired sign-in data could not be deleted'),
    )
    reseal(deps).catch((error: unknown) =>
      app.log.warn({ err: error }, 'values of an older token secret could not be resealed'),
    )
  }, tidyEvery)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/**
 * Sign-in, tokens and sessions: the routes of the contract's calls, and `authenticate` for all other routes.
 */
export const identity = fp(
  async (app: FastifyInstance, { env, additions, ...options }: IdentityOptions) => {
    const deps: Deps = { ...options, config: identityConfig(env) }
    app.decorate('identity', new Authenticator(deps))
    admitViews(app, deps)
    tidyRegularly(app, deps)
    await app.register(async (scope) => {
      await scope.register(cookie)
      // Only JSON is accepted, which a foreign page's form cannot send without a CORS preflight.
      scope.removeContentTypeParser('text/plain')
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      })
      routes(scope, deps, additions)
    })
  },
  { name: 'identity' },
)
