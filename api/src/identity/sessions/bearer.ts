import type { FastifyRequest } from 'fastify'

/** The bearer token of a request; undefined without one. */
export function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  // The scheme is case-insensitive; nearly all clients write it like this.
  if (header?.startsWith('Bearer ') || header?.slice(0, 7).toLowerCase() === 'bearer ') return header.slice(7)
  return undefined
}

/** The prefix of the token of a view: no access token and no API key begins with it. */
export const viewMark = 'pv_'

export const isViewToken = (token: string): boolean => token.startsWith(viewMark)
