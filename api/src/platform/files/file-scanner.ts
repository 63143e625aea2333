import { createReadStream } from 'node:fs'
import net from 'node:net'
import { pipeline } from 'node:stream/promises'

/** The result of a scan; `skipped` when no scanner is configured. */
export type Finding = 'clean' | 'infected' | 'skipped'

/** Scans a local file for malware. Rejects when it cannot decide: then the file must be refused. */
export type FileScanner = (file: string) => Promise<Finding>

export const noScanner: FileScanner = async () => 'skipped'

/** The address of clamd: a host and port, or a local socket. */
export type Clamd = { readonly host: string; readonly port: number } | { readonly path: string }

const patienceMs = 20_000

/** A chunk in INSTREAM framing: its length in four bytes, then its bytes. An empty one ends the stream. */
function framed(chunk: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(chunk.length)
  return Buffer.concat([length, chunk])
}

async function* instream(file: string): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0')
  for await (const chunk of createReadStream(file)) yield framed(chunk)
  yield framed(Buffer.alloc(0))
}

async function readVerdict(socket: net.Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    if (text.includes('\0') || text.length > 1000) break
  }
  return text.replaceAll('\0', '').trim()
}

/** A scanner that streams the bytes to clamd, which need not share the file system. */
export const clamd =
  (at: Clamd): FileScanner =>
  async (file) => {
    const socket = net.connect(at)
    socket.setTimeout(patienceMs, () => socket.destroy(new Error('clamd did not answer in time')))
    try {
      const answer = readVerdict(socket)
      // `answer` reads the verdict, and its failure counts; a scanner that has seen enough stops reading.
      await Promise.race([pipeline(instream(file), socket, { end: false }), answer])
      const verdict = await answer
      if (/ FOUND$/.test(verdict)) return 'infected'
      if (/: OK$/.test(verdict)) return 'clean'
      throw new Error(`clamd said ${JSON.stringify(verdict.slice(0, 200))}`)
    } finally {
      socket.destroy()
    }
  }
