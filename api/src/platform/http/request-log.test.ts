import { expect, test } from 'vitest'
import { scrape, testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { redactQuery } from './request-log.ts'

const { pool } = await testDatabase()
const { app, lines } = await testApp(pool, { env: { trustedProxies: ['10.1.0.0/16'] } })

test.each([
  ['include=panels&page[size]=25&sort=-name', 'include=panels&page[size]=25&sort=-name'],
  ['page%5Bsize%5D=25&fields%5Bpanels%5D=name', 'page%5Bsize%5D=25&fields%5Bpanels%5D=name'],
  ['filter[email]=ana@example.com', 'filter[email]=[redacted]'],
  ['refreshToken=abc&code=', 'refreshToken=[redacted]&code=[redacted]'],
  ['includes=x&sorted=y', 'includes=[redacted]&sorted=[redacted]'],
  ['s3cret', '[redacted]'],
  ['&sort&', '&sort&'],
])('the query %s is logged as %s', (query, logged) => {
  expect(redactQuery(query)).toBe(logged)
})

test('each request is one line that names it', async () => {
  const answer = await app.inject('/api/v1/projects?include=panels&filter[name]=secret')
  expect(lines.filter((line) => line.request_id === answer.headers['x-request-id'])).toEqual([
    expect.objectContaining({
      level: 30,
      msg: 'request',
      method: 'GET',
      route: '/api/v1/projects',
      path: '/api/v1/projects?include=panels&filter[name]=[redacted]',
      status: 401,
      ms: expect.any(Number),
    }),
  ])
})

test('a very long address is one short line', async () => {
  await app.inject(`/api/v1/projects?sort=${'name,'.repeat(2000)}`)
  const { path } = lines.at(-1) ?? {}
  expect(String(path)).toMatch(/^\/api\/v1\/projects\?sort=name,name,.*…$/)
  expect(String(path).length).toBeLessThan(600)
})

test('no token, cookie or one-time secret reaches the log', async () => {
  await app.inject({
    url: '/auth/verify-email/7/s3cret-hash?signature=s3cret-signature',
    headers: { authorization: 'Bearer s3cret-token', cookie: 'refreshToken=s3cret-cookie' },
  })
  await app.inject('/auth/token?refreshToken=s3cret-refresh')
  await app.inject('/auth/%zz?code=s3cret-code')
  await app.inject('/invitation/s3cret-token')
  await app.inject('/verify-email/7/s3cret-hash?signature=s3cret-signature')
  await app.inject('/sandbox/challenge/pi_1/s3cret-token')
  await app.inject('/api/v1/share-invitations/-actions/preview?payload[token]=s3cret-token')
  expect(lines.some(({ path }) => path === '/invitation/[redacted]')).toBe(true)
  expect(lines.some(({ path }) => String(path).startsWith('/auth/'))).toBe(true)
  expect(JSON.stringify(lines)).not.toContain('s3cret')
})

test('frequent requests of machines are not logged', async () => {
  const before = lines.length
  for (const url of ['/healthz', '/readyz', scrape]) expect((await app.inject(url)).statusCode).toBe(200)
  expect(lines.length).toBe(before)
})

test('a request id is taken over from a trusted proxy only, and only when it is well formed', async () => {
  const ask = async (remoteAddress: string, id: string) =>
    (await app.inject({ url: '/healthz', remoteAddress, headers: { 'x-request-id': id } })).headers[
      'x-request-id'
    ]
  expect(await ask('10.1.2.3', 'from-the-proxy-1')).toBe('from-the-proxy-1')
  expect(await ask('::ffff:10.1.2.3', 'from-the-proxy-2')).toBe('from-the-proxy-2')
  expect(await ask('10.2.0.1', 'from-a-stranger')).toMatch(/^[0-9a-f-]{36}$/)
  expect(await ask('10.1.2.3', 'a{"forged":"line"}')).toMatch(/^[0-9a-f-]{36}$/)
  expect(await ask('10.1.2.3', 'x'.repeat(65))).toMatch(/^[0-9a-f-]{36}$/)
})
