import 'fastify'
import type { Stage } from './connections/drain.ts'

declare module 'fastify' {
  interface FastifyInstance {
    stage: Stage
  }

  interface FastifyRequest {
    /** The client of the request once it is authenticated, for the log. */
    clientId: number | undefined
  }

  interface FastifyContextConfig {
    /** Not logged: machines request it so often that its lines would drown the others. */
    quiet?: boolean
    /** The body is large and may take the server's maximum time. */
    slowBody?: boolean
    /** Answered to staff who see an account as its owner does. */
    views?: boolean
  }
}
