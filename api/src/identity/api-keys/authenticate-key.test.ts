import { securityEventKinds } from '@portico/contract/calls/account/security.ts'
import { apiKeys } from '@portico/contract/resources/api-keys.ts'
import { base } from '@portico/contract/wire.ts'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { storedNetwork } from '#platform/db/address.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { Browser, person, stoppedClock } from '#test/support/people.ts'

const { pool } = await testDatabase()
const clock = stoppedClock()
const proxy = '10.9.9.9'
const { app, lines } = await testApp(pool, {
  clock,
  env: { rateLimitScale: 1, trustedProxies: [proxy] },
})
const media = 'application/vnd.api+json'
const home = '203.0.113.7'

let count = 0

/** A signed-in person who creates keys. */
async function owner() {
  const one = await person(pool, `owner-${++count}@example.test`)
  const browser = new Browser(app, { headers: { 'content-type': media }, remoteAddress: `192.0.2.${count}` })
  const signIn = new Browser(app, { remoteAddress: `192.0.2.${count}` })
  await signIn.signIn(one.email)
  for (const [name, value] of signIn.cookies) browser.cookies.set(name, value)
  const make = (attributes: object = {}, relationships?: object) =>
    browser.send('POST', `${base}/api-keys`, {
      data: {
        type: 'api-keys',
        attributes: {
          name: 'Backup',
          allowed_ips: [home],
          scopes: ['panels:read'],
          expires_at: null,
          ...attributes,
        },
        ...(relationships && { relationships }),
      },
    })
  return { ...one, browser, make }
}

async function keyOf(attributes: object = {}) {
  const person = await owner()
  const { id, attributes: made } = (await person.make(attributes)).json().data
  return { ...person, key: { id: String(id), secret: String(made.secret) } }
}

/** Shows a key, as a program does. */
const show = (secret: string, url = `${base}/panels`, more: InjectOptions = {}) =>
  app.inject({
    url,
    remoteAddress: home,
    ...more,
    headers: { authorization: `Bearer ${secret}`, ...more.headers },
  })

const codeOf = (answer: { json(): { errors?: { code: string }[] } }) => answer.json().errors?.[0]?.code

describe('a key', () => {
  test('is returned once, and only its hash is stored', async () => {
    const { make, browser } = await owner()
    const answer = await make()
    expect(answer.statusCode).toBe(201)
    const { id, attributes } = answer.json().data
    expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(attributes.secret).toMatch(/^pk_[\w-]{43}$/)
    expect(attributes).toMatchObject({
      state: 'active',
      prefix: attributes.secret.slice(0, 9),
      last_used_at: null,
    })
    for (const url of [`${base}/api-keys`, `${base}/api-keys/${id}`])
      expect((await browser.get(url)).body).not.toContain(attributes.secret)
    const { rows } = await pool.kysely
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .execute()
      .then((all) => ({ rows: all }))
    expect(JSON.stringify(rows)).not.toContain(attributes.secret)
    expect(JSON.stringify(lines)).not.toContain(attributes.secret)
  })

  test('takes addresses and networks as they are written, and keeps what they come to', async () => {
    const { make } = await owner()
    const allowed_ips = [
      '10.1.2.3/8',
      '::ffff:192.0.2.1',
      '::ffff:c000:0200/120',
      '2001:DB8:0::1',
      '2001:db8::5/32',
      '10.0.0.0/8',
    ]
    const made = (await make({ allowed_ips })).json().data.attributes
    expect(made.allowed_ips).toEqual([
      '10.0.0.0/8',
      '192.0.2.1',
      '192.0.2.0/24',
      '2001:db8::1',
      '2001:db8::/32',
    ])
  })

  test.each([
    [[], 'none', 'api_address_required'],
    [['example.com'], 'a name', 'api_address_invalid'],
    [['10.0.0.0/33'], 'too long a mask', 'api_address_invalid'],
    [['010.0.0.1'], 'octal digits', 'api_address_invalid'],
    [['1.2.3'], 'a short form', 'api_address_invalid'],
    [['fe80::1%eth0'], 'a zone', 'api_address_invalid'],
    [['10.0.0.1; drop table'], 'more than an address', 'api_address_invalid'],
    [Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`), 'too many', 'addresses_most'],
  ])('is refused with %j: %s', async (allowed_ips, _, code) => {
    const { make } = await owner()
    const answer = await make({ allowed_ips })
    expect([answer.statusCode, codeOf(answer)]).toEqual([422, code])
  })

  test('cannot be made with a scope that no key has, without one, or past its time', async () => {
    const { make } = await owner()
    const wrong = [
      { scopes: ['share:read'] },
      { scopes: ['api-keys:write'] },
      { scopes: ['cards:read'] },
      { scopes: [] },
      { expires_at: new Date(clock.now().getTime() - 1).toISOString() },
      { name: '  ' },
    ]
    for (const one of wrong) expect((await make(one)).statusCode, JSON.stringify(one)).toBe(422)
  })

  test('is limited to a workspace of its owner, and to no other', async () => {
    const { make } = await owner()
    const other = await owner()
    const theirs = await pool.kysely
      .selectFrom('projects')
      .select('id')
      .where('client_id', '=', other.id)
      .executeTakeFirstOrThrow()
    const project = { project: { data: { type: 'projects', id: String(theirs.id) } } }
    expect((await make({}, project)).statusCode).toBe(404)
  })

  test('is one of at most twenty that are active, also when made at once', async () => {
    const { make } = await owner()
    const answers = await Promise.all(Array.from({ length: 22 }, () => make()))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20)
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(2)
  })
})

describe('a request with a key', () => {
  test('acts as the owner on the data API, and nowhere else', async () => {
    const { key } = await keyOf()
    expect((await show(key.secret)).statusCode).toBe(200)
    const elsewhere = [
      '/api/user',
      '/api/user/logout',
      '/api/user/sessions',
      '/api/user/security',
      '/api/user/security-log',
    ]
    for (const url of elsewhere) expect((await show(key.secret, url)).statusCode, url).toBe(401)
    expect((await show(key.secret, `${base}/api-keys`)).statusCode).toBe(403)
    const signInAgain = { method: 'POST', payload: { email: 'x@example.test', password: 'x' } } as const
    expect((await show(key.secret, '/auth/login', signInAgain)).statusCode).toBe(401)
    expect((await show(key.secret, '/auth/token?refreshToken=cookie')).statusCode).toBe(401)
  })

  test('names what it has not been given', async () => {
    const { key } = await keyOf()
    const tickets = await show(key.secret, `${base}/tickets`)
    expect([tickets.statusCode, tickets.json().errors[0].detail]).toEqual([
      403,
      'This API key does not have the scope tickets:read.',
    ])
    const made = await show(key.secret, `${base}/panels`, {
      method: 'POST',
      headers: { 'content-type': media },
      payload: JSON.stringify({
        data: {
          type: 'panels',
          attributes: { name: 'n', plan_code: null },
          relationships: { project: { data: { type: 'projects', id: '1' } } },
        },
      }),
    })
    expect([403, 404]).toContain(made.statusCode)
    for (const type of [
      'cards',
      'share-invitations',
      'share-permissions',
      'clients',
      'client-panels',
      'notifications',
    ])
      expect([403, 404], type).toContain((await show(key.secret, `${base}/${type}`)).statusCode)
  })

  test.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.0/24', '203.0.113.200', true],
    ['203.0.113.0/24', '203.0.114.1', false],
    ['203.0.113.7', '::ffff:203.0.113.7', true],
    ['::ffff:203.0.113.7', '203.0.113.7', true],
    ['2001:db8::/32', '2001:db8:1::9', true],
    ['2001:db8::/32', '2001:db9::9', false],
    ['::/0', '203.0.113.7', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['0.0.0.0/0', '198.51.100.1', true],
  ])('that is for %s, from %s: %s', async (allowed, from, passes) => {
    const { key } = await keyOf({ allowed_ips: [allowed] })
    const answer = await show(key.secret, `${base}/panels`, { remoteAddress: from })
    expect([answer.statusCode, codeOf(answer)]).toEqual(
      passes ? [200, undefined] : [401, 'address_not_allowed'],
    )
  })

  test('is believed of its address only what a trusted proxy says', async () => {
    const { key } = await keyOf()
    const forwarded = { 'x-forwarded-for': home }
    const through = (remoteAddress: string, headers: Record<string, string>) =>
      show(key.secret, `${base}/panels`, { remoteAddress, headers })
    expect((await through(proxy, forwarded)).statusCode).toBe(200)
    expect((await through('198.51.100.66', forwarded)).statusCode).toBe(401)
    // A forged header value stands before the address that the proxy saw.
    expect((await through(proxy, { 'x-forwarded-for': `${home}, 198.51.100.66` })).statusCode).toBe(401)
  })

  test('from a foreign address is in the security log, at a limited rate', async () => {
    const { key, browser } = await keyOf()
    for (let n = 0; n < 20; n++) await show(key.secret, `${base}/panels`, { remoteAddress: '198.51.100.9' })
    const log = (await browser.get('/api/user/security-log')).json().events
    const refused = log.filter(({ kind }: { kind: string }) => kind === 'api-key-refused')
    expect(refused).toHaveLength(12)
    expect(refused[0]).toMatchObject({ ip: '198.51.100.9', about: 'Backup' })
    expect(securityEventKinds).toContain('api-key-created')
    expect(JSON.stringify(lines)).not.toContain(key.secret)
  })

  test('is written down at most once a minute', async () => {
    const { key, browser } = await keyOf({ allowed_ips: ['0.0.0.0/0'] })
    const used = async () => {
      const { last_used_at, last_used_ip } = (await browser.get(`${base}/api-keys/${key.id}`)).json().data
        .attributes
      return [last_used_at && Date.parse(last_used_at), last_used_ip]
    }
    expect(await used()).toEqual([null, null])
    const first = clock.now().getTime()
    await show(key.secret)
    await expect.poll(used).toEqual([first, home])
    clock.forward(59_000)
    await show(key.secret, `${base}/panels`, { remoteAddress: '198.51.100.1' })
    expect(await used()).toEqual([first, home])
    clock.forward(2000)
    await show(key.secret, `${base}/panels`, { remoteAddress: '198.51.100.1' })
    await expect.poll(used).toEqual([first + 61_000, '198.51.100.1'])
  })
})

describe('from the next request on', () => {
  const refused = [401, 'api_key_unknown'] as const

  test('a key that was revoked, deleted or has expired is as one that never was', async () => {
    const { key, browser, make } = await keyOf()
    const others = await Promise.all([
      make(),
      make({ expires_at: new Date(clock.now().getTime() + 1000).toISOString() }),
    ])
    const [gone, brief] = others.map((one) => one.json().data)
    for (const secret of [key.secret, gone.attributes.secret, brief.attributes.secret])
      expect((await show(secret)).statusCode).toBe(200)
    const revoked = await browser.send('POST', `${base}/api-keys/${key.id}/-actions/revoke`, { data: {} })
    expect(apiKeys.actions.revoke.output.parse(revoked.json()).revoked_at).toBe(clock.now().toISOString())
    expect(
      (await browser.send('POST', `${base}/api-keys/${key.id}/-actions/revoke`, { data: {} })).statusCode,
    ).toBe(409)
    expect((await browser.send('DELETE', `${base}/api-keys/${gone.id}`)).statusCode).toBe(204)
    clock.forward(1001)
    const secrets = [
      key.secret,
      gone.attributes.secret,
      brief.attributes.secret,
      `pk_${'A'.repeat(43)}`,
      'pk_',
      'pk_x',
    ]
    const answers = await Promise.all(secrets.map((secret) => show(secret)))
    for (const answer of answers) expect([answer.statusCode, codeOf(answer)]).toEqual(refused)
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  })

  test.each([
    [
      'is disabled',
      (accountId: string) =>
        pool.kysely
          .updateTable('auth_accounts')
          .set({ disabled_at: clock.now().toISOString() })
          .where('id', '=', accountId)
          .execute(),
    ],
    [
      'is not confirmed',
      (accountId: string) =>
        pool.kysely
          .updateTable('auth_accounts')
          .set({ verified_at: null })
          .where('id', '=', accountId)
          .execute(),
    ],
    [
      'is blocked',
      (accountId: string) =>
        pool.kysely.updateTable('clients').set({ status: 0 }).where('auth_id', '=', accountId).execute(),
    ],
    [
      'has become one of staff',
      (accountId: string) =>
        pool.kysely
          .insertInto('admins')
          .values({
            email: `${accountId}@staff.test`,
            display_name: 'Sorin',
            role: 'support',
            auth_id: accountId,
          })
          .execute(),
    ],
  ])('the key of an account that %s', async (_, end) => {
    const { key, accountId } = await keyOf()
    expect((await show(key.secret)).statusCode).toBe(200)
    await end(accountId)
    const answer = await show(key.secret)
    expect([answer.statusCode, codeOf(answer)]).toEqual(refused)
  })
})

describe('limits', () => {
  test('are counted for all keys of an account, and for the address of what was never one', async () => {
    const { key, make } = await keyOf()
    const other = await keyOf()
    const second = (await make()).json().data.attributes.secret
    const left = async (secret: string, remoteAddress = home) =>
      Number((await show(secret, `${base}/panels`, { remoteAddress })).headers['ratelimit-remaining'])
    // The first request of a key is counted for its address: it is not known yet.
    await left(key.secret)
    await left(second)
    expect(await left(key.secret)).toBe(799)
    expect(await left(key.secret)).toBe(798)
    expect(await left(second)).toBe(797)
    await left(other.key.secret)
    expect(await left(other.key.secret)).toBe(799)
    const from = '198.51.100.77'
    const made = [await left(`pk_${'a'.repeat(43)}`, from), await left(`pk_${'b'.repeat(43)}`, from)]
    // Failures from another address do not count against the key.
    expect([...made, await left(key.secret, from), await left(key.secret, from)]).toEqual([
      299, 298, 297, 296,
    ])
    expect(await left(key.secret)).toBe(796)
  })
})

test('networks are kept without host bits, and IPv4 as IPv4', () => {
  expect(
    ['0.0.0.0/0', '::/0', '::ffff:0:0/96', '::ffff:0:0/95', '255.255.255.255/32', '2001:db8::/128'].map(
      storedNetwork,
    ),
  ).toEqual(['0.0.0.0/0', '::/0', '0.0.0.0/0', '::fffe:0:0/95', '255.255.255.255', '2001:db8::'])
})

test('a key is made only after a recent sign-in, because it outlives the session', async () => {
  const { browser, make, email } = await owner()
  clock.forward(10 * 60_000)
  await browser.ask({
    url: '/auth/token?refreshToken=cookie',
    headers: { 'content-type': 'application/json' },
  })
  const refused = await make({ name: 'A thief’s' })
  expect([refused.statusCode, refused.json().errors[0].code]).toEqual([403, 'recent_sign_in_required'])
  expect((await browser.get(`${base}/api-keys`)).json().data).toEqual([])
  const again = new Browser(app, { remoteAddress: '192.0.2.250' })
  const { code } = (await again.login(email)).json()
  const headers = {
    authorization: `Bearer ${browser.cookies.get('token')}`,
    'content-type': 'application/json',
  }
  for (const [name, value] of again.cookies) browser.cookies.set(name, value)
  await browser.ask({ method: 'POST', url: '/auth/confirm', payload: { code }, headers })
  expect((await make()).statusCode).toBe(201)
})

test('changing the addresses of a key requires a recent sign-in and is logged', async () => {
  const { browser, key } = await keyOf()
  const change = (attributes: object) =>
    browser.send('PATCH', `${base}/api-keys/${key.id}`, {
      data: { type: 'api-keys', id: key.id, attributes },
    })
  const changes = async () =>
    (await browser.get('/api/user/security-log'))
      .json()
      .events.filter(({ kind }: { kind: string }) => kind === 'api-key-changed')
  const everywhere = { allowed_ips: ['0.0.0.0/0'] }
  expect((await change({ allowed_ips: ['198.51.100.7'] })).statusCode).toBe(200)
  expect(await changes()).toMatchObject([{ about: 'Backup' }])
  clock.forward(10 * 60_000)
  await browser.ask({
    url: '/auth/token?refreshToken=cookie',
    headers: { 'content-type': 'application/json' },
  })
  const refused = await change(everywhere)
  expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'recent_sign_in_required'])
  expect((await show(key.secret, `${base}/panels`, { remoteAddress: '192.0.2.9' })).statusCode).toBe(401)
  // A name opens nothing, nor do the same addresses, which the form sends along.
  expect((await change({ name: 'Nightly', allowed_ips: ['198.51.100.7'] })).statusCode).toBe(200)
  expect(await changes()).toHaveLength(1)
})
