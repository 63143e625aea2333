import 'fastify'
import type { Stage } from './connections/drain.ts'

declare module 'fastify' {
  interface FastifyInstance {
    stage: Stage
  }

  interface FastifyRequest {
    /** The client that asks, once that is known; for the log. */
    clientId: number | undefined
  }

  interface FastifyContextConfig {
    /** Asked for so often by machines that a line for each would drown the others. */
    quiet?: boolean
    /** Its body is large, and may take as long as the server gives any request. */
    slowBody?: boolean
  }
}
