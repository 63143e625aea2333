import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openOwnAccount } from '#accounts/open-account.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { Browser, browsersOn, person } from '#test/support/people.ts'
import { createAccount } from './accounts.ts'
import { inviteStaff } from './staff-invitations.ts'
import { addStaff } from './staff-registry.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)
const db = pool.kysely
const newBrowser = browsersOn(app)
const password = 'seven green bicycles'

const invite = (email: string, now = new Date()) =>
  db
    .transaction()
    .execute((tx) =>
      inviteStaff(
        { tx, now, vault: testVault },
        { email, display_name: 'Ioana', role: 'support', language: 'ro' },
      ),
    )

/** The secret of the newest invitation to an address. */
async function tokenTo(email: string): Promise<string> {
  const letter = (await lettersTo(pool, email)).findLast(({ kind }) => kind === 'staff-invitation')
  if (letter?.kind !== 'staff-invitation') throw new Error(`${email} has no invitation.`)
  return letter.link.replace('/desk/join#', '')
}

const send = (browser: Browser, call: 'check' | 'accept', payload: object) =>
  browser.ask({ method: 'POST', url: `/auth/staff-invitation/${call}`, payload })
const codeOf = (answer: { json: () => { errors?: { code: string }[] } }) => answer.json().errors?.[0]?.code
const accept = (browser: Browser, token: string, more: object = { password }) =>
  send(browser, 'accept', { token, ...more })

async function enter(browser: Browser, token: string, more?: object) {
  const { code } = (await accept(browser, token, more)).json()
  await browser.get(`/auth/callback?code=${code}`)
  return (await browser.get('/api/user')).json()
}

test('an invited person chooses a password, and has no rights before a second factor', async () => {
  await invite('ioana@example.test')
  const token = await tokenTo('ioana@example.test')
  const browser = newBrowser()
  expect((await send(browser, 'check', { token })).json()).toEqual({
    email: 'ioana@example.test',
    display_name: 'Ioana',
    role: 'support',
  })
  const user = await enter(browser, token)
  expect(user).toMatchObject({
    email: 'ioana@example.test',
    trial_ends_at: null,
    staff: { role: 'support', display_name: 'Ioana', needs_second_factor: true },
  })
  const { rows } = await sql`select origin, reason from staff_actions order by id desc limit 1`.execute(db)
  expect(rows).toEqual([{ origin: 'portal', reason: 'invitation of staff accepted' }])
  expect((await browser.get('/api/v1/desk-clients')).statusCode).toBe(403)
  const again = newBrowser()
  await again.signIn('ioana@example.test')
  expect((await again.login('ioana@example.test', password)).statusCode).toBe(200)
})

test('without a password the link opens a session in which a passkey can be added', async () => {
  await invite('passkey@example.test')
  const browser = newBrowser()
  await enter(browser, await tokenTo('passkey@example.test'), {})
  expect((await browser.send('POST', '/api/user/passkeys/options', {})).statusCode).toBe(200)
  expect((await browser.get('/api/user/security')).json()).toMatchObject({ has_password: false })
})

test('a weak password is refused, and the link still works', async () => {
  await invite('weak@example.test')
  const token = await tokenTo('weak@example.test')
  for (const weak of ['password1234', 'short', 'weak@example.test'])
    expect((await accept(newBrowser(), token, { password: weak })).statusCode).toBe(422)
  expect((await accept(newBrowser(), token)).statusCode).toBe(200)
})

test('a link works once, also when two follow it at once', async () => {
  await invite('once@example.test')
  const token = await tokenTo('once@example.test')
  const answers = await Promise.all([accept(newBrowser(), token), accept(newBrowser(), token)])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410])
  const late = await accept(newBrowser(), token)
  expect([late.statusCode, codeOf(late)]).toEqual([410, 'link_used'])
  expect(codeOf(await send(newBrowser(), 'check', { token }))).toBe('link_used')
})

test('a link has an end of 72 hours, a newer one replaces it, and a withdrawn one is void', async () => {
  const hour = 3_600_000
  await invite('late@example.test', new Date(Date.now() - 72 * hour))
  const late = await tokenTo('late@example.test')
  expect(codeOf(await accept(newBrowser(), late))).toBe('link_expired')
  await invite('late@example.test', new Date(Date.now() - 72 * hour + 60_000))
  expect(codeOf(await accept(newBrowser(), late))).toBe('link_invalid')
  const token = await tokenTo('late@example.test')
  await sql`update admins set disabled_at = now() where email = 'late@example.test'`.execute(db)
  expect(codeOf(await accept(newBrowser(), token))).toBe('link_invalid')
  await sql`update admins set disabled_at = null where email = 'late@example.test'`.execute(db)
  expect((await accept(newBrowser(), token)).statusCode).toBe(200)
  expect(codeOf(await accept(newBrowser(), 'guessed'))).toBe('link_invalid')
})

test('the address of a client or a member of staff is not invited', async () => {
  const { email } = await person(pool, 'client@example.test')
  await expect(invite(email)).rejects.toMatchObject({ code: 'staff_invite_client' })
  expect(await db.selectFrom('admins').select('id').where('email', '=', email).execute()).toEqual([])
  const { email: member } = await person(pool, 'member@example.test')
  await db
    .transaction()
    .execute((tx) =>
      addStaff({ tx, now: new Date() }, { email: member, role: 'billing', displayName: undefined }),
    )
  await expect(invite(member.toUpperCase())).rejects.toMatchObject({ code: 'staff_email_taken' })
})

test('an address that became a client’s meanwhile is not taken over, nor kept by who has not confirmed it', async () => {
  await invite('meanwhile@example.test')
  const token = await tokenTo('meanwhile@example.test')
  await person(pool, 'meanwhile@example.test')
  const taken = await accept(newBrowser(), token)
  expect([taken.statusCode, codeOf(taken)]).toEqual([409, 'staff_invite_client'])

  const squatter = await person(pool, 'squatted@example.test', { verified: false })
  await invite('squatted@example.test')
  const browser = newBrowser()
  const user = await enter(browser, await tokenTo('squatted@example.test'))
  expect(user).toMatchObject({ staff: { role: 'support' } })
  expect(user.id).not.toBe(squatter.id)
  // The password of the squatter opens nothing.
  expect((await newBrowser().login('squatted@example.test')).statusCode).toBe(401)
})

test('an invitation is accepted while somebody registers its address, who keeps nothing of it', async () => {
  await invite('contested@example.test')
  const token = await tokenTo('contested@example.test')
  const { answer } = await db.transaction().execute(async (tx) => {
    const email = 'contested@example.test'
    const authId = await createAccount(tx, { email, passwordHash: null, verifiedAt: null })
    const names = { firstName: 'Eve', lastName: 'X', emailVerifiedAt: null, language: 'en' }
    await openOwnAccount(tx, { authId, email, ...names })
    const accepting = accept(newBrowser(), token)
    await untilBlocked(pool)
    return { answer: accepting }
  })
  expect((await answer).statusCode).toBe(200)
  const { rows } = await sql`select kind, disabled_at is null as open from auth_accounts
    where email = 'contested@example.test' or email like '%@released.invalid' order by created_at desc limit 2`.execute(
    db,
  )
  expect(rows).toEqual(
    expect.arrayContaining([
      { kind: 'staff', open: true },
      { kind: 'client', open: false },
    ]),
  )
})

test('outside the networks of staff no invitation is accepted', async () => {
  await invite('far@example.test')
  const token = await tokenTo('far@example.test')
  const { app: far } = await testApp(pool, { env: { deskNetworks: ['192.0.2.0/24'] } })
  expect(codeOf(await accept(new Browser(far), token))).toBe('link_invalid')
  expect(codeOf(await send(new Browser(far), 'check', { token }))).toBe('link_invalid')
})

test('the link is kept nowhere but sealed in the letter', async () => {
  await invite('sealed@example.test')
  const [letter] = await lettersTo(pool, 'sealed@example.test')
  expect(letter).toMatchObject({ kind: 'staff-invitation', name: 'Ioana', role: 'support' })
  const { rows } = await sql<{
    kept: string
  }>`select row_to_json(o)::text || (select coalesce(string_agg(a::text, ''), '')
    from admins a) as kept from outbox_letters o where recipient = 'sealed@example.test'`.execute(db)
  expect(rows[0]?.kept).not.toContain(await tokenTo('sealed@example.test'))
})
