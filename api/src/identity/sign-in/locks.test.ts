import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { Authenticator } from '#test/support/authenticator.ts'
import { testDatabase } from '#test/support/database.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { newestLetter } from '#test/support/mail.ts'
import { type Browser, browsersOn, password, person, stoppedClock } from '#test/support/people.ts'
import { enrol, totp } from '#test/support/totp.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const clock = stoppedClock()
const { app } = await testApp(pool, { clock, env: { rateLimitScale: 100_000 } })

let count = 0
const otherBrowser = browsersOn(app)

type Somebody = Awaited<ReturnType<typeof signedIn>>

async function signedIn() {
  const somebody = await person(pool, `somebody-${++count}@example.test`)
  const browser = otherBrowser()
  await browser.signIn(somebody.email)
  return { ...somebody, browser }
}

async function withTwoFactor() {
  const somebody = await signedIn()
  const { secret, recoveryCodes } = await enrol(somebody.browser, clock)
  clock.forward(31_000)
  return { ...somebody, secret, recoveryCodes }
}

const newPasskey = async ({ browser }: { browser: Browser }) => {
  const { options } = (await browser.send('POST', '/api/user/passkeys/options', {})).json()
  return { name: 'Laptop', response: new Authenticator().create(options) }
}

async function withPasskey() {
  const somebody = await signedIn()
  const added = await somebody.browser.send('POST', '/api/user/passkeys', await newPasskey(somebody))
  return { ...somebody, passkey: `/api/user/passkeys/${added.json().id}` }
}

async function withGoogle() {
  const somebody = await signedIn()
  const created_at = clock.now().toISOString()
  const { id } = await db
    .insertInto('auth_identities')
    .values({
      issuer: 'https://issuer.test',
      subject: somebody.email,
      account_id: somebody.accountId,
      email: somebody.email,
      created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...somebody, identity: `/api/user/identities/${id}` }
}

const secretOf = (link: string) => link.slice(link.indexOf('=') + 1)

/** All that is kept of how an account is signed in to, but for when it was asked for last. */
async function kept(accountId: string): Promise<unknown> {
  const tables = ['auth_passkeys', 'auth_identities', 'auth_totp', 'auth_recovery_codes'] as const
  const rows = tables.map((table) =>
    db.selectFrom(table).selectAll().where('account_id', '=', accountId).execute(),
  )
  const account = db
    .selectFrom('auth_accounts')
    .select(['email', 'password_hash'])
    .where('id', '=', accountId)
    .execute()
  const links = db
    .selectFrom('auth_one_time')
    .select('purpose')
    .where('account_id', '=', accountId)
    .where('purpose', 'like', 'email-%')
    .execute()
  return Promise.all([account, links, ...rows])
}

/** Sends a request while another transaction holds the account locked and then ends its sessions. */
async function askedTooLate(
  accountId: string,
  ask: () => Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse> {
  const asked = await db.transaction().execute(async (tx) => {
    await sql`select from auth_accounts where id = ${accountId} for update`.execute(tx)
    const answer = ask()
    // It has been let in by the time it waits for the lock.
    await untilBlocked(pool)
    await sql`update auth_sessions set revoked_at = now(), revoke_reason = 'ended'
      where account_id = ${accountId}`.execute(tx)
    return { answer }
  })
  return asked.answer
}

// Everything that changes how one signs in: what has to be there, and the request that is on its way.
const verbs: Record<string, () => Promise<Somebody & { ask: () => Promise<LightMyRequestResponse> }>> = {
  'adding a passkey': async () => {
    const somebody = await signedIn()
    const payload = await newPasskey(somebody)
    return { ...somebody, ask: () => somebody.browser.send('POST', '/api/user/passkeys', payload) }
  },
  'renaming a passkey': async () => {
    const somebody = await withPasskey()
    return { ...somebody, ask: () => somebody.browser.send('PATCH', somebody.passkey, { name: 'Phone' }) }
  },
  'removing a passkey': async () => {
    const somebody = await withPasskey()
    return { ...somebody, ask: () => somebody.browser.send('DELETE', somebody.passkey) }
  },
  'unlinking Google': async () => {
    const somebody = await withGoogle()
    return { ...somebody, ask: () => somebody.browser.send('DELETE', somebody.identity) }
  },
  'setting two-factor authentication up': async () => {
    const somebody = await signedIn()
    return { ...somebody, ask: () => somebody.browser.send('POST', '/api/user/two-factor/setup', {}) }
  },
  'turning two-factor authentication on': async () => {
    const somebody = await signedIn()
    const { secret } = (await somebody.browser.send('POST', '/api/user/two-factor/setup', {})).json()
    const payload = { code: totp(secret, clock) }
    return { ...somebody, ask: () => somebody.browser.send('POST', '/api/user/two-factor/enable', payload) }
  },
  'turning two-factor authentication off': async () => {
    const somebody = await withTwoFactor()
    const payload = { code: totp(somebody.secret, clock) }
    return { ...somebody, ask: () => somebody.browser.send('POST', '/api/user/two-factor/disable', payload) }
  },
  'renewing recovery codes': async () => {
    const somebody = await withTwoFactor()
    const payload = { code: totp(somebody.secret, clock) }
    const url = '/api/user/two-factor/recovery-codes'
    return { ...somebody, ask: () => somebody.browser.send('POST', url, payload) }
  },
  'changing the password': async () => {
    const somebody = await signedIn()
    const payload = { current_password: password, password: 'eleven owls over the river' }
    return { ...somebody, ask: () => somebody.browser.send('POST', '/api/user/password', payload) }
  },
  'asking for another address': async () => {
    const somebody = await signedIn()
    const payload = { email: `wanted-${count}@example.test` }
    return { ...somebody, ask: () => somebody.browser.send('POST', '/api/user/email', payload) }
  },
}

test.each(Object.keys(verbs))('%s changes nothing once the session has ended meanwhile', async (name) => {
  const set = await verbs[name]?.()
  if (set === undefined) throw new Error(`There is no ${name}.`)
  const before = await kept(set.accountId)
  const answer = await askedTooLate(set.accountId, set.ask)
  expect([answer.statusCode, answer.json().errors[0].code]).toEqual([401, 'session_ended'])
  expect(await kept(set.accountId)).toEqual(before)
})

test.each(Object.keys(verbs))('(control) %s is done while the session lives', async (name) => {
  const set = await verbs[name]?.()
  expect((await set?.ask())?.statusCode).toBe(200)
})

/** How many transactions of this database were ended because two waited for each other. */
async function deadlocks(): Promise<number> {
  // Each connection keeps its counts to itself for a second or more, unless it is made to report them.
  const report = sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`
  await Promise.all(Array.from({ length: 40 }, () => report.execute(db)))
  const { rows } = await sql<{ deadlocks: string }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db)
  return Number(rows[0]?.deadlocks)
}

test('concurrent operations on one account neither block each other nor fail', async () => {
  const before = await deadlocks()
  const statuses: number[] = []
  for (let round = 0; round < 6; round++) {
    clock.forward(61_000)
    const { email, browser, passkey } = await withPasskey()
    const [other, third, leaver] = [otherBrowser(), otherBrowser(), otherBrowser()]
    for (const one of [other, third, leaver]) await one.signIn(email)
    const { code } = (await other.login(email)).json()
    const again = (await third.login(email)).json().code
    await browser.ask({ method: 'POST', url: '/auth/password/forgot', payload: { email } })
    const reset = (await newestLetter(pool, email, 'password-reset')).link.split('#')[1]
    const wanted = `wanted-${count}-${round}@example.test`
    await browser.send('POST', '/api/user/email', { email: wanted })
    const change = secretOf((await newestLetter(pool, wanted, 'email-change-confirm')).link)
    const { sessions } = (await browser.get('/api/user/sessions')).json()
    const post = (url: string, payload: object) => otherBrowser().ask({ method: 'POST', url, payload })
    const stale = leaver.cookies.get('refreshToken')
    await leaver.refresh()
    clock.forward(11_000)
    const extra = await newPasskey({ browser })

    const answers = await Promise.all([
      browser.send('POST', '/api/user/passkeys', extra),
      browser.send('DELETE', passkey),
      browser.send('POST', '/api/user/two-factor/setup', {}),
      browser.send('POST', '/api/user/password', {
        current_password: password,
        password: 'eleven owls over the river',
      }),
      browser.send('POST', '/api/user/email', { email: `other-${wanted}` }),
      browser.send('DELETE', '/api/user/sessions'),
      ...sessions.map(({ id }: { id: string }) => browser.send('DELETE', `/api/user/sessions/${id}`)),
      other.get(`/auth/callback?code=${code}`),
      third.send('POST', '/auth/confirm', { code: again }),
      third.get('/api/user/logout'),
      other.refresh(),
      otherBrowser().refresh(stale),
      post('/auth/password/reset', { token: reset, password: 'twelve owls over the river' }),
      post('/auth/email/confirm', { token: change }),
      post('/auth/password/forgot', { email }),
      post('/auth/register', {
        first_name: 'Ilie',
        last_name: 'Rus',
        email,
        password: 'nine green bottles standing',
        terms: true,
      }),
      otherBrowser().login(email),
    ])
    statuses.push(...answers.map(({ statusCode }) => statusCode))
  }
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(await deadlocks()).toBe(before)
}, 60_000)
