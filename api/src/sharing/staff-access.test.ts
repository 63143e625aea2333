import { ssoScope } from '@portico/contract/engine/wire.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { disableStaff } from '#identity/staff-registry.ts'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { TestEngine } from '#test/support/engine.ts'
import { letSignIn } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'
import { endOverdueAccess } from './staff-access.ts'

let engine = new TestEngine()
const portal = await testPortal({ engines: { open: () => engine } })
const db = portal.pool.kysely
const ana = await makeAccount(portal.pool, { projects: 1, panels: 2 })
const [sorin, ioana, boss] = [
  await makeAdmin(portal.pool),
  await makeAdmin(portal.pool),
  await makeAdmin(portal.pool, 'admin'),
]
const [panel = 0, otherPanel = 0] = ana.panels
await letSignIn(portal.pool, ana)

afterAll(() => {
  expect(portal.bugs).toEqual([])
})

const assignTo = (ticket: number, admin: number | null) =>
  portal.staff(boss).post(`/api/v1/tickets/${ticket}/-actions/assign`, { admin_id: admin })

/** A ticket about the panel that Sorin answers. */
async function ticketOf(about: number | null = panel): Promise<number> {
  const { ticket } = await makeTicket(portal.pool, { client: ana.id, panel: about, admin: sorin })
  expect((await assignTo(ticket, sorin)).status).toBe(200)
  return ticket
}

let ticket = 0
beforeEach(async () => {
  engine = new TestEngine()
  await sql`update staff_accesses set ended_at = now() where ended_at is null`.execute(db)
  await sql`delete from auth_events`.execute(db)
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  ticket = await ticketOf()
})

const grant = (who: Visitor, hours: unknown = 4, of = ticket) =>
  who.post(`/api/v1/tickets/${of}/-actions/grantStaffAccess`, { hours })
const revoke = (who: Visitor) => who.post(`/api/v1/tickets/${ticket}/-actions/revokeStaffAccess`, {})
const connect = async (admin: number, to = panel) =>
  (await portal.staff(admin).post(`/api/v1/panels/${to}/-actions/connect`, {})).status
const log = async () => {
  const { rows } = await sql<{ line: string }>`select kind || ': ' || about as line from auth_events
    order by id`.execute(db)
  return rows.map(({ line }) => line.replace(/ · .*/, ''))
}
const sentOut = async () => {
  const { rows } = await sql<{
    who: string
  }>`select j.payload ->> 'panelId' || ' ' || (j.payload ->> 'adminId') as who
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'panel.revoke-staff'`.execute(db)
  return rows.map(({ who }) => who)
}

test('the assigned staff member enters the panel while the client allows it, and both see until when', async () => {
  expect(await connect(sorin)).toBe(403)
  const granted = await grant(portal.as(ana))
  const until = String(Object(granted.json).until)
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(3.9 * 3_600_000)
  for (const who of [portal.as(ana), portal.staff(sorin)]) {
    const seen = await who.get(`/api/v1/tickets/${ticket}?include=panel`)
    expect(Date.parse(String(seen.one.attributes?.staff_access_until))).toBe(Date.parse(until))
  }
  const panelOf = await portal.staff(sorin).get(`/api/v1/panels/${panel}`)
  expect(panelOf.one.meta?.may).toMatchObject({ connect: true, update: false, delete: false })
  expect(await connect(sorin)).toBe(200)
  expect(engine.asked.at(-1)).toContain(`staff-${sorin} ${ssoScope.options.join()}`)
  const written = await db.selectFrom('sso_grants').selectAll().where('admin_id', '=', sorin).execute()
  expect(written).toMatchObject([{ client_id: null, panel_id: panel, role: 'staff', ip: '127.0.0.1' }])
  expect(await log()).toEqual(['staff-access-granted: Sorin', 'staff-connected: Sorin'])
})

test('no other member of staff enters, and no other panel of the client is entered', async () => {
  await ticketOf(otherPanel)
  await grant(portal.as(ana))
  expect([await connect(ioana), await connect(boss), await connect(sorin, otherPanel)]).toEqual([
    403, 403, 403,
  ])
  // A new assignee was not let in, and a former one loses access.
  await assignTo(ticket, ioana)
  expect([await connect(ioana), await connect(sorin)]).toEqual([403, 403])
  await assignTo(ticket, sorin)
  expect(await connect(sorin)).toBe(403)
  expect(await sentOut()).toEqual([`${panel} ${sorin}`])
  expect(await log()).toEqual(['staff-access-granted: Sorin', 'staff-access-ended: Sorin'])
})

test('the owner alone lets staff in: not a guest, a program, a stranger, nor staff', async () => {
  const [guest, stranger] = [
    await makeAccount(portal.pool, { projects: 0 }),
    await makeAccount(portal.pool, { projects: 0 }),
  ]
  await portal.share(ana, guest, { tickets: 'allowed' })
  const key = await makeKey(portal.pool, { client: ana.id })
  const asked = [
    portal.as(guest),
    portal.key(key.id),
    portal.staff(sorin),
    portal.staff(boss),
    portal.as(stranger),
    portal.nobody,
  ]
  const answers = await Promise.all(asked.map(async (who) => (await grant(who)).status))
  expect(answers).toEqual([403, 403, 403, 403, 404, 401])
  await grant(portal.as(ana))
  const ends = [portal.as(guest), portal.key(key.id), portal.staff(await makeAdmin(portal.pool, 'readonly'))]
  for (const who of ends) expect((await revoke(who)).status).toBe(403)
  expect(await connect(sorin)).toBe(200)
})

test.each([0, 73, 1.5, '4', null])('%s hours are no time to let somebody in for', async (hours) => {
  expect((await grant(portal.as(ana), hours)).status).toBe(422)
})

test('a ticket without a panel, without an assignee, or closed, lets no staff in', async () => {
  expect((await grant(portal.as(ana), 4, await ticketOf(null))).faults).toEqual(['409 ticket_without_panel'])
  await assignTo(ticket, null)
  expect((await grant(portal.as(ana))).faults).toEqual(['409 ticket_unanswered'])
  await assignTo(ticket, sorin)
  await portal.as(ana).post(`/api/v1/tickets/${ticket}/-actions/close`, {})
  expect((await grant(portal.as(ana))).faults).toEqual(['409 ticket_closed'])
})

const close = (who: Visitor) => who.post(`/api/v1/tickets/${ticket}/-actions/close`, {})
const pass = async () => {
  await sql`update staff_accesses set granted_at = now() - interval '5 h', until = now() - interval '1 s'
    where ended_at is null`.execute(db)
  // It is over before any job has run.
  expect(await connect(sorin)).toBe(403)
  await Promise.all([endOverdueAccess(db, new Date()), endOverdueAccess(db, new Date())])
}

test.each([
  ['its owner takes it back', () => revoke(portal.as(ana))],
  ['staff gives it back', () => revoke(portal.staff(sorin))],
  ['the client closes the ticket', () => close(portal.as(ana))],
  ['staff closes the ticket', () => close(portal.staff(ioana))],
  ['the time is over', pass],
])('access ends when %s: at once, at the engine, and in the log', async (_, end) => {
  await grant(portal.as(ana))
  await end()
  expect(await connect(sorin)).toBe(403)
  const seen = await portal.as(ana).get(`/api/v1/tickets/${ticket}`)
  expect(seen.one.attributes).toMatchObject({ staff_access_until: null })
  expect(await sentOut()).toEqual([`${panel} ${sorin}`])
  expect(await log()).toEqual(['staff-access-granted: Sorin', 'staff-access-ended: Sorin'])
})

test('a link that is being made while the client takes access back is not handed out', async () => {
  await grant(portal.as(ana))
  engine.meanwhile = async () => {
    await revoke(portal.as(ana))
  }
  expect(await connect(sorin)).toBe(403)
  expect(await log()).not.toContain('staff-connected: Sorin')
})

test('granted again it runs from then on, and one who reads only, by a role of today, is out', async () => {
  await grant(portal.as(ana), 1)
  await grant(portal.as(ana), 72)
  expect(await connect(sorin)).toBe(200)
  const demote = (role: string) => db.updateTable('admins').set({ role }).where('id', '=', sorin).execute()
  await demote('readonly')
  expect(await connect(sorin)).toBe(403)
  await demote('support')
})

test('a former staff member loses access to the panels that clients opened to them', async () => {
  await grant(portal.as(ana))
  const { email } = await db
    .selectFrom('admins')
    .select('email')
    .where('id', '=', sorin)
    .executeTakeFirstOrThrow()
  await db.transaction().execute((tx) => disableStaff({ tx, now: new Date() }, email))
  expect(await connect(sorin)).toBe(403)
  expect(await sentOut()).toEqual([`${panel} ${sorin}`])
  expect(await log()).toEqual(['staff-access-granted: Sorin', 'staff-access-ended: Sorin'])
  await db.updateTable('admins').set({ disabled_at: null }).where('id', '=', sorin).execute()
})

/** Until when the account may be seen, as the client sees it at the ticket. */
const seenUntil = async () =>
  (await portal.as(ana).get(`/api/v1/tickets/${ticket}`)).one.attributes?.account_view_until ?? null
const letSee = (who: Visitor, of = ticket) =>
  who.post(`/api/v1/tickets/${of}/-actions/grantStaffAccess`, { hours: 4, scope: 'account' })

test('to let staff see the account opens no panel, and each of the two ends without the other', async () => {
  expect((await letSee(portal.as(ana))).status).toBe(200)
  expect([await connect(sorin), await seenUntil()]).toEqual([403, expect.any(String)])
  await grant(portal.as(ana))
  expect(await connect(sorin)).toBe(200)
  const end = (scope: string) =>
    portal.as(ana).post(`/api/v1/tickets/${ticket}/-actions/revokeStaffAccess`, { scope })
  await end('account')
  expect([await connect(sorin), await seenUntil()]).toEqual([200, null])
  await letSee(portal.as(ana))
  await end('panel')
  expect([await connect(sorin), await seenUntil()]).toEqual([403, expect.any(String)])
  await revoke(portal.as(ana))
  expect(await seenUntil()).toBeNull()
  // The engine is asked to end sessions of those alone who were let into a panel.
  expect(await sentOut()).toEqual([`${panel} ${sorin}`])
  expect(await log()).toEqual([
    'staff-view-granted: Sorin',
    'staff-access-granted: Sorin',
    'staff-connected: Sorin',
    'staff-view-ended: Sorin',
    'staff-connected: Sorin',
    'staff-view-granted: Sorin',
    'staff-access-ended: Sorin',
    'staff-view-ended: Sorin',
  ])
})

test('what was allowed for longer goes on when the other has expired', async () => {
  await letSee(portal.as(ana))
  await grant(portal.as(ana))
  await sql`update staff_accesses set granted_at = now() - interval '5 h', until = now() - interval '1 s'
    where ended_at is null and scope = 'panel'`.execute(db)
  await endOverdueAccess(db, new Date())
  expect([await connect(sorin), await seenUntil()]).toEqual([403, expect.any(String)])
  expect(await log()).not.toContain('staff-view-ended: Sorin')
})

test('the account is seen through a ticket without a panel too, but not without an assignee', async () => {
  expect((await letSee(portal.as(ana), await ticketOf(null))).status).toBe(200)
  await assignTo(ticket, null)
  expect((await letSee(portal.as(ana))).faults).toEqual(['409 ticket_unanswered'])
  const scope = { hours: 4, scope: 'everything' }
  const path = `/api/v1/tickets/${ticket}/-actions/grantStaffAccess`
  expect((await portal.as(ana).post(path, scope)).status).toBe(422)
})
