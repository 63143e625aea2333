import { SignJWT, UnsecuredJWT } from 'jose'
import { pino } from 'pino'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { hostileIssuer } from '#test/support/hostile-issuer.ts'
import { startIssuer, throughIssuer } from '#test/support/oidc-issuer.ts'
import { Browser, stoppedClock } from '#test/support/people.ts'
import { RelyingParty } from './oidc.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const issuer = await startIssuer()
afterAll(issuer.stop)
const hostile = await hostileIssuer()

type Known = { readonly url: string; readonly clientId: string; readonly clientSecret: string }

const setUp = ({ url, clientId, clientSecret }: Known) => ({
  rateLimitScale: 1000,
  googleIssuer: url,
  googleClientId: clientId,
  googleClientSecret: clientSecret,
})

// The library that checks ID tokens goes by the clock of this machine.
const clock = stoppedClock(Date.now())
const { app } = await testApp(pool, { clock, env: setUp(issuer) })
const { app: deceived } = await testApp(pool, { env: setUp(hostile) })

async function away(browser: Browser, email: string, answer?: 'cancel'): Promise<URL> {
  const start = await browser.ask({ url: '/auth/google' })
  return throughIssuer(String(start.headers.location), email, answer)
}

const back = (browser: Browser, { search }: URL, change: Record<string, string | undefined> = {}) => {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return browser.get(`/auth/google/callback?${query}`)
}

type Answer = Awaited<ReturnType<Browser['get']>>

/** Refused with a message for the person, and without a session. */
function assertRefused(answer: Answer, status = 401): void {
  expect([answer.statusCode, answer.cookies.filter(({ value }) => value !== '')]).toEqual([status, []])
  expect(answer.json()).toEqual({ jsonapi: { version: '1.1' }, errors: [expect.any(Object)] })
}

// The row counts that a refused sign-in must leave unchanged.
const rows = async () =>
  Promise.all(
    (['auth_accounts', 'auth_identities', 'auth_sessions', 'clients', 'outbox_letters'] as const).map(
      async (table) => (await db.selectFrom(table).selectAll().execute()).length,
    ),
  )
let before = await rows()
afterEach(async ({ task }) => {
  if (task.name.includes('(control)')) before = await rows()
  expect(await rows()).toEqual(before)
})

test('(control) what follows is refused for its one fault: without it, it is let in', async () => {
  const browser = new Browser(app)
  expect((await back(browser, await away(browser, 'right@example.test'))).statusCode).toBe(200)
})

test('a person who declines at Google is sent back, and the state cannot be used again', async () => {
  const browser = new Browser(app)
  const url = await away(browser, 'one@example.test', 'cancel')
  const cookie = browser.cookies.get('g_tx') ?? ''
  const answer = await back(browser, url)
  assertRefused(answer)
  expect(answer.json().errors[0].detail).toBe('You cancelled the sign-in with Google.')
  expect(browser.cookies.has('g_tx')).toBe(false)
  browser.cookies.set('g_tx', cookie)
  assertRefused(await back(browser, url))
})

test('a callback works only in the browser that started it, and another browser does not use it up', async () => {
  const [mine, other, nobody] = [new Browser(app), new Browser(app), new Browser(app)]
  const url = await away(mine, 'right@example.test')
  await away(other, 'other@example.test')
  assertRefused(await back(other, url))
  assertRefused(await back(nobody, url))
  nobody.cookies.set('g_tx', 'x'.repeat(43))
  assertRefused(await back(nobody, url))
  nobody.cookies.set('g_tx', url.searchParams.get('state') ?? '')
  assertRefused(await back(nobody, url))
})

test('(control) what came back works once', async () => {
  const browser = new Browser(app)
  const url = await away(browser, 'right@example.test')
  const cookie = browser.cookies.get('g_tx') ?? ''
  expect((await back(browser, url)).statusCode).toBe(200)
  assertRefused(await back(browser, url))
  browser.cookies.set('g_tx', cookie)
  assertRefused(await back(browser, url))
})

test('(control) of twenty at one moment, one is let in', async () => {
  const browser = new Browser(app)
  const url = await away(browser, 'right@example.test')
  const cookie = browser.cookies.get('g_tx')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.inject({ url: `/auth/google/callback${url.search}`, headers: { cookie: `g_tx=${cookie}` } }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(401)])
})

test("a code of one's own does not sign somebody else in", async () => {
  const [victim, attacker] = [new Browser(app), new Browser(app)]
  const theirs = await away(victim, 'right@example.test')
  const { searchParams } = await away(attacker, 'attacker@example.test')
  assertRefused(await back(victim, theirs, { code: searchParams.get('code') ?? '' }))
})

test.each([
  { state: 'x'.repeat(43) },
  { state: '' },
  { state: undefined },
  { code: 'x'.repeat(43) },
  { code: '' },
  { code: undefined },
  { code: '\u0000' },
  { code: 'ș"\\%'.repeat(100) },
  { iss: 'https://accounts.google.com' },
  { iss: undefined },
  { error: 'interaction_required' },
  { error: 'access_denied', code: undefined },
  { error: '"><script>', code: undefined },
])('a callback with %j is refused', async (change) => {
  const browser = new Browser(app)
  const url = await away(browser, 'right@example.test')
  assertRefused(await back(browser, url, change))
})

test('repeated parameters are refused', async () => {
  const browser = new Browser(app)
  const url = await away(browser, 'right@example.test')
  for (const name of ['code', 'state', 'iss']) {
    const answer = await browser.get(`/auth/google/callback${url.search}&${name}=x`)
    expect([answer.statusCode, answer.json().errors[0].source]).toEqual([400, { parameter: name }])
  }
})

test('a sign-in that takes longer than ten minutes has to start again', async () => {
  const browser = new Browser(app)
  const url = await away(browser, 'right@example.test')
  clock.forward(600_000)
  assertRefused(await back(browser, url))
})

test("a secret of another client is reported as the operator's error", async () => {
  const { app: wrong, lines: said } = await testApp(pool, {
    env: { ...setUp(issuer), googleClientSecret: 'another' },
  })
  const browser = new Browser(wrong)
  const answer = await back(browser, await away(browser, 'right@example.test'))
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([503, 'provider_unreachable'])
  expect(JSON.stringify(said)).toContain('invalid_client')
})

describe('an issuer that lies', () => {
  async function deceive(token: (nonce: string) => Promise<string> | string) {
    const browser = new Browser(deceived)
    const start = await browser.ask({ url: '/auth/google' })
    const { searchParams } = new URL(String(start.headers.location))
    hostile.idToken(await token(searchParams.get('nonce') ?? ''))
    const returned = { code: 'c', state: searchParams.get('state') ?? '', iss: hostile.url }
    return browser.get(`/auth/google/callback?${new URLSearchParams(returned)}`)
  }
  const email = 'mallory@example.test'
  const seconds = Math.floor(Date.now() / 1000)

  test('(control) is believed what is right', async () => {
    const answer = await deceive((nonce) => hostile.token({ nonce, email }))
    expect(answer.statusCode).toBe(200)
  })

  test.each([
    ['an ID token for another client', { aud: 'another' }],
    ['an ID token for others too, of whom one asked', { aud: ['portico-test', 'another'], azp: 'another' }],
    ['an ID token of another issuer', { iss: 'https://accounts.google.com' }],
    ['an ID token of another sign-in', { nonce: 'x'.repeat(43) }],
    ['an ID token of no sign-in', { nonce: undefined }],
    ['an ID token that has expired', { exp: seconds - 3600, iat: seconds - 7200 }],
    ['an ID token that never expires', { exp: undefined }],
    ['an ID token that is not good yet', { nbf: seconds + 3600 }],
    ['an ID token of nobody', { sub: undefined }],
    ['an ID token of an empty name', { sub: '' }],
    ['an ID token of a name that cannot be stored', { sub: 'a\u0000b' }],
    ['an ID token of a very long name', { sub: 's'.repeat(256) }],
  ])('is not believed %s', async (_, claims) => {
    assertRefused(await deceive((nonce) => hostile.token({ nonce, email, ...claims })))
  })

  const right = (nonce: string) => ({ iss: hostile.url, aud: hostile.clientId, sub: 'x', nonce, email })
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test.each([
    ['a key of somebody else', (nonce: string) => hostile.token({ nonce, email }, { foreignKey: true })],
    [
      'a key that it does not name',
      (nonce: string) => hostile.token({ nonce, email }, { header: { kid: 'another' } }),
    ],
    [
      'no key',
      (nonce: string) => new UnsecuredJWT(right(nonce)).setIssuedAt().setExpirationTime('5m').encode(),
    ],
    [
      'our own secret',
      (nonce: string) =>
        new SignJWT(right(nonce))
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuedAt()
          .setExpirationTime('5m')
          .sign(new TextEncoder().encode(hostile.clientSecret)),
    ],
    [
      'a signature of something else',
      async (nonce: string) => {
        const [head, , signature] = (await hostile.token({ nonce, email })).split('.')
        const other = { ...right(nonce), sub: 'victim', iat: seconds, exp: seconds + 300 }
        return `${head}.${encoded(other)}.${signature}`
      },
    ],
    [
      'a signature that is cut off',
      async (nonce: string) => (await hostile.token({ nonce, email })).replace(/[^.]+$/, ''),
    ],
    ['nothing that can be read', () => 'a.b.c'],
    ['no token', () => ''],
    ['an encrypted one', () => 'a.b.c.d.e'],
  ])('is not believed an ID token signed with %s', async (_, token) => {
    assertRefused(await deceive(token))
  })

  test.each([
    [400, '{"error":"invalid_grant"}', 401],
    [200, '{}', 401],
    [200, '[]', 401],
    [200, '{"access_token":"x","token_type":"Bearer"}', 401],
    [401, '{"error":"invalid_client"}', 503],
    [500, '{"error":"server_error"}', 503],
    [502, '<html>', 503],
    [302, '', 503],
  ])('and answers a code with %i %s is no ground to let anybody in', async (status, body, expected) => {
    const browser = new Browser(deceived)
    const start = await browser.ask({ url: '/auth/google' })
    const state = new URL(String(start.headers.location)).searchParams.get('state') ?? ''
    const asked = hostile.asked()
    hostile.answer({ status, body, headers: { location: `${hostile.url}/token` } })
    const returned = new URLSearchParams({ code: 'c', state, iss: hostile.url })
    const answer = await browser.get(`/auth/google/callback?${returned}`)
    assertRefused(answer, expected)
    expect(hostile.asked()).toBe(asked + 1)
  })

  test('or says nothing at all is not waited for', async () => {
    const provider = { name: 'google', label: 'Google', issuer: hostile.url, ...hostile } as const
    const party = new RelyingParty(provider, 'http://localhost/back', pino({ level: 'silent' }), 0.2)
    const { secrets } = await party.begin()
    hostile.answer('nothing')
    const returned = { code: 'c', state: 's', iss: hostile.url }
    await expect(party.vouched(returned, 's', secrets)).rejects.toMatchObject({
      code: 'provider_unreachable',
    })
  })
})

describe('an issuer that is down', () => {
  test('is said to be, and asked again by the next who comes', async () => {
    await issuer.stop()
    const { app: early, lines: said } = await testApp(pool, { env: setUp(issuer) })
    const answer = await early.inject('/auth/google')
    expect([answer.statusCode, answer.headers['retry-after'], answer.cookies]).toEqual([503, '30', []])
    expect(answer.json().errors[0].detail).toContain('Google cannot be reached')
    expect(JSON.stringify(said)).toContain('ECONNREFUSED')
    await issuer.start()
    expect((await early.inject('/auth/google')).statusCode).toBe(302)
  })

  test('is said to be on the page that a person would have come back to', async () => {
    await issuer.stop()
    const { app: early } = await testApp(pool, { env: setUp(issuer) })
    const answer = await early.inject({ url: '/auth/google', headers: { accept: 'text/html,*/*' } })
    expect([answer.statusCode, answer.headers.location]).toEqual([
      302,
      '/google/callback?error=temporarily_unavailable',
    ])
    await issuer.start()
    const said = await early.inject('/auth/google/callback?error=temporarily_unavailable')
    expect([said.statusCode, said.json().errors[0].code]).toEqual([503, 'provider_unreachable'])
  })

  test('between going and coming back costs that one try', async () => {
    const browser = new Browser(app)
    const url = await away(browser, 'right@example.test')
    await issuer.stop()
    const answer = await back(browser, url)
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([503, 'provider_unreachable'])
    await issuer.start()
    assertRefused(await back(browser, url))
  })
})

test('(control) it comes back by itself', async () => {
  const browser = new Browser(app)
  expect((await back(browser, await away(browser, 'right@example.test'))).statusCode).toBe(200)
})

test('repeated starts are throttled for that person only', async () => {
  const { app: own } = await testApp(pool, {
    clock,
    env: { ...setUp(issuer), trustedProxies: ['127.0.0.1'] },
  })
  const from = (ip: string) => own.inject({ url: '/auth/google', headers: { 'x-forwarded-for': ip } })
  for (let i = 0; i < 100; i++) expect((await from('192.0.2.1')).statusCode).toBe(302)
  const answer = await from('192.0.2.1')
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '60'])
  expect((await from('192.0.2.2')).statusCode).toBe(302)
})

test('throttling at the sign-in addresses answers with a page, not with a JSON document', async () => {
  const person = { url: '/auth/google', headers: { accept: 'text/html,*/*' } }
  const page = [302, '/google/callback?error=rate_limited']
  const { app: narrow } = await testApp(pool, { env: { ...setUp(issuer), rateLimitScale: 0.01 } })
  for (const [portal, remoteAddress] of [
    [app, '192.0.2.50'],
    [narrow, '192.0.2.51'],
  ] as const) {
    const begin = (asked: object) => portal.inject({ ...asked, remoteAddress })
    for (let i = 0; i < 101; i++) {
      const begun = await begin({ url: '/auth/google' })
      if (begun.statusCode === 429) break
    }
    const answer = await begin(person)
    expect([answer.statusCode, answer.headers.location]).toEqual(page)
    expect((await begin({ url: '/auth/google' })).statusCode).toBe(429)
  }
  const said = await app.inject('/auth/google/callback?error=rate_limited')
  expect([said.statusCode, said.headers['retry-after']]).toEqual([429, '60'])
})
