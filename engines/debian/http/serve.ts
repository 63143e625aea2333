import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Answer, Asked } from './calls.ts'

const mostBytes = 1_048_576

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Serves calls with a body and an answer of JSON; on a port, or on a Unix socket. */
export async function serve(
  at: { readonly port: number; readonly host: string } | { readonly path: string },
  answer: (asked: Asked) => Promise<Answer>,
): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: target = '/' } = request
    const body = await bodyOf(request)
    // None of the headers that are read may be repeated.
    const headers = request.headers as Asked['headers']
    const answered: Answer =
      body === undefined ? { status: 413 } : await answer({ method, target, headers, body })
    response.writeHead(answered.status, { 'content-type': 'application/json' })
    response.end(answered.body === undefined ? '' : JSON.stringify(answered.body))
  })
  server.listen(at)
  await once(server, 'listening')
  return server
}
