import { outboxFile } from '@portico/contract/calls/addresses.ts'
import { answerLetter, outbox, outboxLetter } from '@portico/contract/calls/outbox.ts'
import { idParameter } from '@portico/contract/fields.ts'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { Env } from '#config/env.ts'
import type { Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { StoredFiles } from '#platform/files/stored-files.ts'
import { attachment } from '#platform/http/attachment.ts'
import { assertLocalName } from '#platform/http/local-name.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import type { Vault } from '#platform/vault.ts'
import { demoAuthserv } from '#tickets/inbound/inbound-mail-parts.ts'
import type { InboundMailParts } from '#tickets/inbound/mail-in.ts'
import { answer, type Outbox, readLetter, readLetterFile, readOutbox } from './outbox.ts'

const fileAsked = z.object({ id: idParameter, name: z.string() })

/** Serves the files of letters to readers of the outbox. */
function serveFile(app: FastifyInstance, box: Outbox): void {
  app.get(outboxFile.path, async (request, reply) => {
    const asked = z.safeParse(fileAsked, request.params)
    if (!asked.success) throw refuse('address_not_found', { path: request.url })
    const { filename, contentType, content } = await readLetterFile(box, asked.data.id, asked.data.name)
    return reply.header('content-disposition', attachment(filename)).type(contentType).send(content)
  })
}

type Parts = {
  readonly env: Pick<Env, 'seed' | 'publicUrl'>
  readonly pool: Pool
  readonly vault: Vault
  readonly room: InboundMailParts
  readonly storage: StoredFiles['storage']
}

/**
 * Shows the demo's outgoing letters publicly, like its accounts. Other installations have no such routes,
 * because a reader of a letter can follow its link.
 */
export async function outboxOfDemo(app: FastifyInstance, parts: Parts): Promise<void> {
  const { env, pool, vault, room, storage } = parts
  if (env.seed !== 'demo') return
  const box = { pool, vault, storage, publicUrl: env.publicUrl, replies: room.replies }
  app.addHook('onRequest', async (request, reply) => {
    assertLocalName(request)
    reply.header('cache-control', 'no-store')
  })
  serveCall(app, outbox, ({ before }) => readOutbox(box, before))
  serveCall(app, outboxLetter, ({ id }) => readLetter(box, id))
  serveFile(app, box)
  serveCall(app, answerLetter, (given) => answer({ ...box, room, authserv: demoAuthserv }, given))
}
