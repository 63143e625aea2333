import { EventEmitter, once } from 'node:events'
import net from 'node:net'
import { expect, test } from 'vitest'
import { Standstill } from '#platform/http/connections/standstill.ts'
import { scrape, testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)
app.get('/api/test/large', async () => 'x'.repeat(30_000_000))
const door = new EventEmitter()
app.get('/api/test/slow', async () => {
  door.emit('entered')
  await once(door, 'opened')
  return 'done'
})
app.post('/api/test/echo', async ({ body }) => ({ body }))
app.post('/api/test/file', { config: { slowBody: true } }, async ({ body }) => ({ body }))
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
const port = Number(new URL(origin).port)
/** The server's end of each connection, by the port of the client's. */
const served = new Map<number | undefined, net.Socket>()
app.server.on('connection', (socket) => served.set(socket.remotePort, socket))

type Conversation = {
  readonly socket: net.Socket
  readonly heard: () => string
  readonly bytes: () => number
  readonly closed: Promise<number>
}

/** Opens a connection; `closed` resolves with the milliseconds that it lived. */
function connect(): Conversation {
  const begun = performance.now()
  const socket = net.connect(port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    if (heard.length < 100_000) heard += chunk
  })
  socket.on('error', () => socket.destroy())
  const closed = once(socket, 'close').then(() => performance.now() - begun)
  return { socket, heard: () => heard, bytes: () => socket.bytesRead, closed }
}

async function say(text: string): Promise<string> {
  const { socket, heard, closed } = connect()
  socket.write(text)
  await closed
  return heard()
}

/** Splits an answer, and checks that it is one whole JSON:API answer. */
function parse(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((one) => one.split(': ', 2)).map(([k = '', v]) => [k.toLowerCase(), v]),
  )
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.api+json',
    'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    'x-content-type-options': 'nosniff',
    'content-length': String(body.length),
  })
  return { status: Number(line.split(' ')[1]), headers, error: JSON.parse(body).errors[0] }
}

test.each([
  [
    'headers of more than 16 KiB',
    `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'an address of more than 16 KiB',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['no HTTP at all', 'hello there\r\n\r\n', 400, 'bad_request'],
  ['a method that does not exist', 'FETCH / HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'bad_request'],
  [
    'two lengths',
    'POST /api/v1/projects HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello',
    400,
    'bad_request',
  ],
  [
    'a length and chunks, as in request smuggling',
    'POST /api/v1/projects HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n',
    400,
    'bad_request',
  ],
  [
    'two hosts, of which a proxy may have taken the other',
    'GET /healthz HTTP/1.1\r\nhost: a.example\r\nHost: b.example\r\nconnection: close\r\n\r\n',
    400,
    'host_headers',
  ],
  [
    'the same host twice',
    'GET /api/v1/projects HTTP/1.1\r\nhost: x\r\nhost: x\r\nconnection: close\r\n\r\n',
    400,
    'host_headers',
  ],
  ['no host in HTTP/1.1', 'GET /login HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'host_headers'],
  [
    'a TRACE',
    'TRACE /api/v1/projects HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    405,
    'method_not_allowed',
  ],
  [
    'a method of WebDAV',
    'PROPFIND / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    405,
    'method_not_allowed',
  ],
])('%s: one JSON:API answer, and the connection is closed', async (_, text, status, code) => {
  const answer = await say(text)
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  const { error, ...parsed } = parse(answer)
  expect(parsed.status).toBe(status)
  expect(error).toMatchObject({ status: String(status), code })
})

test('a check of health by HTTP/1.0, which knows no hosts, is answered', async () => {
  expect(await say('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\nalive\n$/s)
})

test('a body of 2 MB is refused in a way that the sender can read, with and without its length', async () => {
  const chunk = Buffer.alloc(65_536, ' ')
  const streamed = new ReadableStream({
    pull(controller) {
      controller.enqueue(chunk)
      sent += chunk.length
      if (sent >= 2_000_000) controller.close()
    },
  })
  let sent = 0
  for (const body of [Buffer.alloc(2_000_000, ' '), streamed]) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' }
    const answer = await fetch(`${origin}/api/test/echo`, init as RequestInit) // `duplex` is missing in the types of Node.
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ errors: [{ code: 'too_large' }] })
  }
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
})

test('clients that send or read by the drop are disconnected within 15 seconds', async () => {
  const standstill = new Standstill()
  const silent = connect()
  const drops = connect()
  drops.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n')
  const dropping = setInterval(() => drops.socket.write('x-a: b\r\n'), 500)
  const body = connect()
  body.socket.write(
    'POST /api/test/echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n',
  )
  const bodyDrops = setInterval(() => body.socket.write(' '), 500)
  // A file over a slow line: a digit every half second, for fourteen seconds.
  const file = connect()
  file.socket.write(
    'POST /api/test/file HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 28\r\n\r\n',
  )
  const fileDrops = setInterval(() => file.socket.write('1'), 500)
  const deaf = connect()
  deaf.socket.pause()
  deaf.socket.write('GET /api/test/large HTTP/1.1\r\nhost: x\r\n\r\n')
  const many = Array.from({ length: 150 }, () => {
    const one = connect()
    one.socket.write('GET /heal')
    return one
  })
  const times: number[] = []
  for (let n = 0; n < 100; n++) {
    const begun = performance.now()
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    times.push(performance.now() - begun)
  }
  expect(times.sort((a, b) => a - b)[50]).toBeLessThan(500)
  const slow = [silent, drops, body, ...many]
  const lived = await Promise.all(slow.map(({ closed }) => closed))
  clearInterval(dropping)
  clearInterval(bodyDrops)
  // The time in which this process did not run is not the clients'.
  const most = 15_000 + standstill.within(30_000)
  expect(Math.max(...lived)).toBeLessThan(most)
  expect(parse(drops.heard())).toMatchObject({ status: 408, error: { code: 'request_timeout' } })
  expect(parse(body.heard())).toMatchObject({ status: 408, error: { code: 'request_timeout' } })
  // A client that reads nothing does not see the end either, but the server has closed its connection.
  await expect.poll(() => served.get(deaf.socket.localPort)?.destroyed, { timeout: 15_000 }).toBe(true)
  standstill.stop()
  deaf.socket.resume()
  await deaf.closed
  await expect.poll(file.heard, { timeout: 15_000 }).toMatch(/^HTTP\/1\.1 200 OK/)
  clearInterval(fileDrops)
  file.socket.destroy()
  expect(deaf.bytes()).toBeLessThan(30_000_000)
}, 60_000)

test('a client that goes away in the middle is no error, and no longer in flight', async () => {
  const leaver = connect()
  const entered = once(door, 'entered')
  leaver.socket.write('GET /api/test/slow HTTP/1.1\r\nhost: x\r\n\r\n')
  await entered
  const metrics = async () => (await fetch(`${origin}/metrics`, { headers: scrape.headers })).text()
  expect(await metrics()).toMatch(/^http_requests_in_flight 2$/m)
  leaver.socket.destroy()
  door.emit('opened')
  await expect.poll(metrics).toMatch(/^http_requests_in_flight 1$/m)
})
