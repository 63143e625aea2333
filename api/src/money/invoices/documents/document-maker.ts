import { Worker } from 'node:worker_threads'
import * as z from 'zod/mini'
import type { DocumentLogo } from './document.ts'

/** Renders documents. Their data is validated on rendering (`money/invoices/documents/document.ts`). */
export type DocumentMaker = {
  /** Renders a PDF. Rejects when rendering fails or takes too long. */
  readonly pdf: (data: unknown, logo: DocumentLogo) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

const answer = z.object({
  id: z.int(),
  pdf: z.optional(z.instanceof(Uint8Array)),
  error: z.optional(z.string()),
})

type Waiting = { readonly resolve: (pdf: Uint8Array) => void; readonly reject: (error: Error) => void }

const patienceMs = 15_000
const idleMs = 20_000

function beginWorker(
  waiting: ReadonlyMap<number, Waiting>,
  failed: (worker: Worker, error: Error) => void,
): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url))
  worker.unref()
  worker.on('message', (message: unknown) => {
    const { id, pdf, error } = z.parse(answer, message)
    const order = waiting.get(id)
    if (pdf) order?.resolve(pdf)
    else order?.reject(new Error(error ?? 'The worker returned no PDF.'))
  })
  worker.on('error', (error) => failed(worker, error))
  return worker
}

/** Renders in a worker thread that starts on demand and ends after a time without work. */
export function documentMaker({ idle = idleMs } = {}): DocumentMaker {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let resting: NodeJS.Timeout | undefined
  let orders = 0

  const end = async (why: Error) => {
    const ended = worker
    worker = undefined
    clearTimeout(resting)
    for (const { reject } of waiting.values()) reject(why)
    waiting.clear()
    await ended?.terminate()
  }

  const begin = (): Worker => beginWorker(waiting, (begun, error) => void (begun === worker && end(error)))

  return {
    pdf: (data, logo) => {
      clearTimeout(resting)
      worker ??= begin()
      const id = ++orders
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
      // A hanging thread is terminated, and the other waiting documents are retried.
      const late = setTimeout(() => void end(new Error('Rendering a document took too long.')), patienceMs)
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, data, logo })
      return promise.finally(() => {
        clearTimeout(late)
        waiting.delete(id)
        if (waiting.size > 0) return
        clearTimeout(resting)
        resting = setTimeout(() => void end(new Error('The worker was idle.')), idle)
        resting.unref()
      })
    },
    close: () => end(new Error('The portal stops.')),
  }
}
