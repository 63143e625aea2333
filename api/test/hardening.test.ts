import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeKey } from './support/api-key.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { Browser, person } from './support/people.ts'

// Requirements of OWASP ASVS that no other test covers.

const { pool } = await testDatabase()
const { rows: counted } = await sql<{ accounts: number }>`select (select count(*) from clients)
  + (select count(*) from auth_accounts) + (select count(*) from admins) + (select count(*) from api_keys) as accounts`.execute(
  pool.kysely,
)
const env = { publicUrl: 'https://portal.example.com', rateLimitScale: 1000 }
const { app, lines } = await testApp(pool, { env })
await app.listen({ host: '127.0.0.1', port: 0 })
// A server that listens on TCP has such an address.
const { port } = app.server.address() as AddressInfo
const ada = await person(pool, 'ada@example.test')
const me = new Browser(app)
await me.signIn(ada.email)

test.each(['(a+)+$', '.*', '[', '\\', '%', '_', '%%%%%%%%%%%%%%%%%%%%%%a', "'; select pg_sleep(3); --"])(
  'a search for %j is a text that is looked for, and is answered at once',
  async (text) => {
    const begun = performance.now()
    const answer = await me.get(`/api/v1/projects?filter[search]=${encodeURIComponent(text)}`)
    expect([answer.statusCode, answer.json().data]).toEqual([200, []])
    expect(performance.now() - begun).toBeLessThan(2000)
  },
)

const huge = ['9223372036854775807', '9223372036854775808', '1'.repeat(400), '1e400', '-9223372036854775809']

test.each(huge)('a number that is too large is refused, or finds nothing: %s', async (number) => {
  const urls = [
    'projects/{}',
    'projects?filter[client_id]={}',
    'projects?page[number]={}',
    'projects?page[size]={}',
  ]
  for (const url of urls) {
    const answer = await me.get(`/api/v1/${url.replace('{}', number)}`)
    expect([url, answer.statusCode]).toEqual([url, url.startsWith('projects/') ? 404 : 400])
  }
  const sum = await me.get(`/api/v1/invoices/-actions/getServiceBillsSum?payload[client_id]=${number}`)
  expect(sum.statusCode).toBeGreaterThanOrEqual(400)
  expect(sum.statusCode).toBeLessThan(500)
})

test.each([
  ['a page', '/'],
  ['data', '/api/v1/projects'],
  ['a list for everybody', '/api/v1/countries'],
  ['who one is', '/api/user'],
  ['what is not there', '/api/v1/nothing'],
  ['what is behind sign-in', '/api/v1/cards?filter[x]=1'],
  ['what is alive', '/healthz'],
  ['the page of the API', '/api/docs'],
  ['the document of the API', '/api/openapi.json'],
])('every answer carries what keeps a browser from misusing it: %s', async (_, url) => {
  const { headers } = await me.get(url)
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'referrer-policy': expect.stringMatching(/^(?:no-referrer|same-origin|strict-origin-when-cross-origin)$/),
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'cache-control': expect.any(String),
  })
  expect(headers['access-control-allow-origin']).toBeUndefined()
  expect(headers['x-powered-by'] ?? headers.server).toBeUndefined()
  const [type = '', charset = ''] = String(headers['content-type']).split('; ')
  // JSON:API forbids the parameter; every other text says how it is written.
  expect([type, charset]).toEqual([type, type === 'application/vnd.api+json' ? '' : 'charset=utf-8'])
})

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

test.each([
  ['includes', 'include_too_deep', `/api/v1/projects?include=${'panels.project.'.repeat(40)}panels`],
  [
    'many includes',
    'include_paths_most',
    `/api/v1/projects?include=${Array.from({ length: 200 }, () => 'panels').join()}`,
  ],
  ['a page', 'page_number_invalid', '/api/v1/projects?page[size]=101'],
  ['ids', 'ids_most', `/api/v1/projects?filter[id]=${Array.from({ length: 101 }, (_, at) => at + 1).join()}`],
  [
    'a payload',
    'body_too_deep',
    `/api/v1/transactions/-actions/quote?payload=${encodeURIComponent(nested(400))}`,
  ],
])('a query that asks for too much is refused at once: %s', async (_, code, url) => {
  const begun = performance.now()
  const answer = await me.get(url)
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([400, code])
  expect(performance.now() - begun).toBeLessThan(2000)
})

/** Sends bytes and returns everything that the server sends before it closes the connection. */
async function say(text: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    heard += chunk
  })
  socket.on('error', () => socket.destroy())
  socket.write(text)
  await once(socket, 'close')
  return heard
}

const hidden = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
const post = (headers: string, body: string) =>
  `POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`

test.each([
  [
    'chunks named twice',
    post('transfer-encoding: chunked\r\ntransfer-encoding: identity', `0\r\n\r\n${hidden}`),
  ],
  ['chunks in a made-up coding', post('transfer-encoding: xchunked', `0\r\n\r\n${hidden}`)],
  ['a space before the colon', post('content-length : 0', hidden)],
  ['a length with a sign', post('content-length: +5', `hello${hidden}`)],
  [
    'a size of a chunk that is none',
    post('transfer-encoding: chunked', `0x5\r\nhello\r\n0\r\n\r\n${hidden}`),
  ],
  ['a header that goes on in the next line', post('x-a: b\r\n content-length: 5', `hello${hidden}`)],
])('a request that hides another is refused, once: %s', async (_, text) => {
  const answer = await say(text)
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
})

test('an installation begins without any account', () => {
  expect(counted).toEqual([{ accounts: 0 }])
})

test('a key does not stand in for a confirmed e-mail', async () => {
  const newcomer = await person(pool, 'newcomer@example.test', { verified: false })
  const askAs = async (client: number) => {
    const { secret } = await makeKey(pool, { client })
    return (await new Browser(app).get('/api/v1/projects', secret)).statusCode
  }
  expect([await askAs(ada.id), await askAs(newcomer.id)]).toEqual([200, 401])
})

test('every refusal of who asks has a line in the log', async () => {
  const before = lines.length
  const nobody = new Browser(app)
  const asked = [await nobody.get('/api/v1/projects'), await nobody.get('/api/user', 'made-up')]
  expect(asked.map(({ statusCode }) => statusCode)).toEqual([401, 401])
  const logged = lines.slice(before).filter(({ status }) => status === 401)
  expect(logged).toHaveLength(2)
  expect(JSON.stringify(logged)).not.toContain('made-up')
})
