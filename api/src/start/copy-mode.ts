import * as addresses from '@portico/contract/calls/addresses.ts'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'

/** The writing requests of signing in; every other one would change data. */
const signIn = new Set(
  [
    addresses.login,
    addresses.loginTwoFactor,
    addresses.passkeyOptions,
    addresses.passkeyVerify,
    addresses.confirmSignIn,
    addresses.refreshByPost,
  ].map(({ path }): string => path),
)

/** They write when they are followed, whichever the method: a confirmation, a letter, and an account or a link of it. */
const writingLinks = new Set(
  [addresses.verifyEmail, addresses.resendConfirmation, addresses.google, addresses.googleCallback].map(
    ({ path }): string => path,
  ),
)

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses every change with `copy_mode`, because this installation is a copy of another: people sign in and
 * read. Messages of providers and engines are refused too, and repeated by their senders.
 */
export function refuseChanges(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, routeOptions: { url } }) => {
    if (url === undefined) return
    if (writingLinks.has(url) || !(reads.has(method) || signIn.has(url))) throw refuse('copy_mode')
  })
}
