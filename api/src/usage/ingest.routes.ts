import { mostUsageBytes, usageEvents, watermark } from '@portico/contract/engine/usage.ts'
import type { FastifyInstance } from 'fastify'
import { bodyOf, type IngestOptions, signedRoute } from '#workspaces/engines/signed-messages.ts'
import { receiveUsage, receiveWatermark } from './ingest.ts'

/** RFC 7240: strict handling accepts a message as a whole or not at all. */
const isStrict = (prefer: string | string[] | undefined) => /\bhandling=strict\b/.test(String(prefer))

/**
 * POST /engine/v1/usage receives a CloudEvents batch of usage, and POST /engine/v1/watermark the time up to
 * which it is complete. Throws `malformed_json`, `webhook_id_reused`, schema errors, and the errors of every
 * signed call.
 */
export async function usageIngest(app: FastifyInstance, options: IngestOptions): Promise<void> {
  const db = options.pool.kysely
  await signedRoute(app, options, {
    url: '/engine/v1/usage',
    contentType: 'application/cloudevents-batch+json',
    mostBytes: mostUsageBytes,
    status: 202,
    answer: (message, { prefer }) => {
      const events = bodyOf(usageEvents, message)
      return receiveUsage(db, { ...message, events, strict: isStrict(prefer) }, options.clock.now())
    },
  })
  await signedRoute(app, options, {
    url: '/engine/v1/watermark',
    contentType: 'application/json',
    mostBytes: 1024,
    status: 200,
    answer: (message) =>
      receiveWatermark(db, message, bodyOf(watermark, message).through, options.clock.now()),
  })
}
