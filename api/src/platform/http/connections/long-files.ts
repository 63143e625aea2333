import type { FastifyRequest } from 'fastify'

/** The limit of a statement that reads all rows of a long file, such as the entries of a year. */
export const longestStatementMs = 120_000

/**
 * For how long the answer of a long file may be silent while the server works. The proxies of `deploy/` wait as long, and a
 * statement fails sooner.
 */
export const longestSilenceMs = 130_000

/**
 * Hands on a long file. Its connection may be silent while the server makes the next part; the client has the usual limit
 * to take it.
 */
export async function* keepOpen(
  { raw: { socket } }: FastifyRequest,
  parts: AsyncGenerator<string>,
): AsyncGenerator<string> {
  const usual = socket.timeout ?? 0
  // An injected request has no real socket, whatever its type says.
  const allow = (ms: number) => void socket.setTimeout?.(ms)
  try {
    for (;;) {
      allow(longestSilenceMs)
      const { done, value } = await parts.next()
      allow(usual)
      if (done) return
      yield value
    }
  } finally {
    await parts.return(undefined)
  }
}
