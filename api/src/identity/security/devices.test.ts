import { expect, test } from 'vitest'
import { identityConfig, limits } from '#identity/config.ts'
import { keyRing } from '#identity/sessions/signing-keys.ts'
import { Throttle } from '#identity/sign-in/throttle.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { Browser, browsersOn, person, securityEvents, stoppedClock } from '#test/support/people.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { makeMember } from '#test/support/staff.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 100_000 } })

const otherBrowser = browsersOn(app)

const guess = (email: string, count: number, from = otherBrowser) =>
  Promise.all(Array.from({ length: count }, (_, i) => from().login(email, `guess ${i}`)))

const events = async (accountId: string) => (await securityEvents(pool, accountId)).map(({ kind }) => kind)

test('guesses from other browsers do not lock the owner out of a known browser', async () => {
  const { email } = await person(pool, 'owner@example.test')
  const browser = otherBrowser()
  await browser.signIn(email)
  await guess(email, 40)
  expect((await otherBrowser().login(email)).statusCode).toBe(429)
  expect((await browser.login(email)).statusCode).toBe(200)
})

test('the known browser has ten tries of its own, and using them up closes no other', async () => {
  const { email } = await person(pool, 'fumbler@example.test')
  const browser = otherBrowser()
  await browser.signIn(email)
  const answers = await guess(email, 15, () => browser)
  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10)
  expect((await browser.login(email)).headers['retry-after']).toBe('60')
  expect((await otherBrowser().login(email)).statusCode).toBe(200)
})

test('a device cookie that was made up, or is known to another account, opens no tries', async () => {
  const [victim, thief] = [
    await person(pool, 'victim@example.test'),
    await person(pool, 'thief@example.test'),
  ]
  const theirs = otherBrowser()
  await theirs.signIn(thief.email)
  await guess(victim.email, 40)
  const madeUp = otherBrowser()
  madeUp.cookies.set('device', 'A'.repeat(43))
  for (const browser of [theirs, madeUp]) expect((await browser.login(victim.email)).statusCode).toBe(429)
})

test('the owner is notified of a new browser, but not of the first or of a known one', async () => {
  const { email } = await person(pool, 'notified@example.test', { status: 2 })
  const browser = otherBrowser()
  await browser.signIn(email)
  await browser.signIn(email)
  expect(await lettersTo(pool, email)).toEqual([])
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  await otherBrowser({ headers, remoteAddress: '203.0.113.7' }).signIn(email)
  expect(await lettersTo(pool, email)).toEqual([
    {
      kind: 'new-device',
      name: 'Ada',
      ip: '203.0.113.7',
      device: { browser: 'Firefox', system: 'Linux' },
      at: clock.now().toISOString(),
    },
  ])
})

test('administrators read that another member of staff signed in from a new device', async () => {
  const chief = await makeMember(pool, 'admin')
  const dan = await makeMember(pool, 'support')
  const told = async () =>
    (await lettersTo(pool, chief.email)).filter(({ kind }) => kind === 'staff-new-device')
  const browser = otherBrowser()
  await browser.signIn(dan.email)
  expect(await told()).toMatchObject([{ who: `support · ${dan.email}` }])
  await browser.signIn(dan.email)
  expect(await told()).toHaveLength(1)
  expect((await lettersTo(pool, dan.email)).map(({ kind }) => kind)).toEqual(['new-device'])
  // Nobody is told of their own, and nobody of a client's.
  await otherBrowser().signIn(chief.email)
  await otherBrowser().signIn((await person(pool, 'no-staff@example.test')).email)
  expect(await told()).toHaveLength(1)
})

test('a thousand new browsers cause five letters a day, and none to an unconfirmed address', async () => {
  const { email } = await person(pool, 'bothered@example.test')
  const stranger = await person(pool, 'stranger@example.test', { verified: false })
  for (let i = 0; i < 7; i++) {
    await otherBrowser().signIn(email)
    await otherBrowser().signIn(stranger.email)
  }
  expect(await lettersTo(pool, email)).toHaveLength(5)
  expect(await lettersTo(pool, stranger.email)).toEqual([])
})

test('a program that signs in again from the same network is no news, from another it is', async () => {
  const { email } = await person(pool, 'program@example.test', { status: 2 })
  const from = (remoteAddress: string) =>
    new Browser(app, { remoteAddress, headers: { 'x-portico-client': 'api', 'user-agent': 'backup/2.1' } })
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) {
    const answer = await from(address).signIn(email)
    expect(answer.statusCode).toBe(200)
    expect(answer.cookies.filter(({ value }) => value !== '')).toEqual([])
  }
  expect(await lettersTo(pool, email)).toMatchObject([
    { kind: 'new-device', ip: '192.0.2.2', device: { browser: 'backup', system: null } },
  ])
})

test('failures are kept, a few of each hour, and that it was blocked', async () => {
  const { email, accountId } = await person(pool, 'noted@example.test')
  await guess(email, 40)
  const kept = await events(accountId)
  expect(kept.filter((kind) => kind === 'sign-in-blocked')).toHaveLength(1)
  // Those that run at the same moment may not see each other; together they stay few.
  expect(kept.filter((kind) => kind === 'sign-in-failed').length).toBeLessThanOrEqual(10)
  clock.forward(61_000)
  for (let i = 0; i < 3; i++) await guess(email, 1)
  expect((await events(accountId)).filter((kind) => kind === 'sign-in-failed').length).toBeLessThanOrEqual(10)
})

test('a flood over all accounts throttles strangers, admits known browsers, and then subsides', async () => {
  const { email } = await person(pool, 'regular@example.test')
  const browser = otherBrowser()
  await browser.signIn(email)
  clock.forward(limits.everywhere.window)
  const config = identityConfig({ publicUrl: 'http://localhost:3000', seed: 'none' })
  const throttle = new Throttle({
    pool,
    clock,
    keys: keyRing(tokenSecret),
    vault: testVault,
    config,
    brandName: () => '',
  })
  for (let i = 0; i < limits.everywhere.tries; i++) await throttle.charge(limits.everywhere, '')

  const refused = await otherBrowser().login(email)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
  expect((await browser.login(email)).statusCode).toBe(200)
  clock.forward(60_000)
  // A try that the flood kept from being looked at was not counted against the account.
  for (let i = 0; i < 20; i++) expect((await otherBrowser().login(email)).statusCode).toBe(200)
  for (let i = 0; i < limits.everywhere.again; i++) await throttle.charge(limits.everywhere, '')
  expect((await otherBrowser().login(email)).headers['retry-after']).toBe('60')
})
