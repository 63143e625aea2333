import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Asked } from './calls.ts'
import { ReferenceEngine } from './engine.ts'
import { sign } from './signature.ts'

// The process of the example engine: a port, the secrets, and delivery to the portal.

const {
  PORT = '4100',
  HOST = '127.0.0.1',
  ENGINE_SECRETS = '',
  ENGINE_CODE = 'example',
  PORTAL_URL,
  USAGE_SECONDS = '3600',
} = process.env
const secrets = ENGINE_SECRETS.split(',').filter(Boolean)
const mostBytes = 1_048_576
const longestPauseMs = 60_000
const mostUsageEvents = 5000

if (secrets.length === 0) {
  console.error('Set ENGINE_SECRETS to the secret that the portal printed (several: separated by commas).')
  process.exit(1)
}

type Message = { readonly path: string; readonly type: string; readonly body: string }

/**
 * Delivers a message to the portal with retries: an unavailable portal gets it later, under the same
 * webhook-id, with a new time and signature. A message that is not `lasting` is dropped after some minutes.
 */
async function deliver({ path, type, body }: Message, lasting: boolean): Promise<void> {
  if (PORTAL_URL === undefined) return
  const id = `evt_${crypto.randomUUID()}`
  for (let pause = 500; lasting || pause <= longestPauseMs; pause *= 2) {
    const headers = {
      'content-type': type,
      'webhook-engine': ENGINE_CODE,
      ...sign(secrets[0] ?? '', body, id),
    }
    const answer = await fetch(`${PORTAL_URL}${path}`, { method: 'POST', headers, body }).catch(
      () => undefined,
    )
    if (answer && answer.status < 500) return
    await sleep(Math.min(pause, longestPauseMs))
  }
}

const json = 'application/json'

/** The portal's own polling covers undelivered events. */
const report = (event: Record<string, unknown>): Promise<void> =>
  deliver({ path: '/engine/v1/events', type: json, body: JSON.stringify({ events: [event] }) }, false)

/** Reports usage periodically: only the engine knows it, so each message is kept until it is accepted. */
async function reportUsage(): Promise<never> {
  for (;;) {
    await sleep(Number(USAGE_SECONDS) * 1000)
    const through = Date.now()
    const events = engine.used(through)
    for (let at = 0; at < events.length; at += mostUsageEvents) {
      const body = JSON.stringify(events.slice(at, at + mostUsageEvents))
      await deliver({ path: '/engine/v1/usage', type: 'application/cloudevents-batch+json', body }, true)
    }
    // Last, because the portal charges a day once the watermark passes it.
    const body = JSON.stringify({ through: new Date(through).toISOString() })
    await deliver({ path: '/engine/v1/watermark', type: json, body }, true)
  }
}

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

async function answerTo(request: IncomingMessage): Promise<Answer> {
  const { method = 'GET', url: target = '/' } = request
  const body = await bodyOf(request)
  if (body === undefined) return { status: 413 }
  const token = /^\/console\?token=([\w-]+)$/.exec(target)?.[1]
  if (token !== undefined && method === 'GET') return engine.enter(token)
  // None of the headers that the engine reads may be repeated.
  const headers = request.headers as Asked['headers']
  return engine.handle({ method, target, body, headers })
}

const server = createServer(async (request, response) => {
  const { status, body } = await answerTo(request)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body === undefined ? '' : JSON.stringify(body))
})

server.listen(Number(PORT), HOST, () => {
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  url = `http://${HOST}:${port}`
  console.log(`The example engine is ready: ${url}`)
})

let url = ''
const engine = new ReferenceEngine({ secrets, url: () => url, report: (event) => void report(event) })
if (PORTAL_URL !== undefined) void reportUsage()
