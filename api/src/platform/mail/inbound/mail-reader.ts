import { Worker } from 'node:worker_threads'
import type { InboundMail } from './inbound-mail.ts'

const patienceMs = 10_000

/**
 * Parses a mail like `readMail` in a separate thread, because anyone may send a mail that is crafted to take
 * forever. Rejects when it is no mail, or after ten seconds.
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
  // The message comes from our own worker, which sends this type.
  worker.once('message', (mail: InboundMail) => resolve(mail))
  worker.once('error', reject)
  return promise.finally(async () => {
    clearTimeout(late)
    await worker.terminate()
  })
}
