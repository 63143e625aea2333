import { SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { identityConfig } from '#identity/config.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'
import { AccessTokens } from './access-token.ts'
import { keyRing } from './signing-keys.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const tokenSecret = 'the secret of these tests is long enough'
const { app } = await testApp(pool, { clock, env: { tokenSecret, rateLimitScale: 1000 } })
const { accountId } = await person(pool, 'ada@example.test')
const browser = new Browser(app)
const { token } = (await browser.signIn('ada@example.test')).json()
const [{ id: sessionId } = { id: '' }] = await pool.kysely.selectFrom('auth_sessions').select('id').execute()

const statusOf = async (bearer: string) => (await browser.get('/api/user', bearer)).statusCode

test('a token changed by one character is refused, whichever it is', async () => {
  expect(await statusOf(token)).toBe(200)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const accepted: number[] = []
  for (let at = 0; at < token.length; at++) {
    // The next letter of the alphabet differs in the lowest bit, which is what lax decoders of the last letter drop.
    const letter = alphabet[(alphabet.indexOf(token[at] ?? '') + 1) % alphabet.length]
    if ((await statusOf(`${token.slice(0, at)}${letter}${token.slice(at + 1)}`)) !== 401) accepted.push(at)
  }
  expect(accepted).toEqual([])
  expect(await statusOf(token)).toBe(200)
})

test.each([
  '',
  '.',
  '..',
  'a.b.c',
  'null',
  '{}',
  `${'a'.repeat(3000)}.b.c`,
  '%00',
  token.slice(0, -1),
  `${token}.x`,
])('an invalid token is refused: %.20s', async (text) => {
  expect(await statusOf(text)).toBe(401)
})

const claims = { sid: sessionId, amr: ['pwd'] }

/** A token as we sign them, but for what a test changes. */
function forged(change: {
  secret?: string
  header?: object
  issuer?: string
  audience?: string
  subject?: string
  payload?: object
}) {
  const [key] = keyRing(change.secret ?? tokenSecret)
  const seconds = Math.floor(clock.now().getTime() / 1000)
  return new SignJWT({ ...claims, ...change.payload })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.id, ...change.header })
    .setIssuer(change.issuer ?? 'http://localhost:3000')
    .setAudience(change.audience ?? 'portico-api')
    .setSubject(change.subject ?? accountId)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 600)
    .sign(key.accessToken)
}

const another = '00000000-0000-4000-8000-000000000000'

test.each([
  ['another secret', { secret: 'another secret that is long enough too' }],
  [
    'another secret under our key id',
    { secret: 'another secret that is long enough too', header: { kid: keyRing(tokenSecret)[0].id } },
  ],
  ['no key id', { header: { kid: undefined } }],
  ['another algorithm', { header: { alg: 'HS512' } }],
  ['another type', { header: { typ: 'JWT' } }],
  ['another issuer', { issuer: 'https://elsewhere.example' }],
  ['another audience', { audience: 'staff' }],
  ['another account', { subject: another }],
  ['another session', { payload: { sid: another } }],
  ['no session', { payload: { sid: undefined } }],
  ['a session that is no id', { payload: { sid: "' or true --" } }],
])('a token with %s is refused', async (_, change) => {
  expect(await statusOf(await forged({}))).toBe(200)
  expect(await statusOf(await forged(change))).toBe(401)
})

test('a token without a signature is refused', async () => {
  const none = new UnsecuredJWT(claims)
    .setIssuer('http://localhost:3000')
    .setAudience('portico-api')
    .setSubject(accountId)
    .setExpirationTime(Math.floor(clock.now().getTime() / 1000) + 600)
    .encode()
  expect(await statusOf(none)).toBe(401)
  const [head, body] = token.split('.')
  expect(await statusOf(`${head}.${body}.`)).toBe(401)
})

test('a token ends after ten minutes, though its signature is remembered', async () => {
  const fresh = await forged({})
  clock.forward(599_000)
  expect(await statusOf(fresh)).toBe(200)
  clock.forward(1000)
  expect(await statusOf(fresh)).toBe(401)
  expect(await statusOf(fresh)).toBe(401)
})

test('tokens signed by the secret before are good until they expire', async () => {
  const config = identityConfig({ publicUrl: 'http://localhost:3000', seed: 'none' })
  const before = new AccessTokens({ keys: keyRing(tokenSecret), config, clock })
  const after = new AccessTokens({
    keys: keyRing(`a new secret that is long enough too,${tokenSecret}`),
    config,
    clock,
  })
  const old = await before.sign({ accountId, sessionId, amr: ['pwd'] })
  const renewed = await after.sign({ accountId, sessionId, amr: ['pwd'] })
  expect(await after.claims(old)).toMatchObject({ accountId, sessionId })
  expect(await before.claims(renewed)).toBeUndefined()
})

test('the cache of verified tokens is bounded, and evicted tokens still work', async () => {
  const config = identityConfig({ publicUrl: 'http://localhost:3000', seed: 'none' })
  const tokens = new AccessTokens({ keys: keyRing(tokenSecret), config, clock }, 2)
  const three = await Promise.all([1, 2, 3].map(() => tokens.sign({ accountId, sessionId, amr: ['pwd'] })))
  for (const one of three) await tokens.claims(one)
  // A cached token is answered synchronously, an uncached one by a promise.
  expect(three.map((one) => tokens.claims(one) instanceof Promise)).toEqual([true, false, false])
  expect(await tokens.claims(three[0] ?? '')).toMatchObject({ sessionId })
})
