import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person } from '#test/support/people.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)
await person(pool, 'ana@example.com')
const browser = new Browser(app)
await browser.signIn('ana@example.com')
const authorization = `Bearer ${browser.cookies.get('token')}`

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { authorization, ...headers } })
const large = '/api/v1/countries?page[size]=100'

test('a large answer is compressed for those who ask, and is the same', async () => {
  const plain = await get(large)
  expect(plain.headers['content-encoding']).toBeUndefined()
  const brotli = await get(large, { 'accept-encoding': 'gzip, deflate, br' })
  const gzip = await get(large, { 'accept-encoding': 'gzip' })
  expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
  expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
  for (const { headers } of [brotli, gzip]) {
    expect(headers['content-type']).toBe('application/vnd.api+json')
    expect(headers.vary).toMatch(/accept-encoding/i)
    expect(headers.etag).toBe(plain.headers.etag)
  }
})

test('a tag got with one encoding spares the body in every encoding', async () => {
  const { headers } = await get(large, { 'accept-encoding': 'br' })
  const again = await get(large, { 'accept-encoding': 'gzip', 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('a small response, and one for a client without compression, is sent uncompressed', async () => {
  const small = await get('/api/v1/currencies?page[size]=1', { 'accept-encoding': 'br' })
  expect(small.headers['content-encoding']).toBeUndefined()
  const none = await get(large, { 'accept-encoding': 'identity, br;q=0' })
  expect(none.headers['content-encoding']).toBeUndefined()
})

test('API reads are cached by the reader alone with revalidation; everything else is not stored', async () => {
  expect((await get(large)).headers['cache-control']).toBe('private, no-cache')
  expect((await get('/api/v1/nothing')).headers['cache-control']).toBe('no-store')
  expect((await get('/api/user')).headers['cache-control']).toBe('no-store')
  expect((await app.inject('/api/v1/countries')).headers['cache-control']).toBe('no-store')
})

test('a body that is compressed is refused, so that no bomb can be sent', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/projects',
    headers: { authorization, 'content-type': 'application/vnd.api+json', 'content-encoding': 'gzip' },
    payload: Buffer.from([0x1f, 0x8b, 8]),
  })
  expect(answer.statusCode).toBe(415)
  expect(answer.json().errors).toMatchObject([{ source: { header: 'content-encoding' } }])
})

test('no other origin may read or send anything', async () => {
  const origin = 'https://evil.example'
  const answer = await get(large, { origin })
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/api/v1/projects',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  for (const { headers } of [answer, preflight])
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
})
