import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FirstEngine } from './engine.ts'

// A minimal engine of contract 1.0 for tests; it sends no events on its own.

const { PORT = '0', ENGINE_SECRETS = '' } = process.env

let url = ''
const engine = new FirstEngine({
  secrets: ENGINE_SECRETS.split(','),
  url: () => url,
  report: () => undefined,
})

const server = createServer(async (request, response) => {
  const { method = 'GET', url: target = '/' } = request
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const token = /^\/console\?token=([\w-]+)$/.exec(target)?.[1]
  // None of the headers that the engine reads may come twice.
  const headers = request.headers as Record<string, string | undefined>
  const asked = { method, target, headers, body: Buffer.concat(chunks).toString() }
  const { status, body } = token === undefined ? engine.handle(asked) : engine.enter(token)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body === undefined ? '' : JSON.stringify(body))
})

server.listen(Number(PORT), '127.0.0.1', () => {
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
  console.log(`The example engine of contract 1.0 is ready: ${url}`)
})
