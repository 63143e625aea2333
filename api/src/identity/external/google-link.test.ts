import { afterAll, expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { newestLetter } from '#test/support/mail.ts'
import { startIssuer, throughIssuer } from '#test/support/oidc-issuer.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const issuer = await startIssuer()
afterAll(issuer.stop)
const clock = stoppedClock(Date.now())
const { app } = await testApp(pool, {
  clock,
  env: {
    rateLimitScale: 1000,
    googleIssuer: issuer.url,
    googleClientId: issuer.clientId,
    googleClientSecret: issuer.clientSecret,
  },
})

let made = 0

async function signedIn() {
  const one = await person(pool, `owner-${++made}@example.test`)
  const browser = new Browser(app)
  await browser.signIn(one.email)
  return { ...one, browser }
}

const bearer = (browser: Browser) => ({ authorization: `Bearer ${browser.cookies.get('token')}` })
const begin = (browser: Browser) =>
  browser.ask({ method: 'POST', url: '/api/user/identities/google', headers: bearer(browser), payload: {} })

/** Begins, and signs in at the issuer: the call that the page is to make then. */
async function away(browser: Browser, email: string): Promise<string> {
  const { url } = (await begin(browser)).json()
  return `/auth/google/callback${(await throughIssuer(url, email)).search}`
}
const link = async (browser: Browser, email: string) => browser.get(await away(browser, email))
const linked = async (browser: Browser) => (await browser.get('/api/user/identities')).json().identities
const unlink = (browser: Browser, id: number) =>
  browser.ask({ method: 'DELETE', url: `/api/user/identities/${id}`, headers: bearer(browser) })
/** The letters to a person about their external accounts. */
const lettersTo = async (email: string) =>
  (
    await db
      .selectFrom('outbox_letters')
      .select('kind')
      .where('recipient', '=', email)
      .where('kind', 'like', 'google-%')
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind)

test('a person links an account of another address, signs in with it, and unlinks it', async () => {
  const { browser, id, email } = await signedIn()
  const token = browser.cookies.get('token')
  const answer = await link(browser, 'private@elsewhere.test')
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      access_token: token,
      refresh_token: 'cookie',
      linked: true,
      user: expect.objectContaining({ id, email }),
    },
  ])
  const [identity] = await linked(browser)
  expect(identity).toEqual({
    id: expect.any(Number),
    provider: 'google',
    email: 'private@elsewhere.test',
    created_at: expect.any(String),
  })
  const other = new Browser(app)
  const start = await other.ask({ url: '/auth/google' })
  const back = await throughIssuer(String(start.headers.location), 'private@elsewhere.test')
  expect((await other.get(`/auth/google/callback${back.search}`)).json().user).toMatchObject({ id, email })
  expect((await unlink(browser, identity.id)).json()).toEqual({ status: true })
  expect(await linked(browser)).toEqual([])
  expect(await lettersTo(email)).toEqual(['google-linked', 'google-unlinked'])
  const again = await other.ask({ url: '/auth/google' })
  const elsewhere = await throughIssuer(String(again.headers.location), 'private@elsewhere.test')
  const stranger = await new Browser(app).ask({
    url: `/auth/google/callback${elsewhere.search}`,
    headers: { cookie: `g_tx=${other.cookies.get('g_tx')}` },
  })
  expect(stranger.json().user.id).not.toBe(id)
})

test('linking what is linked already changes nothing', async () => {
  const { browser, email } = await signedIn()
  await link(browser, 'twice@elsewhere.test')
  expect((await link(browser, 'twice@elsewhere.test')).json()).toMatchObject({ linked: true })
  expect(await linked(browser)).toHaveLength(1)
  expect(await lettersTo(email)).toEqual(['google-linked'])
})

test('a Google account is linked to only one account, also with concurrent requests', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  const urls = await Promise.all([one, two].map(({ browser }) => away(browser, 'wanted@elsewhere.test')))
  const answers = await Promise.all([one, two].map(({ browser }, at) => browser.get(urls[at] ?? '')))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect([...(await linked(one.browser)), ...(await linked(two.browser))]).toHaveLength(1)
})

test('a link cannot be completed by another person than the one who started it', async () => {
  const [owner, attacker] = [await signedIn(), await signedIn()]
  const url = await away(owner.browser, 'mine@elsewhere.test')
  const cookie = `g_tx=${owner.browser.cookies.get('g_tx')}`
  const asAttacker = { cookie, ...bearer(attacker.browser) }
  expect((await app.inject({ url, headers: asAttacker })).statusCode).toBe(403)
  const second = await away(owner.browser, 'mine@elsewhere.test')
  const again = `g_tx=${owner.browser.cookies.get('g_tx')}`
  // A round trip that was started for linking does not sign in.
  const answer = await app.inject({ url: second, headers: { cookie: again } })
  expect([answer.statusCode, answer.cookies.filter(({ value }) => value !== '')]).toEqual([401, []])
  expect(await linked(owner.browser)).toEqual([])
  expect(await linked(attacker.browser)).toEqual([])
  expect(await db.selectFrom('auth_identities').where('subject', 'like', '%mine@%').execute()).toEqual([])
})

test('a token that expires on the way is renewed, and the link made then', async () => {
  const { browser } = await signedIn()
  const url = await away(browser, 'late@elsewhere.test')
  const expired = browser.cookies.get('token')
  clock.forward(599_000)
  await browser.refresh()
  const renewed = browser.cookies.get('token')
  const [first, second] = [await browser.get(url, `${expired}x`), await browser.get(url, renewed)]
  expect([first.statusCode, second.statusCode]).toEqual([401, 200])
  expect(await linked(browser)).toHaveLength(1)
})

test('a person whose session ends while the provider is asked links nothing', async () => {
  const { browser, accountId } = await signedIn()
  const url = await away(browser, 'door@elsewhere.test')
  const { fetch } = globalThis
  // At the moment when the portal asks the provider, the owner ends every session.
  globalThis.fetch = async (...asked) => {
    const answer = await fetch(...asked)
    const at = new Date().toISOString()
    await db
      .updateTable('auth_sessions')
      .set({ revoked_at: at, revoke_reason: 'ended' })
      .where('account_id', '=', accountId)
      .execute()
    return answer
  }
  const answer = await browser.get(url).finally(() => {
    globalThis.fetch = fetch
  })
  expect(answer.statusCode).toBe(401)
  const kept = db.selectFrom('auth_identities').select('id').where('account_id', '=', accountId)
  expect(await kept.execute()).toEqual([])
})

test('an attacker who plants their own callback in another browser links nothing there', async () => {
  const [victim, attacker] = [await signedIn(), await signedIn()]
  const url = await away(attacker.browser, 'attacker@elsewhere.test')
  await begin(victim.browser)
  expect((await victim.browser.get(url)).statusCode).toBe(401)
  expect(await linked(victim.browser)).toEqual([])
})

test('an address that the provider does not call theirs is not linked', async () => {
  const { browser } = await signedIn()
  const email = 'unproven@elsewhere.test'
  issuer.people.set(email, { sub: 'unproven', email, email_verified: false })
  expect((await link(browser, email)).statusCode).toBe(403)
  expect(await linked(browser)).toEqual([])
})

test("linking and unlinking ask for a sign-in of the last ten minutes, and are the owner's alone", async () => {
  const { browser } = await signedIn()
  await link(browser, 'recent@elsewhere.test')
  const [{ id }] = await linked(browser)
  clock.forward(590_000)
  await browser.refresh()
  clock.forward(10_000)
  for (const answer of [await begin(browser), await unlink(browser, id)])
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([403, 'recent_sign_in_required'])
  expect(await linked(browser)).toHaveLength(1)
  const other = await signedIn()
  expect((await unlink(other.browser, id)).statusCode).toBe(404)
  const unknown = { method: 'DELETE', url: `/api/user/identities/${id}` } as const
  expect((await app.inject(unknown)).statusCode).toBe(401)
  expect((await app.inject('/api/user/identities')).statusCode).toBe(401)
  const nobody = { method: 'POST', url: '/api/user/identities/google', payload: {} } as const
  expect((await app.inject(nobody)).statusCode).toBe(401)
  expect(await linked(browser)).toHaveLength(1)
})

test('the last way in stays', async () => {
  const browser = new Browser(app)
  const start = await browser.ask({ url: '/auth/google' })
  const back = await throughIssuer(String(start.headers.location), 'only@elsewhere.test')
  await browser.get(`/auth/google/callback${back.search}`)
  const [{ id }] = await linked(browser)
  const answer = await unlink(browser, id)
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([409, 'way_in_last'])
  expect(await linked(browser)).toHaveLength(1)
  expect(await lettersTo('only@elsewhere.test')).toEqual([])
})

/** Two accounts at the issuer that have, or had, the same address. */
function twoOf(email: string): [string, string] {
  const names = [`first-of-${email}`, `second-of-${email}`] as const
  for (const name of names) issuer.people.set(name, { sub: `sub of ${name}`, email, email_verified: true })
  return [...names]
}

async function toSignIn(name: string) {
  const browser = new Browser(app)
  const start = await browser.ask({ url: '/auth/google' })
  const { search } = await throughIssuer(String(start.headers.location), name)
  return { browser, finish: () => browser.get(`/auth/google/callback${search}`) }
}

const logOf = async (browser: Browser) =>
  (await browser.get('/api/user/security-log'))
    .json()
    .events.filter(({ kind }: { kind: string }) => kind.startsWith('google-'))
    .map(({ kind, about }: { kind: string; about: string }) => `${kind} ${about}`)

test('a second Google identity with the address of an account is refused, and the owner is notified', async () => {
  const { browser, email } = await signedIn()
  const [first, second] = twoOf(email)
  const owner = await toSignIn(first)
  expect((await owner.finish()).statusCode).toBe(200)
  for (let tries = 0; tries < 3; tries++) {
    const { browser: stranger, finish } = await toSignIn(second)
    const answer = await finish()
    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([403, 'identity_not_linked'])
    expect(answer.cookies.filter(({ value }) => value !== '')).toEqual([])
    expect((await stranger.get('/api/user')).statusCode).toBe(401)
  }
  expect(await lettersTo(email)).toEqual(['google-linked', 'google-refused'])
  expect(await logOf(browser)).toEqual([`google-refused ${email}`, `google-linked ${email}`])
  expect(await newestLetter(pool, email, 'google-refused')).toMatchObject({ name: 'Ada', email })
  // An owner who signs in another way can link the second identity and use both.
  expect((await link(browser, second)).statusCode).toBe(200)
  for (const name of [first, second]) {
    const { finish } = await toSignIn(name)
    expect((await finish()).json().user).toMatchObject({ email })
  }
})

test('the owner who unlinked the former one is linked by their address again', async () => {
  const { browser, email } = await signedIn()
  const [first, second] = twoOf(email)
  await (await toSignIn(first)).finish()
  const [former] = await linked(browser)
  expect((await unlink(browser, former.id)).statusCode).toBe(200)
  expect((await (await toSignIn(second)).finish()).statusCode).toBe(200)
})

test.each(['an account that is there', 'an account that neither has yet'])(
  'of two at Google with one address that come first to %s at one moment, one is let in',
  async (which) => {
    const email = which.includes('there') ? (await signedIn()).email : `nobody-${++made}@example.test`
    const both = await Promise.all(twoOf(email).map(toSignIn))
    const answers = await Promise.all(both.map(({ finish }) => finish()))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403])
    const kept = await db.selectFrom('auth_identities').select('subject').where('email', '=', email).execute()
    expect(kept).toHaveLength(1)
  },
)
