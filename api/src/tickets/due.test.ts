import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { person } from '#test/support/people.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { closeResolved } from './actions.ts'
import { notifyOfDeadlines } from './due.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const ana = await makeAccount(portal.pool)

/** A member of staff with an account that receives notifications. */
async function staffCalled(name: string): Promise<number> {
  const { accountId } = await person(portal.pool, `${name}@staff.example`)
  const id = await makeAdmin(portal.pool)
  await db.updateTable('admins').set({ auth_id: accountId }).where('id', '=', id).execute()
  return id
}
const [sorin, ioana] = [await staffCalled('sorin'), await staffCalled('ioana')]

const opened = new Date('2026-01-12T10:00:00Z')
const after = (minutes: number) => new Date(opened.getTime() + minutes * 60_000)

async function openTicket(by = ana): Promise<string> {
  portal.clock.time = opened
  const { id } = await db
    .selectFrom('ticket_departments')
    .select('id')
    .where('code', '=', 'technical')
    .executeTakeFirstOrThrow()
  const made = await portal.as(by).post('/api/v1/tickets', {
    data: {
      type: 'tickets',
      attributes: { subject: 'Slow', description: 'Since noon' },
      relationships: { ticketDepartment: { data: { type: 'ticket-departments', id: String(id) } } },
    },
  })
  return made.one.id
}

const say = (who: Visitor, ticket: string) =>
  who.post('/api/v1/ticket-messages', {
    data: {
      type: 'ticket-messages',
      attributes: { body: 'Well' },
      relationships: { ticket: { data: { type: 'tickets', id: ticket } } },
    },
  })

/** The notifications of a person about the due times of a ticket. */
const notificationsOf = async (who: Visitor, ticket: string) =>
  (await who.get('/api/v1/notifications?sort=createdAt')).list
    .filter(({ attributes }) => attributes?.about_id === Number(ticket))
    .map(({ attributes }) => String(attributes?.kind))
    .filter((kind) => /_due$|_overdue$/.test(kind))

test('staff is notified once of a first answer that is due soon and once when it is late, the client never', async () => {
  const ticket = await openTicket()
  const staff = portal.staff(sorin)
  await notifyOfDeadlines(db, after(179))
  expect(await notificationsOf(staff, ticket)).toEqual([])
  await Promise.all([notifyOfDeadlines(db, after(181)), notifyOfDeadlines(db, after(182))])
  expect(await notificationsOf(staff, ticket)).toEqual(['ticket_due'])
  await notifyOfDeadlines(db, after(241))
  await notifyOfDeadlines(db, after(300))
  expect(await notificationsOf(staff, ticket)).toEqual(['ticket_due', 'ticket_overdue'])
  expect(await notificationsOf(portal.staff(ioana), ticket)).toHaveLength(2)
  expect(await notificationsOf(portal.as(ana), ticket)).toEqual([])
})

test('the bell of staff is their own: others neither see nor change what is in it', async () => {
  const ticket = await openTicket()
  await notifyOfDeadlines(db, after(181))
  const mine = (await portal.staff(sorin).get('/api/v1/notifications')).list.find(
    ({ attributes }) => attributes?.about_id === Number(ticket),
  )
  const url = `/api/v1/notifications/${mine?.id}`
  const read = { data: { type: 'notifications', id: mine?.id, attributes: { read: true } } }
  for (const other of [portal.staff(ioana), portal.as(ana), portal.staff(await makeAdmin(portal.pool))])
    expect([(await other.get(url)).status, (await other.patch(url, read)).status]).toEqual([404, 404])
  expect((await portal.staff(sorin).patch(url, read)).one.attributes).toMatchObject({ read: true })
  await notifyOfDeadlines(db, after(185))
  expect(await notificationsOf(portal.staff(sorin), ticket)).toEqual(['ticket_due'])
})

test('only the assignee of a ticket is notified', async () => {
  const ticket = await openTicket()
  await db.updateTable('tickets').set({ assigned_admin_id: ioana }).where('id', '=', Number(ticket)).execute()
  await notifyOfDeadlines(db, after(181))
  expect(await notificationsOf(portal.staff(ioana), ticket)).toEqual(['ticket_due'])
  expect(await notificationsOf(portal.staff(sorin), ticket)).toEqual([])
})

test('the time stops while the ticket waits for the client, and continues with their answer', async () => {
  const ticket = await openTicket()
  const staff = portal.staff(sorin)
  portal.clock.time = after(60)
  expect((await say(staff, ticket)).status).toBe(201)
  await notifyOfDeadlines(db, after(5000))
  expect(await notificationsOf(staff, ticket)).toEqual([])
  portal.clock.time = after(5000)
  expect((await say(portal.as(ana), ticket)).status).toBe(201)
  // A day from the start, of which an hour had passed.
  await notifyOfDeadlines(db, after(5000 + 1019))
  expect(await notificationsOf(staff, ticket)).toEqual([])
  await notifyOfDeadlines(db, after(5000 + 1021))
  expect(await notificationsOf(staff, ticket)).toEqual(['ticket_due'])
  await notifyOfDeadlines(db, after(5000 + 1381))
  expect(await notificationsOf(staff, ticket)).toEqual(['ticket_due', 'ticket_overdue'])
})

test('a target that was missed a day before the first check is not notified, later ones are', async () => {
  const hans = await makeAccount(portal.pool)
  const [old, recent] = [await openTicket(hans), await openTicket(hans)]
  const due = (minutes: number, ticket: string) =>
    db
      .updateTable('tickets')
      .set({ first_response_due: after(minutes).toISOString(), resolve_due: null })
      .where('id', '=', Number(ticket))
      .execute()
  await due(240, old)
  await due(240 + 1440, recent)
  await notifyOfDeadlines(db, after(240 + 1440))
  await notifyOfDeadlines(db, after(240 + 1500))
  const staff = portal.staff(sorin)
  expect([await notificationsOf(staff, old), await notificationsOf(staff, recent)]).toEqual([
    [],
    ['ticket_overdue'],
  ])
})

test('staff sees the resolution target while the ticket is open; its client never does', async () => {
  const client = await makeAccount(portal.pool)
  const url = `/api/v1/tickets/${await openTicket(client)}`
  const due = async (who: Visitor) => (await who.get(url)).one.attributes?.resolve_due
  const staff = portal.staff(sorin)
  expect([await due(staff), await due(portal.as(client))]).toEqual(['2026-01-13T10:00:00Z', null])
  expect((await staff.post(`${url}/-actions/resolve`, {})).status).toBe(200)
  expect(await due(staff)).toBeNull()
})

test('tickets with all notices sent do not delay the notices of others', async () => {
  const client = await makeAccount(portal.pool)
  const [late, next] = [Number(await openTicket(client)), await openTicket(client)]
  await db.updateTable('tickets').set({ first_response_told: 100, resolve_told: 100 }).execute()
  await db.updateTable('tickets').set({ resolve_told: 0 }).where('id', '=', late).execute()
  await db
    .updateTable('tickets')
    .set({ first_response_told: 0, first_response_due: after(300).toISOString() })
    .where('id', '=', Number(next))
    .execute()
  await notifyOfDeadlines(db, after(301), 1)
  expect(await notificationsOf(portal.staff(sorin), next)).toEqual(['ticket_overdue'])
})

test('a resolved ticket is closed after seven days without a message, and not a moment before', async () => {
  const client = await makeAccount(portal.pool)
  const me = portal.as(client)
  const [quiet, answered, waiting] = [
    await openTicket(client),
    await openTicket(client),
    await openTicket(client),
  ]
  for (const ticket of [quiet, answered])
    expect((await me.post(`/api/v1/tickets/${ticket}/-actions/resolve`, {})).status).toBe(200)
  const states = async () => {
    const { list } = await me.get('/api/v1/tickets')
    return [quiet, answered, waiting].map(
      (ticket) => list.find(({ id }) => id === ticket)?.attributes?.status,
    )
  }
  const week = 7 * 1440
  portal.clock.time = after(week - 1)
  expect((await say(me, answered)).status).toBe(201)
  expect(await closeResolved(db, after(week - 1))).toBe(0)
  expect(await states()).toEqual(['resolved', 'awaiting_staff', 'open'])
  await closeResolved(db, after(week))
  expect(await states()).toEqual(['closed', 'awaiting_staff', 'open'])
  const { closed_at } = (await me.get(`/api/v1/tickets/${quiet}`)).one.attributes ?? {}
  expect(closed_at).toBe('2026-01-19T10:00:00Z')
})
