import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { preferredLanguage } from '#platform/http/language.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'

const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-web-'))
afterAll(() => fs.rmSync(outside, { recursive: true }))
const webDist = path.join(outside, 'dist')
const hash = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='

function write(name: string, content: string): void {
  const file = path.join(webDist, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, content)
  fs.writeFileSync(`${file}.br`, brotliCompressSync(content))
  fs.writeFileSync(`${file}.gz`, gzipSync(content))
}
const script = `console.log(${JSON.stringify('portico '.repeat(300))})`
write('assets/app-B1x2y3.js', script)
write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
for (const page of ['login', 'index'])
  for (const lang of ['en', 'ro']) write(`${page}.${lang}.html`, `<html lang="${lang}">${page}</html>`)
fs.writeFileSync(
  path.join(webDist, 'pages.json'),
  JSON.stringify({
    '/login': { en: 'login.en.html', ro: 'login.ro.html' },
    '*': { en: 'index.en.html', ro: 'index.ro.html' },
  }),
)
fs.writeFileSync(path.join(webDist, 'csp.json'), JSON.stringify({ scripts: [hash] }))
write('desk/assets/desk-C1x2y3.js', script)
write('desk/index.en.html', '<html lang="en">desk</html>')
fs.writeFileSync(path.join(webDist, 'desk/pages.json'), JSON.stringify({ '*': { en: 'index.en.html' } }))
fs.writeFileSync(path.join(webDist, '.env'), 'SECRET=1')
fs.writeFileSync(path.join(outside, 'secret.txt'), 'outside of dist')

const { pool } = await testDatabase()
const { app } = await testApp(pool, { webDist, env: { publicUrl: 'https://portal.example.com' } })
const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test.each([
  ['/login', {}, 'login', 'en'],
  ['/login/', {}, 'login', 'en'],
  ['/login?next=%2F', { 'accept-language': 'ro-RO,ro;q=0.9,en;q=0.8' }, 'login', 'ro'],
  ['/login', { 'accept-language': 'de-DE,de;q=0.9' }, 'login', 'en'],
  ['/login', { 'accept-language': 'ro', cookie: 'theme=dark; lang=en' }, 'login', 'en'],
  ['/', { cookie: 'lang=ro' }, 'index', 'ro'],
  ['/tickets/12', { cookie: 'lang=xx', 'accept-language': 'ro' }, 'index', 'ro'],
])('%s %j is the document %s in %s', async (url, headers, name, lang) => {
  const answer = await app.inject({ url, headers: { ...page, ...headers } })
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe(`<html lang="${lang}">${name}</html>`)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'accept-encoding, accept-language, cookie',
  })
})

test('a document is compressed for those who ask, and not sent again to those who have it', async () => {
  const answer = await app.inject({
    url: '/login',
    headers: { ...page, 'accept-encoding': 'gzip, deflate, br' },
  })
  expect(answer.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe('<html lang="en">login</html>')
  const again = await app.inject({
    url: '/login',
    headers: { ...page, 'if-none-match': String(answer.headers.etag) },
  })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', answer.headers.etag])
  const other = await app.inject({
    url: '/login',
    headers: { ...page, cookie: 'lang=ro', 'if-none-match': String(answer.headers.etag) },
  })
  expect(other.statusCode).toBe(200)
})

test('https is required for subdomains too, unless one of them has none', async () => {
  const env = { publicUrl: 'https://portal.example.com', hstsSubdomains: false }
  const { app: alone } = await testApp(pool, { webDist, env })
  const { headers } = await alone.inject({ url: '/login', headers: page })
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
})

test('a document may run our scripts and nothing else, and says so once', async () => {
  const { headers } = await app.inject({ url: '/login', headers: page })
  expect(headers['content-security-policy']).toBe(
    `default-src 'self'; script-src 'self' '${hash}'; script-src-attr 'none'; style-src 'self' 'unsafe-inline'; ` +
      "img-src 'self' data:; connect-src 'self' https://ip2c.org; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; " +
      "form-action 'self'; upgrade-insecure-requests",
  )
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  })
  expect(headers['permissions-policy']).toContain('camera=()')
  expect(headers['x-powered-by']).toBeUndefined()
})

test('the page allows no country lookup when none is configured', async () => {
  const { app: silent } = await testApp(pool, { webDist, env: { countryLookupUrl: null } })
  const { headers } = await silent.inject({ url: '/login', headers: page })
  expect(headers['content-security-policy']).toContain("connect-src 'self';")
  expect((await silent.inject('/auth/config')).json()).toMatchObject({ country_lookup: null })
})

test('the page allows the card form of the configured provider alone', async () => {
  const keys = { secretKey: 'sk_test_12345678', publishableKey: 'pk_test_12345678' }
  const stripe = { ...keys, webhookSecrets: ['whsec_12345678'], apiBase: undefined }
  const { app: paying } = await testApp(pool, { webDist, env: { stripe } })
  const policyOf = async (one: typeof app) =>
    String((await one.inject({ url: '/login', headers: page })).headers['content-security-policy'])
  expect(await policyOf(paying)).toMatch(
    /script-src [^;]* https:\/\/js\.stripe\.com[^;]*;.*frame-src https:\/\/js\.stripe\.com/,
  )
  expect(await policyOf(app)).not.toContain('stripe')
})

test('the desk has documents and files of its own, and reaches nothing but the portal', async () => {
  const keys = { secretKey: 'sk_test_12345678', publishableKey: 'pk_test_12345678' }
  const stripe = { ...keys, webhookSecrets: ['whsec_12345678'], apiBase: undefined }
  const { app: paying } = await testApp(pool, { webDist, env: { stripe, tagManagerId: 'GTM-AB12CD' } })
  for (const url of ['/desk', '/desk/', '/desk/clients/7?tab=money']) {
    const answer = await paying.inject({ url, headers: page })
    expect([answer.statusCode, answer.body]).toEqual([200, '<html lang="en">desk</html>'])
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toContain("connect-src 'self';")
    expect(policy).not.toMatch(/https?:/)
  }
  const file = await paying.inject({ url: '/desk/assets/desk-C1x2y3.js', headers: page })
  expect([file.statusCode, file.headers['cache-control']]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ])
  expect((await paying.inject({ url: '/desktop', headers: page })).body).toBe('<html lang="en">index</html>')
  expect((await paying.inject('/desk/pages.json')).statusCode).toBe(404)
})

test('outside the networks of staff there is no desk', async () => {
  const { app: near } = await testApp(pool, { webDist, env: { deskNetworks: ['127.0.0.0/8'] } })
  const { app: far } = await testApp(pool, { webDist, env: { deskNetworks: ['192.0.2.0/24'] } })
  for (const url of ['/desk', '/desk/clients', '/desk/assets/desk-C1x2y3.js']) {
    expect((await near.inject({ url, headers: page })).statusCode).toBe(200)
    const hidden = await far.inject({ url, headers: page })
    expect([hidden.statusCode, hidden.json().errors[0].code]).toEqual([404, 'address_not_found'])
  }
})

test('without https no header promises it', async () => {
  const { app: plain } = await testApp(pool, { webDist, env: { publicUrl: 'http://localhost:3000' } })
  for (const url of ['/login', '/api/v1/projects', '/assets/app-B1x2y3.js']) {
    const { headers } = await plain.inject({ url, headers: page })
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
  }
})

test('a hashed file is kept for a year and comes compressed', async () => {
  const headers = { 'accept-encoding': 'br' }
  const answer = await app.inject({ url: '/assets/app-B1x2y3.js', headers })
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': expect.stringMatching(/javascript/),
    vary: expect.stringMatching(/accept-encoding/i),
    'x-content-type-options': 'nosniff',
  })
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(script)
  const plain = await app.inject({ url: '/assets/app-B1x2y3.js', headers: { 'accept-encoding': 'identity' } })
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, script])
  expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600')
})

test('a file that is not there is a 404 and never the document, so that a stale page notices', async () => {
  const answer = await app.inject({ url: '/assets/app-OLD.js', headers: page })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/vnd.api+json'])
  expect((await app.inject({ url: '/x.js', headers: { accept: 'text/javascript' } })).statusCode).toBe(404)
  expect((await app.inject({ method: 'POST', url: '/login', headers: page })).statusCode).toBe(404)
})

test.each(['/.env', '/.git/config', '/favicon.ico', '/pages.json', '/wp-login.php', '/assets/'])(
  '%s asks for a file, which the document is not',
  async (url) => {
    const answer = await app.inject({ url, headers: page })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/vnd.api+json'])
  },
)

test.each(['/api', '/auth/x', '/engine/v1', '/mail', '/mail/v1/inbound', '/webhooks/stripe', '/sandbox/x'])(
  '%s is for machines, and answers a browser with no page',
  async (url) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await app.inject({ method, url, headers: page })
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/vnd.api+json'])
    }
  },
)

test.each([
  '/login',
  '/healthz',
  '/favicon.svg',
  '/api/docs',
  '/api/openapi.json',
  '/api/v1/projects',
  '/webhooks/stripe',
  '/engine/simulated/console?token=x',
  '/sandbox/challenge/x/y',
])('%s lets no base element change where links lead', async (url) => {
  const { headers } = await app.inject({ url, headers: page })
  expect(headers['content-security-policy']).toMatch(/(?:^|; )base-uri 'none'(?:;|$)/)
})

test('the page of letters exists in a demo only, under a name of this machine', async () => {
  const { app: demo } = await testApp(pool, { webDist, env: { seed: 'demo' } })
  for (const url of ['/outbox', '/outbox/', '/outbox?letter=1']) {
    expect((await app.inject({ url, headers: page })).statusCode).toBe(404)
    expect((await demo.inject({ url, headers: page })).body).toBe('<html lang="en">index</html>')
    const rebound = { ...page, host: 'attacker-rebind.example:3000' }
    expect((await demo.inject({ url, headers: rebound })).statusCode).toBe(403)
  }
})

test('an address of the browser app may hold a dot, as some tokens do', async () => {
  const answer = await app.inject({ url: '/invitation/abc.R0ZJ7q1h2XkT', headers: page })
  expect([answer.statusCode, answer.body]).toEqual([200, '<html lang="en">index</html>'])
})

test.each([
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/assets/%252e%252e/secret.txt',
  '//secret.txt',
  '/.env',
  '/pages.json',
  '/csp.json',
  '/login.en.html.br',
  `/${encodeURIComponent(path.join(outside, 'secret.txt'))}`,
  '/assets/app-B1x2y3.js%00.html',
])('%s reads no file', async (url) => {
  const answer = await app.inject({ url, headers: page })
  expect(answer.body).not.toMatch(/outside of dist|SECRET|"\/login"|sha256/)
  expect([200, 400, 404]).toContain(answer.statusCode)
  if (answer.statusCode === 200) expect(answer.body).toBe('<html lang="en">index</html>')
})

test('without a built browser app the API works and a page says what is missing', async () => {
  const { app: bare } = await testApp(pool)
  const answer = await bare.inject({ url: '/login', headers: page })
  expect([answer.statusCode, answer.body]).toEqual([404, 'The browser app has not been built.\n'])
  expect((await bare.inject('/healthz')).statusCode).toBe(200)
})

test.each([
  ['ro', 'ro'],
  ['en;q=0.5, ro;q=0.6', 'ro'],
  ['ro;q=0, en', 'en'],
  ['fr, *;q=0.1', undefined],
  ['', undefined],
])('of %s the language is %s', (header, language) => {
  expect(preferredLanguage(header, ['en', 'ro'])).toBe(language)
})

test('the pages of a copy are marked, in the portal and at the desk', async () => {
  const dist = path.join(outside, 'with-head')
  for (const folder of [dist, path.join(dist, 'desk')]) {
    fs.mkdirSync(folder)
    fs.writeFileSync(path.join(folder, 'index.html'), '<html lang="en"><head></head></html>')
    fs.writeFileSync(path.join(folder, 'pages.json'), JSON.stringify({ '*': { en: 'index.html' } }))
  }
  const bodies = async (isCopy: boolean) => {
    const { app: one } = await testApp(pool, { webDist: dist, isCopy, env: { tagManagerId: 'GTM-1' } })
    const urls = ['/login', '/verify-email/1', '/desk']
    return Promise.all(urls.map(async (url) => (await one.inject({ url, headers: page })).body))
  }
  const mark = '<meta name="portico-note" content="copy">'
  expect((await bodies(true)).map((body) => body.includes(mark))).toEqual([true, true, true])
  expect((await bodies(false)).map((body) => body.includes(mark))).toEqual([false, false, false])
})
