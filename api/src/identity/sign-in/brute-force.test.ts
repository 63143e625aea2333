import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, browsersOn, person, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
// The general limits are out of the way, and those on sign-in are to stay where they are.
const env = { rateLimitScale: 100_000, trustedProxies: [] }
const { app } = await testApp(pool, { clock, env })

const otherBrowser = browsersOn(app)

const tally = (answers: { statusCode: number }[]) => {
  const counted: Record<number, number> = {}
  for (const { statusCode } of answers) counted[statusCode] = (counted[statusCode] ?? 0) + 1
  return counted
}

const guesses = (email: string, from = otherBrowser) =>
  Promise.all(Array.from({ length: 40 }, (_, i) => from().login(email, `guess ${i}`)))

test.each(['known@example.test', 'unknown@example.test'])(
  'of forty wrong passwords for %s at once, from as many addresses, ten are looked at',
  async (email) => {
    if (email.startsWith('known')) await person(pool, email)
    const answers = await guesses(email)
    expect(tally(answers)).toEqual({ 401: 10, 429: 30 })
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['60']))
    expect(new Set(refused.map(({ body }) => body)).size).toBe(1)
    expect(refused[0]?.json().errors).toMatchObject([{ status: '429', code: 'attempts_too_many' }])
  },
)

test('while an address is blocked even the right password is refused, also after a restart', async () => {
  const { email } = await person(pool, 'patient@example.test')
  await guesses(email)
  expect((await otherBrowser().login(email)).statusCode).toBe(429)
  const restarted = await testApp(pool, { clock, env })
  const browser = new Browser(restarted.app, { remoteAddress: '203.0.113.9' })
  expect((await browser.login(email)).statusCode).toBe(429)
  clock.forward(60_000)
  expect((await browser.login(email)).statusCode).toBe(200)
})

test('one address gets fifty wrong passwords over all accounts, regardless of X-Forwarded-For', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      new Browser(app, {
        remoteAddress: '203.0.113.10',
        headers: { 'x-forwarded-for': `192.0.2.${i}` },
      }).login(`sprayed-${i}@example.test`, 'wrong'),
    ),
  )
  expect(tally(answers)).toEqual({ 401: 50, 429: 10 })
})

test('a network of IPv6 counts as one address', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      new Browser(app, { remoteAddress: `2001:db8:1:2::${i.toString(16)}` }).login(
        `six-${i}@example.test`,
        'wrong',
      ),
    ),
  )
  expect(tally(answers)).toEqual({ 401: 50, 429: 10 })
})

test('right passwords use nothing up', async () => {
  const { email } = await person(pool, 'busy@example.test')
  const browser = new Browser(app, { remoteAddress: '203.0.113.11' })
  for (let i = 0; i < 60; i++) expect((await browser.login(email)).statusCode).toBe(200)
})
