import { engineEvents } from '@portico/contract/engine/events.ts'
import type { FastifyInstance } from 'fastify'
import { receive } from './engine-events.ts'
import { bodyOf, type IngestOptions, signedRoute } from './signed-messages.ts'

// 500 events with long names are about 300 kB.
const mostBytes = 1_048_576

/**
 * POST /engine/v1/events: receives events from engines. Answers a receipt; a repeated message gets the same
 * receipt and changes nothing. Throws `malformed_json`, `webhook_id_reused`, schema errors, and the errors of
 * every signed call.
 */
export async function engineIngest(app: FastifyInstance, options: IngestOptions): Promise<void> {
  await signedRoute(app, options, {
    url: '/engine/v1/events',
    contentType: 'application/json',
    mostBytes,
    status: 200,
    answer: (message) =>
      receive(
        options.pool.kysely,
        { ...message, events: bodyOf(engineEvents, message).events },
        options.clock.now(),
      ),
  })
}
