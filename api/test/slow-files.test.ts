import { once } from 'node:events'
import net from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { base } from '@portico/contract/wire.ts'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { withClient } from '#platform/db/client.ts'
import { keepOpen } from '#platform/http/connections/long-files.ts'
import { boundSlowClients } from '#platform/http/connections/slow-clients.ts'
import { Standstill } from '#platform/http/connections/standstill.ts'
import { makeOperator } from './support/documents.ts'
import { testPortal } from './support/portal.ts'
import { makeAdmin } from './support/ticket.ts'

// Longer than a connection may be silent.
const slowMs = 9000

async function* slowly() {
  yield 'begun, '
  await sleep(slowMs)
  yield 'done'
}

async function* endless() {
  for (;;) yield 'x'.repeat(1_000_000)
}

const app = fastify({ connectionTimeout: 7200 })
boundSlowClients(app)
app.get('/api/test/slow-file', (request, reply) => reply.send(Readable.from(keepOpen(request, slowly()))))
app.get('/api/test/endless', (request, reply) => reply.send(Readable.from(keepOpen(request, endless()))))
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())

const portal = await testPortal()
const { pool, connection } = portal
await makeOperator(pool)
const billing = portal.staff(await makeAdmin(pool, 'billing'))

/** What a program that keeps one connection gets, as it comes over the line. */
async function ask(url: string, at = origin): Promise<net.Socket> {
  const socket = net.connect(Number(new URL(at).port), '127.0.0.1')
  await once(socket, 'connect')
  const authorization = `authorization: Bearer ${billing.token}\r\nportico-reason: A test asks for it\r\n`
  socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${authorization}\r\n`)
  return socket
}

test('a file is sent whole when the server works longer than a connection may be silent', async () => {
  expect(await text(await ask('/api/test/slow-file'))).toMatch(/begun.*done.*\r\n0\r\n\r\n$/s)
}, 60_000)

test('a file for the accounts whose first rows take long is sent whole', async () => {
  const files = await portal.listen()
  const order = { kind: 'sales_journal', from_day: '2026-01-01', to_day: '2026-12-31' }
  const { one } = await billing.post(`${base}/accounting-exports`, {
    data: { type: 'accounting-exports', attributes: order },
  })
  // In place of a statement that takes long: it waits for the table.
  const answer = await withClient(connection, async (client) => {
    await client.query('begin')
    await client.query('lock table invoices in access exclusive mode')
    const socket = await ask(`${base}/accounting-exports/${one.id}/-actions/download`, files)
    const heard = text(socket)
    await sleep(slowMs)
    await client.query('rollback')
    return heard
  })
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\n0\r\n\r\n$/s)
}, 60_000)

test('a client that does not take its file is disconnected as before', async () => {
  const standstill = new Standstill()
  const accepted = once(app.server, 'connection')
  const deaf = (await ask('/api/test/endless')).on('error', () => undefined).pause()
  const [served] = await accepted
  const begun = performance.now()
  await expect.poll(() => served.destroyed, { timeout: 40_000 }).toBe(true)
  expect(performance.now() - begun).toBeLessThan(16_000 + standstill.within(30_000))
  standstill.stop()
  deaf.destroy()
}, 60_000)
