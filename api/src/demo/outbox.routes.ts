import { answerLetter, outbox, outboxLetter } from '@portico/contract/calls/outbox.ts'
import type { FastifyInstance } from 'fastify'
import type { Env } from '#config/env.ts'
import type { Pool } from '#platform/db/pool.ts'
import { assertLocalName } from '#platform/http/local-name.ts'
import { serveCall } from '#platform/http/serve-call.ts'
import type { Vault } from '#platform/vault.ts'
import { demoAuthserv } from '#tickets/inbound/inbound-mail-parts.ts'
import type { InboundMailParts } from '#tickets/inbound/mail-in.ts'
import { answer, readLetter, readOutbox } from './outbox.ts'

type Parts = {
  readonly env: Pick<Env, 'seed' | 'publicUrl'>
  readonly pool: Pool
  readonly vault: Vault
  readonly room: InboundMailParts
}

/**
 * Shows what a demo wrote to people, to whoever asks: its accounts are public too. Anywhere else these addresses do not exist,
 * because whoever reads a letter can follow its link.
 */
export async function outboxOfDemo(app: FastifyInstance, { env, pool, vault, room }: Parts): Promise<void> {
  if (env.seed !== 'demo') return
  const box = { pool, vault, publicUrl: env.publicUrl, replies: room.replies }
  app.addHook('onRequest', async (request, reply) => {
    assertLocalName(request)
    reply.header('cache-control', 'no-store')
  })
  serveCall(app, outbox, ({ before }) => readOutbox(box, before))
  serveCall(app, outboxLetter, ({ id }) => readLetter(box, id))
  serveCall(app, answerLetter, (given) => answer({ ...box, room, authserv: demoAuthserv }, given))
}
