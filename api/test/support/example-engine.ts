import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http, { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')

/**
 * An example engine in a process of its own, until the file ends; returns its address. Inside a test `ending` is vitest's
 * `onTestFinished`, as nothing calls an `afterAll` that was said so late.
 */
export async function exampleEngine(
  secrets: readonly string[],
  portalUrl?: string,
  folder: 'example' | 'first-example' = 'example',
  ending: (stop: () => void) => void = afterAll,
): Promise<string> {
  const child = spawn(process.execPath, [`engines/${folder}/main.ts`], {
    cwd: root,
    // Not the worker's own error output: who holds that keeps the whole run from ending.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      ENGINE_SECRETS: secrets.join(),
      ...(portalUrl !== undefined && { PORTAL_URL: portalUrl }),
    },
  })
  child.stderr.pipe(process.stderr)
  ending(() => void child.kill('SIGKILL'))
  const [chunk] = await once(child.stdout, 'data')
  return /http:\S+/.exec(String(chunk))?.[0] ?? ''
}

/** A fault of one call on its way to an engine. */
export type Fault =
  /** Nothing arrives, and the answer is a 500. */
  | 'fail'
  /** It is done, and the connection ends before the answer. */
  | 'lose'
  /** It arrives twice. */
  | 'twice'
  /** The answer comes late. */
  | 'slow'
  /** The answer is no JSON. */
  | 'garbage'
  /** Redirects every request. */
  | 'redirect'
  /** The answer does not end. */
  | 'endless'

export type FaultyWay = {
  readonly url: string
  /** The faults of the next calls, one each. */
  readonly faults: Fault[]
  /** Every received call, also failed ones. */
  readonly calls: string[]
  /** Calls that followed where a redirect led. */
  readonly followed: string[]
}

type Reply = { readonly status: number; readonly body: Buffer }

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function forward(
  target: string,
  { method, url, headers }: http.IncomingMessage,
  body: Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${target}${url}`, { method, headers }, (answer) => {
      bytesOf(answer).then((bytes) => resolve({ status: answer.statusCode ?? 0, body: bytes }), reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}

function spoil(fault: Fault | undefined, response: http.ServerResponse, reply: Reply): void {
  if (fault === 'lose') response.destroy()
  else if (fault === 'garbage') response.end('<html>')
  else if (fault === 'redirect') response.writeHead(307, { location: '/elsewhere' }).end()
  else if (fault === 'endless') {
    const more = () => {
      if (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20))) setImmediate(more)
    }
    response.on('drain', more)
    more()
  } else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
}

/** A way to an engine on which calls are lost, doubled, delayed and spoilt as a test says, over real sockets. */
export async function faultyWay(target: string, slowMs = 400): Promise<FaultyWay> {
  const faults: Fault[] = []
  const calls: string[] = []
  const followed: string[] = []
  const pass = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    if (request.url === '/elsewhere') followed.push(request.method ?? '')
    calls.push(`${request.method} ${request.url}`)
    const fault = faults.shift()
    const body = await bytesOf(request)
    if (fault === 'fail') return response.writeHead(500).end()
    if (fault === 'slow') await sleep(slowMs)
    const reply = await forward(target, request, body)
    if (fault === 'twice') await forward(target, request, body)
    return spoil(fault, response, reply)
  }
  // An engine that was ended is away, as one is whose machine stopped.
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, faults, calls, followed }
}
