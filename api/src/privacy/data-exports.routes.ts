import { dataExports, startExport } from '@portico/contract/calls/account/account.ts'
import { exportFile } from '@portico/contract/calls/account/addresses.ts'
import { idParameter } from '@portico/contract/fields.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { authenticate } from '#identity/sessions/authenticator.ts'
import { assertRecent } from '#identity/sessions/recent.ts'
import type { Clock } from '#platform/clock.ts'
import type { Pool } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { FileStorage } from '#platform/files/file-storage.ts'
import { openFile } from '#platform/files/stored-files.ts'
import { attachment } from '#platform/http/attachment.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import { exportFileOf, exportsOf, requestExport } from './data-exports.ts'

type Parts = {
  readonly pool: Pool
  readonly clock: Clock
  readonly storage: Pick<FileStorage, 'read'>
}

/** The requesting client: staff have no account of their own here. */
async function client(request: FastifyRequest) {
  const actor = await authenticate(request)
  if (actor.kind !== 'client') throw refuse('account_holders_only')
  return actor
}

/**
 * The routes of a person's data exports. The account follows from the session alone, so another's cannot be
 * named; the download needs a recent sign-in, because the file holds everything at once.
 */
export async function dataExportRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const { pool, clock, storage } = parts
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    serveCall(scope, dataExports, async (_, request) => ({
      exports: await exportsOf(pool.kysely, (await client(request)).id, clock.now()),
    }))
    serveCall(scope, startExport, async (_, request) => {
      const { id } = await client(request)
      return transact(pool.kysely, 'read write', (tx) => requestExport(tx, id, clock.now()))
    })
    scope.get<{ Params: { id: string } }>(exportFile.path, async (request, reply) => {
      const actor = await client(request)
      await assertRecent(parts, actor)
      const { data: id } = z.safeParse(idParameter, request.params.id)
      if (id === undefined) throw refuse('data_export_not_found')
      const { file, size, made } = await exportFileOf(pool.kysely, actor.id, { id, now: clock.now() })
      const content = await openFile({ pool, storage }, file)
      return reply
        .headers({
          'content-disposition': attachment(`portico-${made.slice(0, 10)}.zip`),
          'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
          'content-length': size,
        })
        .type('application/zip')
        .send(content)
    })
  })
}
