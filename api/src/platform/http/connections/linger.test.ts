import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { lingerOnClose } from './linger.ts'
import { Standstill } from './standstill.ts'

const standstill = new Standstill()
const megabyte = 1_048_576
const app = fastify({ bodyLimit: 1000 })
lingerOnClose(app, standstill, { bytes: 8 * megabyte, ms: 1000 })
const served: string[] = []
app.post('/files', ({ url }) => served.push(url))
app.get('/next', ({ url }) => served.push(url))
await app.listen({ host: '127.0.0.1', port: 0 })
// A server that listens on TCP has such an address.
const { port } = app.server.address() as AddressInfo
afterAll(async () => {
  standstill.stop()
  await app.close()
})

const head = (length: number) =>
  `POST /files HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

/** Resolves when the connection ends, with or without an error. */
const closed = (socket: net.Socket) =>
  new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()))

/** Sends everything before it reads anything. */
async function sendThenRead(...parts: (string | Buffer)[]): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').pause()
  const broken = once(socket, 'error').then(([error]) => Promise.reject(error))
  const sent = new Promise<void>((resolve) => {
    const all = Buffer.concat(parts.map((part) => Buffer.from(part)))
    socket.write(all, (error) => !error && resolve())
  })
  await Promise.race([sent, broken])
  return text(socket)
}

test('a refused body is read to its end, so that the sender receives the refusal', async () => {
  const answer = await sendThenRead(head(6 * megabyte), Buffer.alloc(6 * megabyte))
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toMatch(/^connection: close\r$/m)
})

test('a request that follows on such a connection is not served', async () => {
  const next = 'GET /next HTTP/1.1\r\nhost: x\r\n\r\n'
  const answer = await sendThenRead(head(6 * megabyte), Buffer.alloc(6 * megabyte), next)
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect(served).toEqual([])
  expect(await sendThenRead(next.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))).toMatch(/ 200 OK/)
  expect(served).toEqual(['/next'])
})

test('a client that keeps sending is disconnected after a limit of bytes', async () => {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const end = closed(socket)
  socket.resume().write(head(1000 * megabyte))
  let sent = 0
  const pour = (error?: Error | null) => {
    if (error || sent === 1000) return
    sent += 1
    socket.write(Buffer.alloc(megabyte), pour)
  }
  pour()
  await end
  // The buffers of both systems hold more than the limit, but far less than everything.
  expect(sent).toBeLessThan(100)
  expect(sent).toBeGreaterThanOrEqual(8)
})

test('a client that sends slowly is disconnected after a time limit', async () => {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const end = closed(socket)
  socket.write(head(1000 * megabyte))
  const drops = setInterval(() => socket.write(' '), 50)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /)
  expect(socket.writable).toBe(true)
  await end
  clearInterval(drops)
})
