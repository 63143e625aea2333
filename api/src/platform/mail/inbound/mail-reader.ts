import { Worker } from 'node:worker_threads'
import type { InboundMail } from './inbound-mail.ts'

const patienceMs = 10_000

/**
 * Reads a mail as `readMail` does, in a thread of its own: anybody may send one, and it can be made so that reading it takes
 * for ever. Rejects when it is no mail, or when that takes longer than ten seconds.
 */
export function readMailApart(
  raw: Buffer,
  authserv: string | undefined,
  withinMs = patienceMs,
): Promise<InboundMail> {
  const worker = new Worker(new URL('./inbound-mail-worker.ts', import.meta.url), {
    workerData: { raw, authserv },
  })
  const { promise, resolve, reject } = Promise.withResolvers<InboundMail>()
  const late = setTimeout(() => reject(new Error('Reading a mail took too long.')), withinMs)
  // What it answers is made by our own code, of whose kind it is.
  worker.once('message', (mail: InboundMail) => resolve(mail))
  worker.once('error', reject)
  return promise.finally(async () => {
    clearTimeout(late)
    await worker.terminate()
  })
}
