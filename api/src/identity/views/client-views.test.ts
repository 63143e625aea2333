import { randomUUID } from 'node:crypto'
import { minuteMs } from '@portico/contract/time.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import type { Answer } from '#test/support/answer.ts'
import { makeKey } from '#test/support/api-key.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { newestLetter } from '#test/support/mail.ts'
import { browsersOn, letSignIn, person } from '#test/support/people.ts'
import { type Visitor, visitor } from '#test/support/portal.ts'
import { type Member, makeMember } from '#test/support/staff.ts'
import { makeTicket } from '#test/support/ticket.ts'
import { enrol } from '#test/support/totp.ts'

// The real application: who opens a view, what it leaves behind, and what ends it.

const { pool } = await testDatabase()
const db = pool.kysely
let moved = 0
const clock = { now: () => new Date(Date.now() + moved) }
const { app } = await testApp(pool, { clock })
const browser = browsersOn(app)

const ana = await makeAccount(pool, { projects: 1, panels: 1 })
await letSignIn(pool, ana)
const [panel = 0] = ana.panels
const sorin = await makeMember(pool, 'support')
const ioana = await makeMember(pool, 'support')
const dan = await makeMember(pool, 'readonly')
const boss = await makeMember(pool, 'admin')
const other = await makeMember(pool, 'admin')

const because = { 'portico-reason': 'The chart is empty for them' }

/** A caller with a new session: the limits and the end of one touch no other. */
async function signedIn({ email }: { readonly email: string }): Promise<Visitor> {
  const their = browser()
  await their.signIn(email)
  const calling = visitor(app, their.cookies.get('token'))
  return {
    ...calling,
    call: (method, url, sent = {}) =>
      calling.call(method, url, { ...sent, headers: { ...because, ...sent.headers } }),
    post: (url, body) => calling.call('POST', url, { body, headers: because }),
  }
}
const owner = await signedIn(ana)

const see = (who: Visitor, client: number | string = ana.id): Promise<Answer> =>
  who.post(`${base}/desk-clients/${client}/-actions/seeAsClient`, {})
const opened = async (who: Visitor): Promise<Visitor> => {
  const answer = await see(who)
  expect(answer.faults).toEqual([])
  return visitor(app, String(Object(answer.json).token))
}
const rule = (on: boolean) => sql`update access_policies set views_without_consent = ${on}`.execute(db)

/** A ticket of Ana that this member answers, through which she lets them see the account. */
async function consent(member: Member, scope = 'account'): Promise<number> {
  const { ticket } = await makeTicket(pool, { client: ana.id, panel, admin: member.admin })
  await sql`update tickets set assigned_admin_id = ${member.admin} where id = ${ticket}`.execute(db)
  const path = `${base}/tickets/${ticket}/-actions/grantStaffAccess`
  expect((await owner.post(path, { hours: 4, scope })).faults).toEqual([])
  return ticket
}
const log = async () =>
  (
    await sql<{
      line: string
    }>`select kind || ': ' || about || coalesce(' ' || (details ->> 'reason'), '') as line
      from auth_events where kind like 'staff-view%' order by id`.execute(db)
  ).rows.map(({ line }) => line)
const letters = async () =>
  (
    await sql<{
      recipient: string
    }>`select recipient from outbox_letters where kind = 'account-viewed'`.execute(db)
  ).rows

const statusOf = async (view: Visitor) => (await view.get(`${base}/projects`)).status

beforeEach(async () => {
  await sql`delete from client_views`.execute(db)
  await sql`update staff_accesses set ended_at = now() where ended_at is null`.execute(db)
  await sql`delete from auth_events where kind like 'staff-view%'`.execute(db)
  await sql`delete from outbox_letters where kind = 'account-viewed'`.execute(db)
  await rule(false)
})

afterEach(() => {
  moved = 0
})

test('nobody sees an account without the consent of its owner, while the operator allows nothing else', async () => {
  const key = await makeKey(pool, { client: ana.id })
  const asked: [who: Visitor, status: number, code: string][] = [
    [visitor(app, undefined), 404, 'address_not_found'],
    [owner, 404, 'address_not_found'],
    [visitor(app, key.secret), 404, 'address_not_found'],
    [await signedIn(dan), 403, 'view_not_granted'],
    [await signedIn(sorin), 403, 'view_not_granted'],
    [await signedIn(boss), 403, 'view_not_granted'],
  ]
  for (const [who, status, code] of asked) expect((await see(who)).faults).toEqual([`${status} ${code}`])
  expect((await see(await signedIn(boss), 999_999)).status).toBe(404)
  expect([await log(), await letters()]).toEqual([[], []])
})

test('the person whom the owner lets see the account does for 30 minutes, which the owner reads with the reason', async () => {
  await consent(sorin)
  const staff = await signedIn(sorin)
  const client = await staff.get(`${base}/desk-clients/${ana.id}`)
  expect(client.one.meta?.may).toMatchObject({ seeAsClient: true })
  const answer = await see(staff)
  const { token, until } = Object(answer.json)
  expect(Date.parse(until) - clock.now().getTime()).toBeGreaterThan(29 * minuteMs)
  expect(Date.parse(until) - clock.now().getTime()).toBeLessThanOrEqual(30 * minuteMs)
  const view = visitor(app, token)
  const me = Object((await view.get('/api/user')).json)
  expect(me).toMatchObject({ id: ana.id, staff: null, view: { by: 'support' } })
  // The database drops zeros at the end of a fraction.
  expect(Date.parse(me.view.until)).toBe(Date.parse(until))
  expect((await view.get(`${base}/panels`)).list.map(({ id }) => Number(id))).toEqual(ana.panels)
  expect(await log()).toEqual([
    'staff-view-granted: support',
    'staff-viewed: support The chart is empty for them',
  ])
  // The owner has agreed, so no letter tells them what they know.
  expect(await letters()).toEqual([])
  // Nobody else has been let in by that.
  for (const who of [ioana, boss])
    expect((await see(await signedIn(who))).faults).toEqual(['403 view_not_granted'])
})

test('the owner is not another account: what others share with them stays hidden', async () => {
  const stranger = await makeAccount(pool, { projects: 1, panels: 1 })
  await sql`with p as (insert into share_permissions (inviting_client_id, invited_client_id, billing, tickets, my_workspaces,
      workspace_resources, add_panels, delete_panels, account_access, domain_access)
    values (${stranger.id}, ${ana.id}, 'allowed', 'allowed', 'allowed', 'all', 'denied', 'denied', 'none', 'none') returning id)
    select id from p`.execute(db)
  const path = `${base}/panels/${stranger.panels[0]}`
  expect((await owner.get(path)).status).toBe(200)
  await consent(sorin)
  const view = await opened(await signedIn(sorin))
  expect((await view.get(path)).status).toBe(404)
  expect(Object((await view.get('/api/user')).json).access.my_workspaces).toEqual([ana.id])
})

test('administrators see an account without consent where the operator allows it, and the owner gets a letter', async () => {
  await rule(true)
  expect((await see(await signedIn(sorin))).faults).toEqual(['403 view_not_granted'])
  const view = await opened(await signedIn(boss))
  expect(await statusOf(view)).toBe(200)
  expect(await log()).toEqual(['staff-viewed: admin The chart is empty for them'])
  const { rows: looks } = await sql`select looks from staff_looks where admin_id = ${boss.admin}`.execute(db)
  expect(looks).toEqual([{ looks: 1 }])
  expect(await letters()).toEqual([{ recipient: ana.email }])
  const letter = await newestLetter(pool, ana.email, 'account-viewed')
  expect(JSON.stringify(letter)).toContain('The chart is empty for them')
  await rule(false)
  expect(await statusOf(view)).toBe(401)
})

test('a view needs a reason, a recent sign-in, and a client who may sign in', async () => {
  await rule(true)
  const staff = await signedIn(boss)
  const path = `${base}/desk-clients/${ana.id}/-actions/seeAsClient`
  const bare = await visitor(app, staff.token).post(path, {})
  expect(bare.faults).toEqual(['422 staff_reason_required Portico-Reason'])
  expect((await staff.post(path, { minutes: 90 })).status).toBe(422)
  const set = (status: number) => db.updateTable('clients').set({ status }).where('id', '=', ana.id).execute()
  await set(0)
  expect((await see(staff)).faults).toEqual(['409 client_not_active'])
  await set(1)
  const fresh = await person(pool, `${randomUUID()}@example.com`, { verified: false })
  expect((await see(staff, fresh.id)).faults).toEqual(['409 client_email_unconfirmed'])
  expect((await see(staff)).status).toBe(200)
  await sql`update auth_sessions set authenticated_at = authenticated_at - interval '11 minutes'`.execute(db)
  expect((await see(staff)).faults).toEqual(['403 recent_sign_in_required'])
})

const ends: [what: string, how: (about: { ticket: number; staff: Visitor }) => Promise<unknown>][] = [
  [
    'its time is over',
    async () => {
      moved = 30 * minuteMs
    },
  ],
  ['the reader leaves', ({ staff }) => staff.post(`${base}/desk-clients/${ana.id}/-actions/leaveClient`, {})],
  ['the reader opens it again', ({ staff }) => see(staff)],
  ['the reader signs out', async ({ staff }) => staff.get('/api/user/logout')],
  [
    'an administrator ends the sessions of the reader',
    async () => (await signedIn(boss)).post(`${base}/desk-staff/${sorin.admin}/-actions/endSessions`, {}),
  ],
  [
    'an administrator disables the reader',
    async () => (await signedIn(boss)).post(`${base}/desk-staff/${sorin.admin}/-actions/disable`, {}),
  ],
  [
    'the reader may only read',
    () => db.updateTable('admins').set({ role: 'readonly' }).where('id', '=', sorin.admin).execute(),
  ],
  [
    'the reader loses their second factor',
    () => db.updateTable('admins').set({ totp_required: true }).where('id', '=', sorin.admin).execute(),
  ],
  [
    'the owner takes the consent back',
    ({ ticket }) => owner.post(`${base}/tickets/${ticket}/-actions/revokeStaffAccess`, { scope: 'account' }),
  ],
  ['the ticket is closed', ({ ticket }) => owner.post(`${base}/tickets/${ticket}/-actions/close`, {})],
  [
    'the ticket is another person’s',
    async ({ ticket }) =>
      (await signedIn(boss)).post(`${base}/tickets/${ticket}/-actions/assign`, { admin_id: ioana.admin }),
  ],
  [
    'the consent is over',
    () =>
      sql`update staff_accesses set granted_at = now() - interval '5 h', until = now() - interval '1 s' where ended_at is null`.execute(
        db,
      ),
  ],
  [
    'the client is blocked',
    () => db.updateTable('clients').set({ status: 0 }).where('id', '=', ana.id).execute(),
  ],
]

test.each(ends)('a view is over at once when %s', async (_, end) => {
  const ticket = await consent(sorin)
  const staff = await signedIn(sorin)
  const view = await opened(staff)
  expect(await statusOf(view)).toBe(200)
  await end({ ticket, staff })
  const over = await view.get(`${base}/projects`)
  expect(over.faults).toEqual(['401 session_ended'])
  // What is over is told before what it may not do.
  expect((await view.post(`${base}/projects`, {})).status).toBe(401)
  expect((await view.get('/api/user')).status).toBe(401)
  await db.updateTable('clients').set({ status: 1 }).where('id', '=', ana.id).execute()
  await db
    .updateTable('admins')
    .set({ role: 'support', disabled_at: null, totp_required: false })
    .where('id', '=', sorin.admin)
    .execute()
})

test('of two views of an account that one person opens at the same moment, one lasts', async () => {
  await consent(sorin)
  const staff = await signedIn(sorin)
  const answers = await Promise.all([see(staff), see(staff), see(staff)])
  const views = answers.map(({ json }) => visitor(app, String(Object(json).token)))
  const statuses = await Promise.all(views.map(statusOf))
  expect(statuses.toSorted()).toEqual([200, 401, 401])
})

test('leaving says how many views ended, and ends no one else’s', async () => {
  await rule(true)
  const [mine, theirs] = [await signedIn(boss), await signedIn(other)]
  const [view, stays] = [await opened(mine), await opened(theirs)]
  const leave = () => mine.post(`${base}/desk-clients/${ana.id}/-actions/leaveClient`, {})
  expect((await leave()).json).toEqual({ ended: 1 })
  expect([await statusOf(view), await statusOf(stays)]).toEqual([401, 200])
  expect((await leave()).json).toEqual({ ended: 0 })
  const asked = [visitor(app, undefined), owner, await signedIn(dan)]
  const path = `${base}/desk-clients/${ana.id}/-actions/leaveClient`
  expect(await Promise.all(asked.map(async (who) => (await who.post(path, {})).status))).toEqual([
    404, 404, 403,
  ])
  expect((await mine.post(`${base}/desk-clients/999999/-actions/leaveClient`, {})).status).toBe(404)
})

test('the token of a view is never a session: it refreshes nothing, is listed nowhere, and its text is not stored', async () => {
  await consent(sorin)
  const view = await opened(await signedIn(sorin))
  const token = String(view.token)
  const refreshed = await app.inject({ url: `/auth/token?refreshToken=${token}` })
  expect([refreshed.statusCode, refreshed.cookies.some(({ value }) => value !== '')]).toEqual([401, false])
  expect(
    (
      await app.inject({
        url: '/auth/token?refreshToken=cookie',
        headers: { cookie: `refreshToken=${token}` },
      })
    ).statusCode,
  ).toBe(401)
  expect((await app.inject({ url: '/api/user', headers: { cookie: `token=${token}` } })).statusCode).toBe(401)
  const sessions = Object((await owner.get('/api/user/sessions')).json).sessions
  expect(sessions).toHaveLength(1)
  const { rows } = await sql<{ text: string }>`select c::text as text from client_views c`.execute(db)
  expect(rows).toHaveLength(1)
  expect(rows[0]?.text).not.toContain(token.slice(3))
  // An idempotency key keeps no answer of this verb.
  const keyed = await app.inject({
    method: 'POST',
    url: `${base}/desk-clients/${ana.id}/-actions/seeAsClient`,
    headers: {
      authorization: `Bearer ${(await signedIn(sorin)).token}`,
      'content-type': 'application/json',
      'portico-reason': 'A test',
      'idempotency-key': 'the-same-again',
    },
    payload: '{}',
  })
  expect(keyed.statusCode).toBe(200)
  const { rows: kept } = await sql`select from idempotency_keys where key = 'the-same-again'`.execute(db)
  expect(kept).toEqual([])
  const { rows: noted } = await sql<{ text: string }>`select c::text as text from staff_action_changes c
    where table_name = 'client_views'`.execute(db)
  expect(noted.length).toBeGreaterThan(0)
  for (const { text } of noted) expect(text).not.toMatch(/\\x[0-9a-f]{64}/)
  // An altered token is no token.
  expect(await statusOf(visitor(app, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`))).toBe(401)
  expect(await statusOf(visitor(app, token.slice(3)))).toBe(401)
})

test('consent to see the account enters no panel, and consent to enter one does not show the account', async () => {
  await consent(sorin)
  const staff = await signedIn(sorin)
  const connect = (who: Visitor) => who.post(`${base}/panels/${panel}/-actions/connect`, {})
  expect((await connect(staff)).faults).toEqual(['403 owner_only'])
  expect((await connect(await opened(staff))).faults).toEqual(['403 view_read_only'])
  const { rows } = await sql`select from sso_grants where panel_id = ${panel}`.execute(db)
  expect(rows).toEqual([])
  await sql`update staff_accesses set ended_at = now() where ended_at is null`.execute(db)
  await consent(sorin, 'panel')
  expect((await see(staff)).faults).toEqual(['403 view_not_granted'])
})

test('a view is accepted from the networks of the desk alone', async () => {
  await consent(sorin)
  const view = await opened(await signedIn(sorin))
  const { app: elsewhere } = await testApp(pool, { clock, env: { deskNetworks: ['192.0.2.0/24'] } })
  expect(await statusOf(visitor(elsewhere, view.token))).toBe(401)
  const { app: within } = await testApp(pool, { clock, env: { deskNetworks: ['127.0.0.0/8'] } })
  expect(await statusOf(visitor(within, view.token))).toBe(200)
})

test('administrators change the rule with a reason, and nobody else reads it', async () => {
  const edit = (who: Visitor, body: object = { views_without_consent: true }) =>
    who.post(`${base}/access-policies/1/-actions/editAccess`, body)
  const admin = await signedIn(boss)
  expect((await edit(visitor(app, undefined))).status).toBe(404)
  expect((await edit(owner)).status).toBe(404)
  expect((await edit(await signedIn(sorin))).status).toBe(404)
  expect((await edit(visitor(app, admin.token))).faults).toEqual(['422 staff_reason_required Portico-Reason'])
  expect((await edit(admin, { views_without_consent: 'yes' })).status).toBe(422)
  expect((await edit(admin)).json).toEqual({ views_without_consent: true })
  const { list } = await admin.get(`${base}/access-policies`)
  expect(list[0]?.attributes).toMatchObject({ views_without_consent: true })
  await sql`update auth_sessions set authenticated_at = authenticated_at - interval '11 minutes'`.execute(db)
  expect((await edit(admin, { views_without_consent: false })).faults).toEqual([
    '403 recent_sign_in_required',
  ])
})

test('a member with a second factor sees the account like others', async () => {
  const careful = await makeMember(pool, 'support', { totpRequired: true })
  await consent(careful)
  const their = browser()
  await their.signIn(careful.email)
  await enrol(their, clock)
  const staff = visitor(app, their.cookies.get('token'))
  const answer = await staff.call('POST', `${base}/desk-clients/${ana.id}/-actions/seeAsClient`, {
    body: {},
    headers: because,
  })
  expect(await statusOf(visitor(app, String(Object(answer.json).token)))).toBe(200)
})
