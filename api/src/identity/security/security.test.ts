import { securityLog, sessions } from '@portico/contract/calls/account/security.ts'
import { expect, test } from 'vitest'
import { prune } from '#identity/prune.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { newestLetter } from '#test/support/mail.ts'
import { Browser, browsersOn, password, person, stoppedClock } from '#test/support/people.ts'
import { enrol } from '#test/support/totp.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const env = { rateLimitScale: 100_000 }
const { app } = await testApp(pool, { clock, env })
const replica = await testApp(pool, { clock, env })

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
let count = 0
const newBrowser = browsersOn(app)
const otherBrowser = (agent = firefox, on = app) => newBrowser({ headers: { 'user-agent': agent } }, on)

async function signedIn(more = {}) {
  const somebody = await person(pool, `somebody-${++count}@example.test`, more)
  const browser = otherBrowser()
  await browser.signIn(somebody.email)
  return { ...somebody, browser }
}

const listed = async (browser: Browser) =>
  sessions.output.parse((await browser.get('/api/user/sessions')).json()).sessions

const log = async (browser: Browser, before?: number) =>
  securityLog.output.parse(
    (await browser.get(`/api/user/security-log${before ? `?before=${before}` : ''}`)).json(),
  )

test('a person sees where they are signed in, this session first, and what the others are', async () => {
  const { email, browser } = await signedIn()
  clock.forward(60_000)
  const program = otherBrowser('backup/2.1 (cron)')
  await program.signIn(email)
  clock.forward(60_000)
  const phone = otherBrowser(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  )
  await phone.signIn(email)
  const found = await listed(browser)
  expect(found.map(({ current, device }) => ({ current, device }))).toEqual([
    { current: true, device: { browser: 'Firefox', system: 'Windows' } },
    { current: false, device: { browser: 'Safari', system: 'iOS' } },
    { current: false, device: { browser: 'backup', system: null } },
  ])
  expect(found[1]?.ip).toMatch(/^198\.51\.\d+\.\d+$/)
  expect(JSON.stringify(found)).not.toContain('hash')
  const [first] = found
  expect(Date.parse(first?.expires_at ?? '') - clock.now().getTime()).toBe(86_400_000 - 120_000)
})

test('a session that is ended is out at the very next request, on every replica', async () => {
  const { email, browser } = await signedIn()
  const other = otherBrowser(firefox, replica.app)
  await other.signIn(email)
  expect((await other.get('/api/user')).statusCode).toBe(200)
  const [, found] = await listed(browser)
  const answer = await browser.send('DELETE', `/api/user/sessions/${found?.id}`)
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: true }])
  expect((await other.get('/api/user')).statusCode).toBe(401)
  expect((await other.refresh()).statusCode).toBe(401)
  expect(await listed(browser)).toHaveLength(1)
  expect((await browser.send('DELETE', `/api/user/sessions/${found?.id}`)).statusCode).toBe(404)
  expect((await log(browser)).events[0]).toMatchObject({ kind: 'session-ended', about: 'Firefox, Windows' })
})

test('all other sessions end at once, and their browsers are not known any more', async () => {
  const { email, browser } = await signedIn()
  const others = [otherBrowser(firefox, replica.app), otherBrowser(), otherBrowser()]
  for (const other of others) await other.signIn(email)
  expect((await browser.send('DELETE', '/api/user/sessions')).json()).toEqual({ ended: 3 })
  for (const other of others) expect((await other.get('/api/user')).statusCode).toBe(401)
  expect((await browser.get('/api/user')).statusCode).toBe(200)
  expect((await browser.send('DELETE', '/api/user/sessions')).json()).toEqual({ ended: 0 })
  const devices = await pool.kysely.selectFrom('auth_devices').selectAll().execute()
  expect(devices.filter(({ account_id }) => account_id === devices.at(-1)?.account_id)).toHaveLength(1)
})

test('ending the session one is in signs out', async () => {
  const { browser } = await signedIn()
  const [own] = await listed(browser)
  await browser.send('DELETE', `/api/user/sessions/${own?.id}`)
  expect([...browser.cookies.keys()]).toEqual(['lang', 'device'])
})

test("nobody ends, or sees, the sessions and the log of somebody else's account", async () => {
  const victim = await signedIn()
  const { browser } = await signedIn()
  const [theirs] = await listed(victim.browser)
  const answer = await browser.send('DELETE', `/api/user/sessions/${theirs?.id}`)
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([404, 'session_not_found'])
  expect((await victim.browser.get('/api/user')).statusCode).toBe(200)
  expect((await listed(browser)).map(({ id }) => id)).not.toContain(theirs?.id)
  const newest = (await log(victim.browser)).events[0]?.id ?? 0
  expect((await log(browser, newest + 1000)).events.map(({ id }) => id)).not.toContain(newest)
  for (const id of ['1', 'x', `${theirs?.id}'--`])
    expect((await browser.send('DELETE', `/api/user/sessions/${encodeURIComponent(id)}`)).statusCode).toBe(
      400,
    )
})

test('the overview says how a person signs in', async () => {
  const { email, browser } = await signedIn()
  const recent_until = new Date(clock.now().getTime() + 600_000).toISOString()
  expect((await browser.get('/api/user/security')).json()).toEqual({
    email,
    pending_email: null,
    has_password: true,
    two_factor: { enabled: false, recovery_codes_left: 0 },
    passkeys: 0,
    recent_until,
  })
  await enrol(browser, clock)
  expect((await browser.get('/api/user/security')).json()).toMatchObject({
    two_factor: { enabled: true, recovery_codes_left: 10 },
  })
})

test('the log lists the newest first, page by page', async () => {
  const { email, browser } = await signedIn()
  await otherBrowser().login(email, 'wrong')
  for (let i = 0; i < 30; i++) {
    const other = otherBrowser('curl/8.5.0')
    await other.signIn(email)
    await other.get('/api/user/logout')
  }
  const first = await log(browser)
  expect([first.events.length, first.more]).toEqual([25, true])
  expect(first.events[0]).toMatchObject({
    kind: 'signed-out',
    ip: expect.stringMatching(/^198\.51\./),
    device: { browser: 'curl', system: null },
    about: null,
    at: expect.any(String),
  })
  const kinds: string[] = []
  let page = first
  for (;;) {
    kinds.push(...page.events.map(({ kind }) => kind))
    if (!page.more) break
    page = await log(browser, page.events.at(-1)?.id)
  }
  expect(kinds).toHaveLength(62)
  expect(kinds.slice(-2)).toEqual(['sign-in-failed', 'signed-in'])
})

test('the reuse of a refresh token is reported to the owner', async () => {
  const { email, browser } = await signedIn()
  const stolen = browser.cookies.get('refreshToken') ?? ''
  await browser.refresh()
  await browser.refresh()
  clock.forward(11_000)
  const thief = otherBrowser('curl/8.5.0')
  expect((await thief.refresh(stolen)).statusCode).toBe(401)
  expect(await newestLetter(pool, email, 'session-stolen')).toMatchObject({
    name: 'Ada',
    device: { browser: 'curl', system: null },
  })
  const again = otherBrowser()
  await again.signIn(email)
  expect((await log(again)).events.map(({ kind }) => kind)).toContain('refresh-reuse')
})

test('events, devices and dead links are kept as long as they are of use, and a registration for ever', async () => {
  const { accountId, browser, email } = await signedIn()
  const register = { first_name: 'Ilie', last_name: 'Rus', email: 'kept@example.test', terms: true }
  await browser.ask({
    method: 'POST',
    url: '/auth/register',
    payload: { ...register, password: 'nine green bottles standing' },
  })
  const counted = async () => {
    const [row] = await pool.run({
      sql: `select (select count(*) from auth_events where account_id = $1) as events,
        (select count(*) from auth_devices where account_id = $1) as devices,
        (select count(*) from auth_events where kind = 'registered') as registered,
        (select count(*) from auth_one_time where purpose = 'verify-email') as links,
        (select count(*) from auth_one_time where purpose = 'sign-in') as codes`,
      values: [accountId],
    })
    return row
  }
  await new Browser(app).login(email, password)
  expect(await counted()).toMatchObject({ events: 1, devices: 1, registered: 1, links: 1 })
  clock.forward(24 * 3_600_000)
  await prune({ pool, clock })
  expect(await counted()).toEqual({ events: 1, devices: 1, registered: 1, links: 1, codes: 0 })
  clock.forward(8 * 24 * 3_600_000)
  await prune({ pool, clock })
  expect(await counted()).toMatchObject({ events: 1, devices: 1, links: 0 })
  // An unconfirmed account is deleted after a while, together with its registration.
  await pool.run({
    sql: 'update auth_accounts set verified_at = now() where email_key = $1',
    values: [register.email],
  })
  clock.forward(365 * 24 * 3_600_000)
  await prune({ pool, clock })
  expect(await counted()).toMatchObject({ events: 0, devices: 0, registered: 1 })
})
