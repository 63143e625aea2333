import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person } from '#test/support/people.ts'

const { pool } = await testDatabase()
// A hundredth of the limits: 8 reads, 1 write, 3 unknown.
const { app } = await testApp(pool, { env: { rateLimitScale: 0.01, trustedProxies: ['10.1.0.1'] } })
const { app: generous } = await testApp(pool)

async function tokenOf(email: string): Promise<string> {
  await person(pool, email)
  const browser = new Browser(generous)
  await browser.signIn(email)
  return browser.cookies.get('token') ?? ''
}
const ana = await tokenOf('ana@example.com')
const dan = await tokenOf('dan@example.com')
let addresses = 0
const elsewhere = () => `192.0.2.${++addresses}`

const read = (token: string, remoteAddress = elsewhere()) =>
  app.inject({ url: '/api/v1/currencies', remoteAddress, headers: { authorization: `Bearer ${token}` } })
const statuses = async (times: number, ask: () => Promise<{ statusCode: number }>) => {
  const seen: number[] = []
  for (let n = 0; n < times; n++) seen.push((await ask()).statusCode)
  return seen
}

test('a person is limited across their addresses, and other people are not', async () => {
  expect(await statuses(9, () => read(ana))).toEqual([...Array(8).fill(200), 429])
  expect((await read(dan)).statusCode).toBe(200)
})

test('writes are counted apart from reads', async () => {
  const write = () =>
    app.inject({
      method: 'POST',
      url: '/api/v1/projects',
      headers: { authorization: `Bearer ${ana}`, 'content-type': 'application/vnd.api+json' },
      payload: JSON.stringify({ data: { type: 'projects', attributes: { name: 'One more' } } }),
    })
  expect(await statuses(2, write)).toEqual([201, 429])
})

test('every answer says what is left, and a 429 when to come back', async () => {
  const first = await read(dan)
  expect(first.headers).toMatchObject({
    'ratelimit-limit': '8',
    'ratelimit-remaining': expect.stringMatching(/^[0-7]$/),
    'ratelimit-reset': expect.stringMatching(/^\d+$/),
  })
  const limited = await read(ana)
  expect(limited.statusCode).toBe(429)
  expect(limited.headers['content-type']).toBe('application/vnd.api+json')
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  expect(limited.headers['ratelimit-remaining']).toBe('0')
  expect(limited.json().errors).toEqual([
    {
      status: '429',
      code: 'rate_limited',
      title: 'Too many requests',
      detail: expect.stringMatching(/^At most 8 requests a minute\. Try again in \d+ seconds\.$/),
    },
  ])
})

test('being limited costs no query', async () => {
  let queries = 0
  const stop = pool.observe(() => queries++)
  expect((await read(ana)).statusCode).toBe(429)
  stop()
  expect(queries).toBe(0)
})

test('an anonymous client is limited by address; an invented token or X-Forwarded-For does not help', async () => {
  const remoteAddress = elsewhere()
  let n = 0
  const ask = () =>
    app.inject({
      url: '/api/v1/currencies',
      remoteAddress,
      headers: { authorization: `Bearer invented.token.${++n}`, 'x-forwarded-for': `198.51.100.${n}` },
    })
  expect(await statuses(4, ask)).toEqual([401, 401, 401, 429])
})

test('a household of IPv6 counts as one, and so do the two spellings of an IPv4 address', async () => {
  let n = 0
  const household = () => app.inject({ url: '/auth/nothing-yet', remoteAddress: `2001:db8:1:2::${++n}` })
  const from = (remoteAddress: string) => app.inject({ url: '/api/v1/currencies', remoteAddress })
  expect((await household()).statusCode).toBe(404)
  expect(await statuses(4, () => from(`2001:db8:1:2::${++n}`))).toEqual([401, 401, 401, 429])
  expect((await from('2001:db8:1:3::1')).statusCode).toBe(401)
  expect(await statuses(3, () => from('203.0.113.77'))).toEqual([401, 401, 401])
  expect((await from('::ffff:203.0.113.77')).statusCode).toBe(429)
})

test('behind a trusted proxy it is the client that is counted', async () => {
  const through = (client: string) =>
    app.inject({
      url: '/api/v1/currencies',
      remoteAddress: '10.1.0.1',
      headers: { 'x-forwarded-for': client },
    })
  expect(await statuses(4, () => through('198.51.100.200'))).toEqual([401, 401, 401, 429])
  expect((await through('198.51.100.201')).statusCode).toBe(401)
  // Entries that the client itself prepended do not count.
  expect((await through('8.8.8.8, 198.51.100.200')).statusCode).toBe(429)
})

test('health is never limited', async () => {
  expect(new Set(await statuses(20, () => app.inject('/healthz')))).toEqual(new Set([200]))
})

test('an address that leads nowhere is not counted, and reads no large body', async () => {
  const remoteAddress = elsewhere()
  const nowhere = () => app.inject({ url: '/no/such/file.js', remoteAddress })
  expect(new Set(await statuses(20, nowhere))).toEqual(new Set([404]))
  const payload = { much: 'x'.repeat(500_000) }
  const answer = await app.inject({ method: 'POST', url: '/nowhere', remoteAddress, payload })
  expect(answer.statusCode).toBe(413)
})

test('guessed tokens of a view are limited like any requests', async () => {
  const from = elsewhere()
  const seen = await statuses(6, () => read('pv_guessed', from))
  expect(new Set(seen)).toEqual(new Set([401, 429]))
  expect(seen.at(-1)).toBe(429)
})
