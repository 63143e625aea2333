import { isUtf8 } from 'node:buffer'
import { nameFaults } from '@portico/contract/refusals/schema-faults.ts'
import { base, mediaType } from '@portico/contract/wire.ts'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'
import { type Model, modelsOf } from '#platform/jsonapi/declare/model.ts'
import { actionRoutes } from './action-routes.ts'
import type { Engine, Options } from './engine.ts'
import { exportRoute } from './export-routes.ts'
import { relationshipRoutes } from './relationship-routes.ts'
import { itemRoutes, typeRoutes } from './routes.ts'

nameFaults()

function routesOf(engine: Engine, model: Model): void {
  typeRoutes(engine, model)
  itemRoutes(engine, model)
  actionRoutes(engine, model)
  exportRoute(engine, model)
  for (const relation of model.relations.values()) relationshipRoutes(engine, model, relation)
}

/**
 * Serves every declared type by JSON:API 1.1 under /api/v1. Clients of 1.0 are served the same documents. Bodies are taken
 * as text and parsed here, because what media type and what JSON is acceptable is JSON:API's to say.
 */
export async function jsonapi(app: FastifyInstance, options: Options): Promise<void> {
  const models = modelsOf(options.served)
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
        // Decoding would put replacement characters where half a surrogate was, and store what nobody wrote.
        if (typeof body === 'string' || isUtf8(body)) done(null, body.toString())
        else done(refuse('body_not_utf8'))
      })
      scope.addHook('onSend', (_request, reply, payload, done) => {
        // Fastify adds a charset to every JSON; JSON:API forbids one.
        if (reply.getHeader('content-type') === `${mediaType}; charset=utf-8`)
          reply.header('content-type', mediaType)
        done(null, payload)
      })
      const engine = { ...options, app: scope, models, queries: new Map(), rendered: new Map() }
      for (const model of models.values()) routesOf(engine, model)
    },
    { prefix: base },
  )
}
