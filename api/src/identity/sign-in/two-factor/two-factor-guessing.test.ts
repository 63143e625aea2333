import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'
import { enrol, totp } from '#test/support/totp.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const env = { rateLimitScale: 100_000 }
const { app } = await testApp(pool, { clock, env })

const step = 30_000
let count = 0

async function withTwoFactor() {
  const { email, accountId } = await person(pool, `somebody-${++count}@example.test`)
  const browser = new Browser(app)
  await browser.signIn(email)
  const enrolled = await enrol(browser, clock)
  clock.forward(10 * step)
  return { email, accountId, browser, ...enrolled }
}

/** A browser that has taken the first step, which tries codes. */
async function guesser(email: string, browser = new Browser(app)) {
  const { challenge } = (await browser.login(email)).json()
  return (code: string) =>
    browser.ask({ method: 'POST', url: '/auth/login/two-factor', payload: { challenge, code } })
}

const wrong = (secret: string) => (totp(secret, clock) === '000000' ? '111111' : '000000')

async function statuses(count: number, ask: () => Promise<{ statusCode: number }>): Promise<number[]> {
  const seen: number[] = []
  for (let i = 0; i < count; i++) seen.push((await ask()).statusCode)
  return seen
}

const lettersTo = async (email: string) =>
  (
    await pool.kysely
      .selectFrom('outbox_letters')
      .select('kind')
      .where('recipient', '=', email)
      .where('kind', '=', 'two-factor-guessed')
      .execute()
  ).length

test('of forty concurrent wrong codes five are checked, and the owner is notified once', async () => {
  const { email, secret, accountId } = await withTwoFactor()
  const guessers = await Promise.all(Array.from({ length: 10 }, () => guesser(email)))
  const answers = await Promise.all(
    [...guessers, ...guessers, ...guessers, ...guessers].map((guess) => guess(wrong(secret))),
  )
  const looked = answers.filter(({ statusCode }) => statusCode === 422)
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect([looked.length, refused.length]).toEqual([5, 35])
  expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['300']))
  expect(await lettersTo(email)).toBe(1)
  const events = await pool.kysely
    .selectFrom('auth_events')
    .select('kind')
    .where('account_id', '=', accountId)
    .where('kind', 'in', ['two-factor-failed', 'sign-in-blocked'])
    .execute()
  expect(events.map(({ kind }) => kind).sort()).toEqual([
    'sign-in-blocked',
    ...Array(5).fill('two-factor-failed'),
  ])
})

test('a block rejects even the right code, survives a restart, and doubles each time', async () => {
  const { email, secret, recoveryCodes } = await withTwoFactor()
  const guess = await guesser(email)
  expect(await statuses(6, () => guess(wrong(secret)))).toEqual([...Array(5).fill(422), 429])
  expect((await guess(totp(secret, clock))).statusCode).toBe(429)
  const restarted = await testApp(pool, { clock, env })
  const otherBrowser = await guesser(email, new Browser(restarted.app))
  expect((await otherBrowser(totp(secret, clock))).statusCode).toBe(429)
  expect((await otherBrowser(recoveryCodes[0] ?? '')).statusCode).toBe(429)

  clock.forward(300_000)
  const next = await guesser(email)
  expect(await statuses(2, () => next(wrong(secret)))).toEqual([422, 429])
  expect((await next(wrong(secret))).headers['retry-after']).toBe('600')
  expect(await lettersTo(email)).toBe(2)
  clock.forward(600_000)
  const last = await guesser(email)
  expect((await last(totp(secret, clock))).statusCode).toBe(200)
})

test('tries are counted wherever they are made: signing in, turning it off, asking for new codes', async () => {
  const { email, secret, browser } = await withTwoFactor()
  const guess = await guesser(email, browser)
  const change = (verb: string) =>
    browser.send('POST', `/api/user/two-factor/${verb}`, { code: wrong(secret) })
  expect(await statuses(2, () => guess(wrong(secret)))).toEqual([422, 422])
  expect(await statuses(2, () => change('disable'))).toEqual([422, 422])
  expect(await statuses(2, () => change('recovery-codes'))).toEqual([422, 429])
  expect((await change('disable')).statusCode).toBe(429)
  expect((await guess(totp(secret, clock))).statusCode).toBe(429)
})

test('guesses from other browsers do not lock the owner out of a known browser', async () => {
  const { browser: other } = await withTwoFactor()
  const { email, secret, browser } = await withTwoFactor()
  const stranger = await guesser(email)
  expect(await statuses(6, () => stranger(wrong(secret)))).toEqual([...Array(5).fill(422), 429])
  expect(await lettersTo(email)).toBe(1)
  const owner = await guesser(email, browser)
  expect((await owner(totp(secret, clock))).statusCode).toBe(200)
  // Five wrong codes lock this sign-in too, for that browser only.
  const again = await guesser(email, browser)
  expect(await statuses(6, () => again(wrong(secret)))).toEqual([...Array(5).fill(422), 429])
  expect((await (await guesser(email, other))(totp(secret, clock))).statusCode).toBe(429)
})

test('a right code refunds only itself: earlier guesses stay counted', async () => {
  const { email, secret } = await withTwoFactor()
  const guess = await guesser(email)
  expect(await statuses(4, () => guess(wrong(secret)))).toEqual([422, 422, 422, 422])
  expect((await (await guesser(email))(totp(secret, clock))).statusCode).toBe(200)
  expect(await statuses(2, () => guess(wrong(secret)))).toEqual([422, 429])
})

test('right codes use nothing up', async () => {
  const { email, secret } = await withTwoFactor()
  for (let i = 0; i < 12; i++) {
    clock.forward(step)
    expect((await (await guesser(email))(totp(secret, clock))).statusCode).toBe(200)
  }
})

test('a quarter of an hour without a wrong code forgets the ones before', async () => {
  const { email, secret } = await withTwoFactor()
  const first = await guesser(email)
  expect(await statuses(5, () => first(wrong(secret)))).toEqual(Array(5).fill(422))
  clock.forward(900_000)
  const second = await guesser(email)
  expect(await statuses(6, () => second(wrong(secret)))).toEqual([...Array(5).fill(422), 429])
})

test('the second step reveals nothing to a person without an account or a second factor', async () => {
  const { email } = await person(pool, 'without@example.test')
  const browser = new Browser(app)
  await browser.login(email)
  const answer = await browser.ask({
    method: 'POST',
    url: '/auth/login/two-factor',
    payload: { challenge: 'a'.repeat(43), code: '000000' },
  })
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([401, 'sign_in_expired'])
})

test.each([
  [{ challenge: 'x', code: '' }, '/code'],
  [{ challenge: 'x', code: '1'.repeat(41) }, '/code'],
  [{ challenge: '', code: '123456' }, '/challenge'],
  [{ challenge: 'x'.repeat(201), code: '123456' }, '/challenge'],
  [{ challenge: ['x'], code: 123456 }, '/challenge'],
])('a second step with %j is refused with the reason', async (payload, pointer) => {
  const answer = await app.inject({ method: 'POST', url: '/auth/login/two-factor', payload })
  expect(answer.statusCode).toBe(422)
  expect(answer.json().errors).toContainEqual(expect.objectContaining({ source: { pointer } }))
})
