import { answerLetter, outbox, outboxLetter } from '@portico/contract/calls/outbox.ts'
import type { FastifyInstance } from 'fastify'
import type { Pool } from './db/pool.ts'
import type { Vault } from './db/vault.ts'
import type { Env } from './env.ts'
import { assertLocalName } from './http/local-name.ts'
import { serveCall } from './identity/serve-call.ts'
import { demoAuthserv } from './mail-room.ts'
import type { MailRoom } from './services/mail-in.ts'
import { answer, readLetter, readOutbox } from './services/outbox.ts'

type Parts = {
  readonly env: Pick<Env, 'seed' | 'publicUrl'>
  readonly pool: Pool
  readonly vault: Vault
  readonly room: MailRoom
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
