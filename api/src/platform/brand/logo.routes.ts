import type { FastifyInstance } from 'fastify'
import type { Pool } from '#platform/db/pool.ts'
import { routeNotFound } from '#platform/http/errors.ts'
import { logoPath } from './brand.ts'

/** Serves the logo under the path of its bytes; every other one is gone. */
export function serveLogo(app: FastifyInstance, pool: Pool): void {
  app.get<{ Params: { file: string } }>('/brand/:file', async (request, reply) => {
    const row = await pool.kysely
      .selectFrom('brands')
      .select(['logo', 'logo_type', 'logo_sha256'])
      .where('logo', 'is not', null)
      .executeTakeFirst()
    const { logo, logo_type: type, logo_sha256: hash } = row ?? {}
    if (!logo || !type || !hash || logoPath(type, hash) !== `/brand/${request.params.file}`)
      throw routeNotFound(request)
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'content-type': type })
      .send(logo)
  })
}
