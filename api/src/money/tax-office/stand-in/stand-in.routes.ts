import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { StandInOffice } from './stand-in-office.ts'

/** Where the office of a demo answers, on the portal's own port. */
export const standInPath = '/tax-office'

// Uploads have up to ten megabytes at the office; those of a demo are small.
const mostBytes = 1_048_576

/** Serves the calls of an office of our own. */
export async function standInRoutes(app: FastifyInstance, office: StandInOffice): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.all(
      `${standInPath}/*`,
      { bodyLimit: mostBytes, config: { rateLimit: { max: 3000 } } },
      async ({ method, url, headers: { authorization }, body }, reply) => {
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const answer = office.answer({ method, url, authorization, body: bytes })
        if (answer === null) {
          reply.hijack()
          reply.raw.destroy()
          return reply
        }
        if (answer.afterMs !== undefined) await sleep(answer.afterMs)
        if (answer.location !== undefined) return reply.redirect(answer.location)
        return reply
          .code(answer.status)
          .type(answer.type ?? 'text/plain')
          .send(answer.body)
      },
    )
  })
}
