import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { lettersTo } from '#test/support/mail.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { type Member, makeMember } from '#test/support/staff.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely

let ana: Account
let support: Member
let second: Member
let billing: Member

beforeEach(async () => {
  ana = await makeAccount(pool, { projects: 1, panels: 0 })
  support = await makeMember(pool, 'support')
  second = await makeMember(pool, 'admin')
  billing = await makeMember(pool, 'billing')
  // Staff of the previous test must not receive the notifications of this one.
  await db
    .updateTable('admins')
    .set({ disabled_at: new Date().toISOString() })
    .where(
      'id',
      'not in',
      [support, second, billing].map(({ admin }) => admin),
    )
    .execute()
})

async function open(code = 'technical'): Promise<string> {
  const { id } = await db
    .selectFrom('ticket_departments')
    .select('id')
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  const opened = await portal.as(ana).post(`${base}/tickets`, {
    data: {
      type: 'tickets',
      attributes: { subject: 'Slow', description: 'Since noon' },
      relationships: { ticketDepartment: { data: { type: 'ticket-departments', id: String(id) } } },
    },
  })
  expect(opened.status).toBe(201)
  return String(opened.one.id)
}

const say = async (visitor: Visitor, ticket: string, body: string) =>
  expect(
    (
      await visitor.post(`${base}/ticket-messages`, {
        data: {
          type: 'ticket-messages',
          attributes: { body },
          relationships: { ticket: { data: { type: 'tickets', id: ticket } } },
        },
      })
    ).status,
  ).toBe(201)

const letters = async ({ email }: Member) =>
  (await lettersTo(pool, email)).map((letter) =>
    letter.kind === 'ticket-message' ? letter.lines : letter.kind,
  )

const bell = async ({ admin }: Member) =>
  (await portal.staff(admin).get(`${base}/notifications`)).list.map(({ attributes }) => attributes?.kind)

const choose = ({ admin }: Member, attributes: object) =>
  portal.staff(admin).patch(`${base}/staff-preferences/${admin}`, {
    data: { type: 'staff-preferences', id: String(admin), attributes },
  })

test('a new ticket reaches the staff of its department, once by letter and once in the portal', async () => {
  await open()
  for (const one of [support, second])
    expect([await letters(one), await bell(one)]).toEqual([[['Since noon']], ['ticket_opened']])
  expect([await letters(billing), await bell(billing)]).toEqual([[], []])
})

test('a ticket about billing reaches billing staff too', async () => {
  await open('billing')
  expect([await letters(billing), await bell(billing)]).toEqual([[['Since noon']], ['ticket_opened']])
  expect(await letters(support)).toEqual([['Since noon']])
})

test('the answering member takes the ticket, and gets the next answers but not their own', async () => {
  const ticket = await open()
  await say(portal.as(ana), ticket, 'Hello?')
  expect((await letters(second)).at(-1)).toEqual(['Hello?'])
  await say(portal.staff(support.admin), ticket, 'We look into it')
  await say(portal.as(ana), ticket, 'Thank you')
  expect(await letters(support)).toEqual([['Since noon'], ['Hello?'], ['Thank you']])
  expect(await letters(second)).toEqual([['Since noon'], ['Hello?']])
  expect(await bell(support)).toEqual(['ticket_replied', 'ticket_opened'])
  const { one } = await portal.staff(support.admin).get(`${base}/tickets/${ticket}?include=assignedAdmin`)
  expect(one.relationships?.assignedAdmin?.data).toEqual({ type: 'admins', id: String(support.admin) })
})

test('staff chooses by department, and by which way', async () => {
  expect((await choose(support, { followed: { technical: 'none' } })).status).toBe(200)
  expect((await choose(second, { followed: { technical: 'mine' }, ticket_news_by: ['portal'] })).status).toBe(
    200,
  )
  const ticket = await open()
  expect([await letters(support), await bell(support)]).toEqual([[], []])
  expect([await letters(second), await bell(second)]).toEqual([[], []])
  const assigned = await portal
    .staff(second.admin)
    .post(`${base}/tickets/${ticket}/-actions/assign`, { data: { admin_id: second.admin } })
  expect(assigned.status).toBe(200)
  await say(portal.as(ana), ticket, 'Hello?')
  expect([await letters(second), await bell(second)]).toEqual([[], ['ticket_replied']])
  // Of another department nothing was chosen.
  await open('sales')
  expect([await letters(support), await bell(second)]).toEqual([
    [['Since noon']],
    ['ticket_opened', 'ticket_replied'],
  ])
})

test('a choice is changed by its own member alone', async () => {
  const url = `${base}/staff-preferences/${second.admin}`
  const body = {
    data: {
      type: 'staff-preferences',
      id: String(second.admin),
      attributes: { followed: { technical: 'none' } },
    },
  }
  expect((await portal.staff(support.admin).patch(url, body)).status).toBe(403)
  expect((await portal.as(ana).patch(url, body)).status).toBe(404)
  expect((await choose(second, { followed: { plumbing: 'all' } })).status).toBe(422)
  expect((await choose(second, { ticket_news_by: ['pigeon'] })).status).toBe(422)
})

test('a member of staff changes their own display name, which nobody else can, and the log has it', async () => {
  const member = await makeMember(pool, 'readonly')
  expect((await choose(member, { display_name: ' Dana of Acme ' })).status).toBe(200)
  const { rows } = await sql`select m.display_name, c.first_name, c.last_name
    from admins m join clients c on c.auth_id = m.auth_id where m.id = ${member.admin}`.execute(db)
  expect(rows).toEqual([{ display_name: 'Dana of Acme', first_name: 'Dana of Acme', last_name: '' }])
  for (const display_name of ['', '  ', 'x'.repeat(81), 'two\nlines'])
    expect((await choose(member, { display_name })).status).toBe(422)
  const url = `${base}/staff-preferences/${member.admin}`
  const body = {
    data: { type: 'staff-preferences', id: String(member.admin), attributes: { display_name: 'Mine' } },
  }
  expect((await portal.staff(second.admin).patch(url, body)).status).toBe(403)
  expect([
    (await portal.as(ana).patch(url, body)).status,
    (await portal.nobody.patch(url, body)).status,
  ]).toEqual([404, 401])
  const { rows: log } =
    await sql`select c.before, c.after from staff_actions a join staff_action_changes c on c.action_id = a.id
    where a.admin_id = ${member.admin} and c.table_name = 'admins'`.execute(db)
  expect(log).toMatchObject([
    { before: { display_name: 'readonly' }, after: { display_name: 'Dana of Acme' } },
  ])
})

test('staff without the required second factor, and former staff, are not notified', async () => {
  const late = await makeMember(pool, 'support', { totpRequired: true })
  await db
    .updateTable('admins')
    .set({ disabled_at: new Date().toISOString() })
    .where('id', '=', support.admin)
    .execute()
  await open()
  expect([await letters(late), await letters(support)]).toEqual([[], []])
  const rows = await db
    .selectFrom('notifications')
    .select('client_id')
    .where('client_id', 'in', [late.client, support.client])
    .execute()
  expect(rows).toEqual([])
})
