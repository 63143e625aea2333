import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { refuse } from '#platform/errors/problem.ts'

// An export holds a connection for as long as its client reads, and other requests need connections too.
const mostAtOnce = 2

/** Resolves with a stream that has its first part, so that a failure until then is answered. Throws that failure. */
export async function begun(stream: Readable): Promise<Readable> {
  await once(stream, 'readable')
  return stream
}

/** Opens streams, two at a time. The function throws `exports_busy` while two others are read. */
export function fewStreams(): (open: () => Readable) => Readable {
  let underWay = 0
  return (open) => {
    if (underWay >= mostAtOnce) throw refuse('exports_busy', {}, { headers: { 'retry-after': '5' } })
    const stream = open()
    // Counted before the first await, so that concurrent requests cannot all pass the limit.
    underWay += 1
    // Also fires for a stream that failed or was closed before it began.
    stream.once('close', () => {
      underWay -= 1
    })
    return stream
  }
}
