import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { Authenticator, newKey } from '#test/support/authenticator.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person, securityEvents, stoppedClock } from '#test/support/people.ts'
import { enrol } from '#test/support/totp.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 100_000 } })

let count = 0
let addresses = 0

/** A browser at an address of its own, so that what one test does wrong does not count against another. */
const newBrowser = () => new Browser(app, { remoteAddress: `203.0.113.${++addresses % 250}` })

async function signedIn(more: { verified?: boolean } = {}) {
  const { id, accountId, email } = await person(pool, `somebody-${++count}@example.test`, more)
  const browser = newBrowser()
  await browser.signIn(email)
  return { id, accountId, email, browser }
}

const newOptions = async (browser: Browser) =>
  (await browser.send('POST', '/api/user/passkeys/options', {})).json().options

const add = (browser: Browser, response: object, name = 'Laptop') =>
  browser.send('POST', '/api/user/passkeys', { name, response })

/** A signed-in person with a passkey. */
async function withPasskey({ synced = false } = {}) {
  const somebody = await signedIn()
  const authenticator = new Authenticator({ synced })
  const added = await add(somebody.browser, authenticator.create(await newOptions(somebody.browser)))
  expect(added.statusCode).toBe(200)
  return { ...somebody, authenticator, passkey: added.json() }
}

async function options(browser: Browser) {
  const answer = await browser.ask({ method: 'POST', url: '/auth/passkey/options', payload: {} })
  expect(answer.statusCode).toBe(200)
  return answer.json().options
}

const verify = (browser: Browser, response: object) =>
  browser.ask({ method: 'POST', url: '/auth/passkey/verify', payload: { response } })

async function removePassword(accountId: string): Promise<void> {
  await pool.kysely
    .updateTable('auth_accounts')
    .set({ password_hash: null })
    .where('id', '=', accountId)
    .execute()
}

const list = async (browser: Browser) => (await browser.get('/api/user/passkeys')).json().passkeys

const lettersTo = async (email: string) =>
  (
    await pool.kysely
      .selectFrom('outbox_letters')
      .select('kind')
      .where('recipient', '=', email)
      .where('kind', 'like', 'passkey-%')
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind)

const eventsOf = async (accountId: string) =>
  (await securityEvents(pool, accountId)).filter(({ kind }) => kind !== 'signed-in' && kind !== 'new-device')

test('a passkey is bound to this portal and person, is found without an e-mail, and verifies the user', async () => {
  const { browser, email, accountId } = await signedIn()
  const asked = await newOptions(browser)
  expect(asked).toMatchObject({
    rp: { name: 'Portico', id: 'localhost' },
    user: {
      id: Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url'),
      name: email,
      displayName: 'Ada Example',
    },
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    attestation: 'none',
    timeout: 300_000,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  })
  const answer = await add(browser, new Authenticator().create(asked), ' My laptop ')
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({
    id: expect.any(Number),
    name: 'My laptop',
    synced: false,
    created_at: expect.stringContaining('2026-01-15T'),
    last_used_at: null,
  })
  expect(await list(browser)).toEqual([answer.json()])
  expect((await newOptions(browser)).excludeCredentials).toMatchObject([
    { type: 'public-key', transports: ['internal'] },
  ])
  expect(await eventsOf(accountId)).toEqual([{ kind: 'passkey-added', about: 'My laptop' }])
  expect(await lettersTo(email)).toEqual(['passkey-added'])
})

test('a passkey signs in by itself, and says when it was last used', async () => {
  const { id, accountId, browser, authenticator } = await withPasskey()
  clock.forward(60_000)
  const otherBrowser = newBrowser()
  const asked = await options(otherBrowser)
  expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required', timeout: 300_000 })
  expect(asked).not.toHaveProperty('allowCredentials')
  const verified = await verify(otherBrowser, authenticator.get(asked))
  expect(verified.json()).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/) })
  const callback = await otherBrowser.get(`/auth/callback?code=${verified.json().code}`)
  expect(callback.json().user.id).toBe(id)
  const { amr } = await pool.kysely
    .selectFrom('auth_sessions')
    .select('amr')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  expect(amr).toEqual(['passkey'])
  expect(await list(browser)).toMatchObject([{ last_used_at: expect.stringContaining('2026-') }])
})

test('with two-factor authentication on, a passkey is enough, because it verifies the person', async () => {
  const { browser, authenticator } = await withPasskey()
  await enrol(browser, clock)
  const otherBrowser = newBrowser()
  const answer = await verify(otherBrowser, authenticator.get(await options(otherBrowser)))
  expect(answer.json()).toEqual({ code: expect.any(String) })
})

test('a passkey confirms a session that has grown old', async () => {
  const { browser, authenticator } = await withPasskey()
  clock.forward(600_000)
  await browser.refresh()
  const refused = await browser.send('POST', '/api/user/passkeys/options', {})
  expect([refused.statusCode, refused.json().errors[0].code]).toEqual([403, 'recent_sign_in_required'])
  const { code } = (await verify(browser, authenticator.get(await options(browser)))).json()
  expect((await browser.send('POST', '/auth/confirm', { code })).statusCode).toBe(200)
  expect((await browser.send('POST', '/api/user/passkeys/options', {})).statusCode).toBe(200)
})

test("somebody else's passkey confirms nothing", async () => {
  const { browser } = await signedIn()
  const other = await withPasskey()
  const { code } = (await verify(browser, other.authenticator.get(await options(browser)))).json()
  const answer = await browser.send('POST', '/auth/confirm', { code })
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([422, 'confirmation_invalid'])
})

test('a synced passkey has no counter, and says that it is synced', async () => {
  const { authenticator, passkey } = await withPasskey({ synced: true })
  expect(passkey.synced).toBe(true)
  for (let i = 0; i < 3; i++) {
    const otherBrowser = newBrowser()
    expect((await verify(otherBrowser, authenticator.get(await options(otherBrowser)))).statusCode).toBe(200)
  }
})

const stranger = newKey()

test.each([
  ['signed with another key', { key: stranger }],
  ['from another origin', { origin: 'https://portico.example' }],
  ['from another port of the host', { origin: 'http://localhost:3001' }],
  ['out of a frame in another page', { crossOrigin: true }],
  ['for another relying party', { rpId: 'portico.example' }],
  ['of a person that was not verified', { userVerified: false }],
  ['with the counter it had', { counter: 1 }],
  ['with a lower counter', { counter: 0 }],
  ['to a challenge of somebody else', { challenge: 'a'.repeat(43) }],
  ['to no challenge', { challenge: '' }],
  ['of another ceremony', { type: 'webauthn.create' }],
  ['of another person', { userHandle: Buffer.alloc(16).toString('base64url') }],
])('an answer %s does not sign in', async (_, lie) => {
  const { authenticator } = await withPasskey()
  const otherBrowser = newBrowser()
  const answer = await verify(otherBrowser, authenticator.get(await options(otherBrowser), lie))
  expect([answer.statusCode, answer.json().errors[0]]).toMatchObject([
    401,
    { code: 'passkey_not_accepted', detail: expect.stringMatching(/^This passkey was not accepted/) },
  ])
  expect((await verify(otherBrowser, authenticator.get(await options(otherBrowser)))).statusCode).toBe(200)
})

test('a change anywhere in what was signed is noticed', async () => {
  const { authenticator } = await withPasskey()
  const changes = [
    // The counter, a byte of the signature, and a word of the browser that nothing else looks at.
    ['authenticatorData', (bytes: Buffer) => bytes.writeUInt8(99, bytes.length - 1)],
    ['signature', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)],
    ['clientDataJSON', (bytes: Buffer) => bytes.write('true ', bytes.indexOf('false'))],
  ] as const
  for (const [part, change] of changes) {
    const otherBrowser = newBrowser()
    const honest = authenticator.get(await options(otherBrowser))
    const bytes = Buffer.from(honest.response[part], 'base64url')
    change(bytes)
    const response = { ...honest.response, [part]: bytes.toString('base64url') }
    expect((await verify(otherBrowser, { ...honest, response })).statusCode).toBe(401)
  }
})

test('an answer counts once, in its browser, and for five minutes; a refused one uses its challenge up', async () => {
  const { authenticator } = await withPasskey({ synced: true })
  const first = newBrowser()
  const answer = authenticator.get(await options(first))
  expect((await verify(newBrowser(), answer)).statusCode).toBe(401)
  const both = await Promise.all(Array.from({ length: 8 }, () => verify(first, answer)))
  expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect((await verify(first, answer)).statusCode).toBe(401)

  const asked = await options(first)
  expect((await verify(first, authenticator.get(asked, { userVerified: false }))).statusCode).toBe(401)
  expect((await verify(first, authenticator.get(asked))).statusCode).toBe(401)

  const early = await options(first)
  clock.forward(299_999)
  expect((await verify(first, authenticator.get(early))).statusCode).toBe(200)
  const late = await options(first)
  clock.forward(300_000)
  expect((await verify(first, authenticator.get(late))).statusCode).toBe(401)
})

test('of two concurrent answers with the same counter, as from a copied authenticator, one is accepted', async () => {
  const { authenticator, accountId } = await withPasskey()
  const browsers = [newBrowser(), newBrowser()]
  const answers = await Promise.all(
    browsers.map(async (browser) => ({
      browser,
      response: authenticator.get(await options(browser), { counter: 9 }),
    })),
  )
  const verified = await Promise.all(answers.map(({ browser, response }) => verify(browser, response)))
  expect(verified.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
  expect(await eventsOf(accountId)).toContainEqual({ kind: 'sign-in-failed', about: 'Laptop' })
})

test('asking again in another tab does not spoil what the first tab asked for', async () => {
  const { authenticator } = await withPasskey()
  const browser = newBrowser()
  const first = await options(browser)
  await options(browser)
  expect((await verify(browser, authenticator.get(first))).statusCode).toBe(200)
})

test('an account that may not sign in gets the same answer as an unknown passkey', async () => {
  const lock = {
    blocked: (id: number) => ({ sql: 'update clients set status = 0 where id = $1', values: [id] }),
    disabled: (id: number) => ({
      sql: 'update auth_accounts a set disabled_at = now() from clients c where c.auth_id = a.id and c.id = $1',
      values: [id],
    }),
  }
  const bodies = new Set<string>()
  for (const kind of ['blocked', 'disabled', 'unknown'] as const) {
    const { id, authenticator } = await withPasskey()
    if (kind === 'unknown') await pool.kysely.deleteFrom('auth_passkeys').execute()
    else await pool.run(lock[kind](id))
    const otherBrowser = newBrowser()
    const answer = await verify(otherBrowser, authenticator.get(await options(otherBrowser)))
    expect(answer.statusCode).toBe(401)
    bodies.add(answer.body)
  }
  expect(bodies.size).toBe(1)
})

test.each([
  ['from another origin', { origin: 'https://portico.example' }],
  ['out of a frame in another page', { crossOrigin: true }],
  ['for another relying party', { rpId: 'portico.example' }],
  ['of a person that was not verified', { userVerified: false }],
  ['to another challenge', { challenge: 'a'.repeat(43) }],
  ['of another ceremony', { type: 'webauthn.get' }],
  [
    'that names certificates, whose addresses would be fetched',
    {
      attestation: {
        fmt: 'packed',
        attStmt: new Map<string, number | Buffer | Buffer[]>([
          ['alg', -7],
          ['sig', Buffer.alloc(70)],
          ['x5c', [Buffer.alloc(300)]],
        ]),
      },
    },
  ],
  ['that attests in another way', { attestation: { fmt: 'tpm', attStmt: new Map() } }],
])('a new passkey %s is refused', async (_, lie) => {
  const { browser } = await signedIn()
  const answer = await add(browser, new Authenticator().create(await newOptions(browser), lie))
  expect([answer.statusCode, answer.json().errors[0]]).toMatchObject([
    422,
    { code: 'passkey_unverified', source: { pointer: '/response' } },
  ])
  expect(await list(browser)).toEqual([])
})

test('the challenge for a new passkey is good for its session and five minutes, once', async () => {
  const { browser, email } = await signedIn()
  const other = newBrowser()
  await other.signIn(email)
  const authenticator = new Authenticator()
  const otherBrowser = authenticator.create(await newOptions(other))
  expect((await add(browser, otherBrowser)).statusCode).toBe(422)
  const answer = authenticator.create(await newOptions(browser))
  expect((await add(browser, answer)).statusCode).toBe(200)
  expect((await add(browser, answer)).statusCode).toBe(422)
  const late = await newOptions(browser)
  clock.forward(300_000)
  expect((await add(browser, authenticator.create(late))).statusCode).toBe(422)
})

test('a challenge for signing in makes no passkey, and one for making a passkey does not sign in', async () => {
  const { browser, authenticator } = await withPasskey()
  const forSignIn = await options(browser)
  const made = new Authenticator().create({ ...(await newOptions(browser)), challenge: forSignIn.challenge })
  expect((await add(browser, made)).statusCode).toBe(422)
  const { challenge } = await newOptions(browser)
  const answer = authenticator.get({ ...(await options(browser)), challenge })
  expect((await verify(browser, answer)).statusCode).toBe(401)
})

test('a credential belongs to one account', async () => {
  const { authenticator } = await withPasskey()
  const { browser } = await signedIn()
  const asked = await newOptions(browser)
  const [known] = authenticator.credentials
  const copy = new Authenticator()
  const answer = copy.create(asked)
  // The same credential id as the first one's, in the data of the authenticator too.
  const attestation = Buffer.from(answer.response.attestationObject, 'base64url')
  const at = attestation.indexOf(copy.credentials[0]?.id ?? '')
  known?.id.copy(attestation, at)
  const id = known?.id.toString('base64url') ?? ''
  const response = {
    ...answer,
    id,
    rawId: id,
    response: { ...answer.response, attestationObject: attestation.toString('base64url') },
  }
  expect((await add(browser, response)).statusCode).toBe(409)
})

test('twenty passkeys are enough', async () => {
  const { browser } = await signedIn()
  const authenticator = new Authenticator()
  for (let i = 0; i < 20; i++)
    expect((await add(browser, authenticator.create(await newOptions(browser)))).statusCode).toBe(200)
  const answer = await browser.send('POST', '/api/user/passkeys/options', {})
  expect(answer.statusCode).toBe(409)
})

test('a passkey is renamed and removed by its owner alone', async () => {
  const { browser, passkey, accountId, email, authenticator } = await withPasskey()
  const other = await withPasskey()
  const url = `/api/user/passkeys/${passkey.id}`
  expect((await other.browser.send('PATCH', url, { name: 'Mine' })).statusCode).toBe(404)
  expect((await other.browser.send('DELETE', url)).statusCode).toBe(404)
  expect((await browser.send('PATCH', url, { name: '' })).statusCode).toBe(422)
  const renamed = await browser.send('PATCH', url, { name: 'Old laptop' })
  expect(renamed.json()).toEqual({ ...passkey, name: 'Old laptop' })
  expect((await browser.send('DELETE', url)).json()).toEqual({ status: true })
  expect((await browser.send('DELETE', url)).statusCode).toBe(404)
  expect(await list(browser)).toEqual([])
  const otherBrowser = newBrowser()
  expect((await verify(otherBrowser, authenticator.get(await options(otherBrowser)))).statusCode).toBe(401)
  expect((await eventsOf(accountId)).map(({ kind, about }) => `${kind} ${about}`)).toEqual([
    'passkey-added Laptop',
    'passkey-renamed Old laptop',
    'passkey-removed Old laptop',
  ])
  expect(await lettersTo(email)).toEqual(['passkey-added', 'passkey-removed'])
})

test('the last way in stays, also when the last two are removed at the same moment', async () => {
  const { browser, passkey, accountId, authenticator } = await withPasskey()
  await removePassword(accountId)
  const refused = await browser.send('DELETE', `/api/user/passkeys/${passkey.id}`)
  expect([refused.statusCode, refused.json().errors[0].code]).toEqual([409, 'way_in_last'])
  const second = (await add(browser, authenticator.create(await newOptions(browser)))).json()
  const both = await Promise.all(
    [passkey.id, second.id].map((id) => browser.send('DELETE', `/api/user/passkeys/${id}`)),
  )
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(await list(browser)).toHaveLength(1)
})

test('each change needs a recent sign-in and a verified e-mail', async () => {
  const { browser, passkey } = await withPasskey()
  const changes = [
    ['POST', '/api/user/passkeys/options', {}],
    ['POST', '/api/user/passkeys', { name: 'x', response: {} }],
    ['PATCH', `/api/user/passkeys/${passkey.id}`, { name: 'x' }],
    ['DELETE', `/api/user/passkeys/${passkey.id}`, undefined],
  ] as const
  clock.forward(600_000)
  await browser.refresh()
  const unverified = await signedIn({ verified: false })
  for (const [method, url, payload] of changes) {
    const old = await browser.send(method, url, payload)
    expect([old.statusCode, old.json().errors[0].code]).toEqual([403, 'recent_sign_in_required'])
    const early = await unverified.browser.send(method, url, payload)
    expect([early.statusCode, early.json().errors[0].code]).toEqual([403, 'email_not_confirmed'])
    expect((await newBrowser().send(method, url, payload)).statusCode).toBe(401)
  }
  expect((await browser.get('/api/user/passkeys')).statusCode).toBe(200)
})

test('one address gets twenty refused passkeys, then has to wait', async () => {
  const { authenticator } = await withPasskey()
  const guesser = new Browser(app, { remoteAddress: '198.51.100.7' })
  const answers = await Promise.all(Array.from({ length: 30 }, () => verify(guesser, { id: 'x' })))
  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(20)
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(10)
  const otherBrowser = newBrowser()
  for (let i = 0; i < 25; i++)
    expect((await verify(otherBrowser, authenticator.get(await options(otherBrowser)))).statusCode).toBe(200)
})

const text = (value: string) => Buffer.from(value).toString('base64url')

test.each([
  {},
  { id: 'a', rawId: 'a', type: 'public-key' },
  {
    id: 'a',
    rawId: 'a',
    type: 'public-key',
    response: { clientDataJSON: '!!', authenticatorData: '', signature: 'x', userHandle: 'x' },
  },
  {
    id: 'a',
    rawId: 'a',
    type: 'public-key',
    response: { clientDataJSON: text('null'), authenticatorData: 'a', signature: 'a', userHandle: 'a' },
  },
  {
    id: 'a',
    rawId: 'a',
    type: 'public-key',
    response: {
      clientDataJSON: text('{"challenge":1}'),
      authenticatorData: 'a',
      signature: 'a',
      userHandle: 'a',
      attestationObject: 'a',
    },
  },
  { id: 'a'.repeat(10_001), rawId: [], type: 'x', response: 'x' },
])('an invalid response of an authenticator is refused: %#', async (response) => {
  const { browser } = await signedIn()
  await options(browser)
  expect((await verify(browser, response)).statusCode).toBe(401)
  expect((await add(browser, response)).statusCode).toBe(422)
})

test('an answer whose parts are nonsense is refused, though its challenge is ours', async () => {
  const { browser } = await signedIn()
  for (const attestationObject of ['a', text('nonsense'), 'oA', '____', 'gICAgA']) {
    const { challenge } = await newOptions(browser)
    const said = { type: 'webauthn.create', challenge, origin: 'http://localhost:3000' }
    const parts = { clientDataJSON: text(JSON.stringify(said)), attestationObject }
    const response = { id: 'a', rawId: 'a', type: 'public-key', response: parts }
    expect((await add(browser, response)).statusCode).toBe(422)
  }
})
