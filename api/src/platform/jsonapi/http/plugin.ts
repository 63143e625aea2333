import { isUtf8 } from 'node:buffer'
import { nameFaults } from '@portico/contract/refusals/schema-faults.ts'
import { base, mediaType } from '@portico/contract/wire.ts'
import type { FastifyInstance } from 'fastify'
import { refuse } from '#platform/errors/problem.ts'
import { type Model, modelsOf } from '#platform/jsonapi/declare/model.ts'
import { actionRoutes } from './action-routes.ts'
import type { Engine, Options } from './engine.ts'
import { exportRoute } from './export-routes.ts'
import { refuseOthers } from './offered.ts'
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
 * Serves every declared type by JSON:API 1.1 under /api/v1; clients of 1.0 get the same documents. Bodies are
 * read as text and parsed here, because JSON:API defines which media types and documents are acceptable.
 */
export async function jsonapi(app: FastifyInstance, options: Options): Promise<void> {
  const models = modelsOf(options.served)
  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
        // Decoding would replace invalid UTF-8 with replacement characters and store text that nobody wrote.
        if (typeof body === 'string' || isUtf8(body)) done(null, body.toString())
        else done(refuse('body_not_utf8'))
      })
      scope.addHook('onSend', (_request, reply, payload, done) => {
        // Fastify adds a charset to every JSON response; JSON:API forbids it.
        if (reply.getHeader('content-type') === `${mediaType}; charset=utf-8`)
          reply.header('content-type', mediaType)
        done(null, payload)
      })
      const engine = {
        ...options,
        app: scope,
        models,
        offered: new Map(),
        queries: new Map(),
        rendered: new Map(),
      }
      for (const model of models.values()) routesOf(engine, model)
      refuseOthers(engine, base)
    },
    { prefix: base },
  )
}
