import { parentPort, workerData } from 'node:worker_threads'
import * as z from 'zod/mini'
import { readMail } from './inbound-mail.ts'

// Runs in its own thread, which handles one mail and ends.

const { raw, authserv } = z.parse(
  z.object({ raw: z.instanceof(Uint8Array), authserv: z.optional(z.string()) }),
  workerData,
)
parentPort?.postMessage(await readMail(Buffer.from(raw), authserv))
