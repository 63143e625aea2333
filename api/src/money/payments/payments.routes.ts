import { hkdfSync } from 'node:crypto'
import { sandboxCard } from '@portico/contract/calls/sandbox.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Env } from '#config/env.ts'
import { makePayments, type Payments } from '#money/payments/providers/providers.ts'
import { sandboxPage } from '#money/payments/providers/sandbox/sandbox-page.ts'
import { sandboxStore } from '#money/payments/providers/sandbox/sandbox-store.ts'
import { pages } from '#notifications/letters/words.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { routeNotFound } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/language.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import type { Vault } from '#platform/vault.ts'
import { receiveWebhook } from './inbox.ts'
import { paymentScopeOn } from './payment-scope.ts'

/**
 * The secret of the sandbox's signatures: the same for all replicas, and not guessable without the portal's
 * secret.
 */
function sandboxSecret(tokenSecret: string): string {
  const [first = ''] = tokenSecret.split(',')
  return `whsec_${Buffer.from(hkdfSync('sha256', first.trim(), '', 'portico sandbox', 32)).toString('base64')}`
}

/** The configured payment provider; `env` is read at each use. */
export const paymentsOf = (
  env: Pick<Env, 'stripe' | 'publicUrl'> & Partial<Pick<Env, 'sandbox'>>,
  { pool, clock, secret }: { pool: Pool; clock: Clock; secret: string },
): Payments => {
  const { publicUrl } = env
  return makePayments(env, { store: sandboxStore(pool), clock, secret: sandboxSecret(secret), publicUrl })
}

type Parts = { readonly pool: Pool; readonly vault: Vault; readonly payments: Payments }

// Stripe's largest messages have some hundred kilobytes; a larger content length is refused unread.
const mostBytes = 524_288

const forged = () => refuse('signature_invalid')

/**
 * POST /webhooks/{provider}: receives a provider's messages. 200 for every genuine message, also repeated;
 * 401 `signature_invalid` for anything else: before the body is read where the headers show it, and before
 * anything is parsed.
 */
async function webhooks(app: FastifyInstance, parts: Parts): Promise<void> {
  const ids = ['stripe', 'sandbox'] as const
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const config = { rateLimit: { max: 3000 } }
    // A single statement is its own transaction.
    const paymentScope = {
      ...paymentScopeOn(parts),
      within: <T>(work: (db: Database) => Promise<T>) => work(parts.pool.kysely),
    }
    for (const id of ids) {
      // Only the provider in use has an address.
      const preParsing = async (request: FastifyRequest) => {
        const provider = parts.payments.of(id)
        if (provider === undefined) throw routeNotFound(request)
        if (!provider.maySign(request.headers)) throw forged()
      }
      scope.post(
        `/webhooks/${id}`,
        { bodyLimit: mostBytes, config, preParsing },
        async ({ body, headers }, reply) => {
          const raw = { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers }
          if (!(await receiveWebhook(paymentScope, id, raw))) throw forged()
          return reply.code(200).type('application/json; charset=utf-8').send('{"received":true}')
        },
      )
    }
  })
}

function cardForm(app: FastifyInstance, payments: Payments): void {
  serveCall(app, sandboxCard, async ({ ref, client_secret, number, expiry }) => {
    const [month = '', year = ''] = expiry.split('/')
    const seen = await payments.sandbox?.enterCard(ref, {
      clientSecret: client_secret,
      number: number.replaceAll(' ', ''),
      expMonth: Number(month),
      expYear: 2000 + Number(year),
    })
    if (seen === undefined) throw refuse('not_found', { type: 'setup-intents' })
    if (seen === null)
      throw refuse(
        'card_not_listed',
        {},
        {
          source: { pointer: '/number' },
        },
      )
    return { status: seen.status, challenge_url: seen.challengeUrl, error_code: seen.errorCode }
  })
}

/** Registers the routes of provider webhooks, and of the sandbox's form and bank page. */
export async function paymentRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  await webhooks(app, parts)
  cardForm(app, parts.payments)
  await sandboxPage(app, parts.payments, {
    backTo: ({ kind, id }) =>
      kind === 'payment' ? `${pages.payment}?transaction=${id}` : `${pages.newCard}?setup=${id}`,
    languageOf,
  })
}
