import type { FastifyRequest } from 'fastify'
import { isThisMachine } from '#config/env-values.ts'
import { refuse } from '#platform/errors/problem.ts'

/**
 * Accepts only requests whose Host header names this machine. A foreign page could point its own name at this
 * machine (DNS rebinding) and read local data.
 */
export function assertLocalName({ headers: { host } }: FastifyRequest): void {
  const name = host === undefined ? undefined : URL.parse(`http://${host}`)?.hostname
  if (name === undefined || !isThisMachine(name)) throw refuse('local_only')
}
