import { once } from 'node:events'
import net from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { drain } from '#platform/http/connections/drain.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)
app.post('/api/test/echo', async ({ body }) => ({ body }))
app.post('/api/test/long', async () => {
  await new Promise((resolve) => setTimeout(resolve, 9000))
  return 'done'
})
const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))

const request = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n12`
const echo = request('/api/test/echo')

// Clients in another thread, which run while this one is blocked: each sends the first part at once and the rest on
// request.
const clients = `
  const net = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const { port, parts } = workerData
  const sockets = parts.map(([first]) => {
    const one = { socket: net.connect(port, '127.0.0.1'), heard: '', fault: '' }
    one.socket.on('data', (chunk) => { one.heard += chunk })
    one.socket.on('error', (error) => { one.fault = error.code })
    if (first) one.socket.write(first)
    return one
  })
  parentPort.on('message', (what) => {
    if (what === 'report') return parentPort.postMessage(sockets.map(({ heard, fault }) =>
      fault || heard.match(/(?<=HTTP.1.1 )\\d+/g)?.join(' ')))
    for (const [n, [, rest]] of parts.entries()) setTimeout(() => sockets[n].socket.write(rest), 500)
  })`

async function answersOf(worker: Worker): Promise<string[]> {
  worker.postMessage('report')
  const [answers] = await once(worker, 'message')
  return answers
}

/** Keeps this thread from running, out of the reading of a connection, which is where a busy server is. */
async function standStill(ms: number): Promise<void> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const over = new Promise<void>((resolve) =>
    server.on('connection', (socket) =>
      socket.once('data', () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
        resolve()
        socket.destroy()
      }),
    ),
  )
  net.connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1').write('x')
  await over
  server.close()
}

/** Lets the clients send the rest while this thread does not run. */
async function goOnDuring(worker: Worker, ms: number): Promise<void> {
  worker.postMessage('go on')
  await standStill(ms)
}

test('clients who send while the process stands still are all answered afterwards', async () => {
  const half = echo.indexOf('content-length')
  const kinds: [string, string][] = [
    ['', echo],
    [echo.slice(0, half), echo.slice(half)],
    [echo.slice(0, -1), echo.slice(-1)],
    [`GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`, echo],
  ]
  const parts = kinds.flatMap((kind) => [kind, kind, kind, kind])
  const connections = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))
  const worker = new Worker(clients, { eval: true, workerData: { port, parts } })
  await expect.poll(connections).toBe(parts.length)
  await expect.poll(async () => (await answersOf(worker)).slice(12)).toEqual(Array(4).fill('200'))
  // Longer than any of the limits.
  await goOnDuring(worker, 13_000)
  const expected = parts.map((_, n) => (n < 12 ? '200' : '200 200'))
  await expect.poll(() => answersOf(worker)).toEqual(expected)
  await worker.terminate()
}, 60_000)

test('a client whose request takes long to answer is not cut off', async () => {
  const socket = net.connect(Number(port), '127.0.0.1')
  socket.write(request('/api/test/long'))
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200/)
  socket.destroy()
}, 60_000)

test('so are those who send while a server stands still that is being stopped', async () => {
  const { app: leaving } = await testApp(pool)
  leaving.post('/api/test/echo', async ({ body }) => ({ body }))
  const url = new URL(await leaving.listen({ port: 0, host: '127.0.0.1' }))
  const kind = ['GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', echo]
  const workerData = { port: url.port, parts: [kind, kind, kind, kind] }
  const worker = new Worker(clients, { eval: true, workerData })
  await expect.poll(() => answersOf(worker)).toEqual(Array(4).fill('200'))
  const drained = drain(leaving)
  await expect.poll(() => leaving.stage, { interval: 5 }).toBe('closing')
  await goOnDuring(worker, 2000)
  await drained
  expect(await answersOf(worker)).toEqual(Array(4).fill('200 200'))
  await worker.terminate()
}, 60_000)
