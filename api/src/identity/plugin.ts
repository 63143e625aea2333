import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Authenticator } from './actor.ts'
import { identityConfig, type Surroundings } from './config.ts'
import type { Deps } from './deps.ts'
import { prune } from './prune.ts'
import { routes } from './routes.ts'

export type IdentityOptions = Omit<Deps, 'config'> & { readonly env: Surroundings }

const pruneEvery = 3_600_000

/** Clears away what has expired, now and then, in whichever processes run: doing it twice harms nothing. */
function pruneRegularly(app: FastifyInstance, deps: Deps): void {
  const timer = setInterval(() => {
    prune(deps).catch((error: unknown) =>
      app.log.warn({ err: error }, 'expired sign-in data was not cleared away'),
    )
  }, pruneEvery)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** Sign-in, tokens and sessions: the routes of the contract's calls, and `authenticate` for everybody else's. */
export const identity = fp(
  async (app: FastifyInstance, { env, ...options }: IdentityOptions) => {
    const deps: Deps = { ...options, config: identityConfig(env) }
    app.decorate('identity', new Authenticator(deps))
    pruneRegularly(app, deps)
    await app.register(async (scope) => {
      await scope.register(cookie)
      // Only JSON is read, which no form of a foreign page can send without being asked first.
      scope.removeContentTypeParser('text/plain')
      scope.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      })
      routes(scope, deps)
    })
  },
  { name: 'identity' },
)
