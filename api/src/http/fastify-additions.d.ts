import 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The server is about to stop: it answers what comes, and asks every client to go elsewhere next. */
    draining: boolean
  }

  interface FastifyRequest {
    /** The client that asks, once that is known; for the log. */
    clientId: number | undefined
  }

  interface FastifyContextConfig {
    /** Asked for so often by machines that a line for each would drown the others. */
    quiet?: boolean
  }
}
