import { unsubscribe as unsubscribeCall } from '@portico/contract/calls/account/account.ts'
import type { FastifyInstance } from 'fastify'
import type { Pool } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import type { Vault } from '#platform/vault.ts'
import { unsubscribe } from './unsubscribe.ts'

type Parts = { readonly pool: Pool; readonly vault: Vault }

/**
 * The route that turns off letters with news. Mail programs post to it by themselves, as RFC 8058 has it, and the page of the
 * same address when its button is pressed; a GET, which link scanners send, changes nothing.
 */
export async function unsubscribeRoutes(app: FastifyInstance, { pool, vault }: Parts): Promise<void> {
  await app.register(async (scope) => {
    // The link says everything, so the form that mail programs send is not read.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, {}))
    serveCall(scope, unsubscribeCall, async ({ token }) => {
      await transact(pool.kysely, 'read write', (tx) => unsubscribe(tx, vault, token))
      return { status: true as const }
    })
  })
}
