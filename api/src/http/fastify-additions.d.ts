import 'fastify'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can add to one of Fastify's own.
  interface FastifyInstance {
    /** The server is about to stop: it answers what comes, and asks every client to go elsewhere next. */
    draining: boolean
  }

  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can add to one of Fastify's own.
  interface FastifyRequest {
    /** The client that asks, once that is known; for the log. */
    clientId: number | undefined
  }

  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can add to one of Fastify's own.
  interface FastifyContextConfig {
    /** Asked for so often by machines that a line for each would drown the others. */
    quiet?: boolean
  }
}
