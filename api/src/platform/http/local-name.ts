import type { FastifyRequest } from 'fastify'
import { isThisMachine } from '#config/env-values.ts'
import { refuse } from '#platform/errors/problem.ts'

/**
 * Lets in only requests that name this machine as their host. A foreign page can make its own name lead to this machine (DNS
 * rebinding), and would then read what is served to everyone here.
 */
export function assertLocalName({ headers: { host } }: FastifyRequest): void {
  const name = host === undefined ? undefined : URL.parse(`http://${host}`)?.hostname
  if (name === undefined || !isThisMachine(name)) throw refuse('local_only')
}
