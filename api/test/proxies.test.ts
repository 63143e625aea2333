import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { base, mediaType } from '@portico/contract/wire.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { makePayments } from '#money/payments/providers/providers.ts'
import { scrape, testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { Browser, password, person } from './support/people.ts'
import { ask, host, isInstalled, type ProxyName, startProxy } from './support/proxies.ts'
import { StripeServer, signatureOf, stripeSettings } from './support/stripe.ts'

// `npm run test:proxies` sets it: then a proxy that is missing fails, and answers that take long are waited for.
const required = process.env.PROXIES === 'required'

const { pool } = await testDatabase()
const stripe = new StripeServer()
const payments = { ...makePayments({ stripe: stripeSettings(await stripe.listen()) }, {} as never) } // Only the sandbox needs the rest.
const { app, lines } = await testApp(pool, {
  payments,
  env: { publicUrl: `https://${host}`, trustedProxies: ['127.0.0.1'], rateLimitScale: 0.1 },
})
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => stripe.close())
const portOf = (server: http.Server) => (server.address() as AddressInfo).port // It listens on TCP.
const ana = await person(pool, 'ana@example.com')
const browser = new Browser(app)
await browser.signIn(ana.email)
const signedIn = { authorization: `Bearer ${browser.cookies.get('token')}` }

const megabyte = 1024 * 1024
const upload = `${base}/ticket-files/-actions/upload?filename=long.txt`

describe.each(['nginx', 'caddy'] as const)('behind %s, by its example', (name: ProxyName) => {
  const there = isInstalled(name)
  if (!there && required) throw new Error(`${name} is not installed.`)
  if (!there) console.log(`${name} is not installed, so its example is not tried.`)

  describe.skipIf(!there)('it is the portal of browsers', async () => {
    if (!there) return
    const proxy = await startProxy(name, portOf(app.server))
    afterAll(() => proxy.stop())

    test('plain HTTP leads to the same page over TLS', async () => {
      const url = `http://127.0.0.1:${proxy.plainPort}/tickets?page=2`
      const request = http.get(url, { headers: { host }, agent: false })
      const [answer] = await once(request, 'response')
      answer.resume()
      expect([301, 308]).toContain(answer.statusCode)
      expect(answer.headers.location.replace(`:${proxy.securePort}`, '')).toBe(
        `https://${host}/tickets?page=2`,
      )
    })

    test('a person signs in: cookies are for TLS alone, and browsers keep to TLS', async () => {
      const answer = await ask(proxy, '/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: `https://${host}` },
        body: JSON.stringify({ email: ana.email, password }),
      })
      expect([answer.status, answer.headers['strict-transport-security']]).toEqual([
        200,
        expect.stringContaining('max-age=31536000'),
      ])
      const cookies = answer.headers['set-cookie'] ?? []
      expect(cookies.length).toBeGreaterThan(0)
      for (const cookie of cookies) expect(cookie).toContain('; Secure')
    })

    test('the largest file goes up and comes down unchanged, and a larger one is refused', async () => {
      const file = Buffer.alloc(10 * megabyte, 'All work and no play. ')
      const sent = await ask(proxy, upload, { method: 'POST', headers: signedIn, body: file })
      expect(sent.status).toBe(201)
      const { id } = JSON.parse(sent.text).data
      const got = await ask(proxy, `${base}/ticket-files/${id}/-actions/download`, { headers: signedIn })
      const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
      expect(digest(Buffer.from(got.text))).toBe(digest(file))
      for (const size of [11, 20]) {
        const body = Buffer.alloc(size * megabyte, 'a')
        const refused = await ask(proxy, upload, { method: 'POST', headers: signedIn, body }).then(
          ({ status }) => status,
          (error: Error) => error.message,
        )
        // Caddy stops reading when the portal has answered, and resets about one such connection in twenty. nginx reads on.
        expect(name === 'caddy' ? [413, 'write ECONNRESET', 'write EPIPE'] : [413]).toContain(refused)
      }
      const stored = await pool.kysely.selectFrom('ticket_files').select('size').execute()
      expect(new Set(stored.map(({ size }) => size))).toEqual(new Set([file.length]))
    })

    test('a message of the payment provider arrives byte by byte, so that its signature fits', async () => {
      const { body } = stripe.event('customer.updated', {
        id: 'cus_1',
        name: 'Ștefan',
        text: 'x'.repeat(200_000),
      })
      const signature = signatureOf(` ${body}\r\n`)
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
      const deliver = (text: string) =>
        ask(proxy, '/webhooks/stripe', { method: 'POST', headers, body: text })
      expect((await deliver(` ${body}\r\n`)).status).toBe(200)
      expect((await deliver(`${body}\r\n`)).status).toBe(401)
    })

    const [busy, other] = name === 'nginx' ? ['127.0.0.71', '127.0.0.72'] : ['127.0.0.81', '127.0.0.82']

    test('each client is counted by its own address, whatever it claims', async () => {
      const forged = {
        'x-forwarded-for': '203.0.113.7',
        forwarded: 'for=203.0.113.7',
        'x-real-ip': '203.0.113.7',
      }
      const statuses: number[] = []
      // A tenth of 300 for an address without a person.
      for (let count = 0; count < 31; count++)
        statuses.push((await ask(proxy, '/api/user', { headers: forged, from: busy })).status)
      expect([statuses.slice(0, 30).every((status) => status === 401), statuses[30]]).toEqual([true, 429])
      expect((await ask(proxy, '/api/user', { from: other })).status).toBe(401)
    })

    test('nobody outside reads metrics, and the trace of a browser arrives', async () => {
      const direct = await fetch(`http://127.0.0.1:${portOf(app.server)}${scrape.url}`, scrape)
      expect([direct.status, (await ask(proxy, scrape.url, scrape)).status]).toEqual([200, 404])
      const trace = randomUUID().replaceAll('-', '')
      const { headers } = await ask(proxy, `${base}/countries?page[size]=1`, {
        headers: { accept: mediaType, traceparent: `00-${trace}-00f067aa0ba902b7-01` },
      })
      const line = lines.find(({ request_id }) => request_id === headers['x-request-id'])
      expect(line).toMatchObject({ trace_id: trace })
    })
  })

  // Signing in with Google may take that long.
  test.runIf(there && required)('an answer that begins after 36 seconds arrives', async () => {
    const slow = http.createServer(async ({ url }, response) => {
      if (url === '/slow') await sleep(36_000)
      response.end('at last')
    })
    slow.listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const proxy = await startProxy(name, portOf(slow))
    expect(await ask(proxy, '/slow')).toMatchObject({ status: 200, text: 'at last' })
    await proxy.stop()
    slow.close()
  })
})

test.skipIf(!isInstalled('caddy'))(
  'with compose no answer of /readyz takes all replicas of the name away',
  async () => {
    let ready = 200
    const replica = http.createServer(({ url }, response) => {
      response.writeHead(url === '/readyz' ? ready : 200).end()
    })
    replica.listen(0, '127.0.0.1')
    await once(replica, 'listening')
    const proxy = await startProxy('caddy', portOf(replica), { name: 'localhost' })
    ready = 503
    await sleep(3000)
    for (let count = 0; count < 5; count++) expect((await ask(proxy, '/')).status).toBe(200)
    await proxy.stop()
    replica.close()
  },
)
