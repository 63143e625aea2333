import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { type Member, makeMember } from '#test/support/staff.ts'
import { makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const url = `${base}/desk-departments`

let ana: Account
let boss: Member
let support: Member
let admin: Visitor

beforeEach(async () => {
  await sql`update ticket_departments set closed_at = null`.execute(db)
  ana = await makeAccount(portal.pool, { projects: 0 })
  boss = await makeMember(portal.pool, 'admin')
  support = await makeMember(portal.pool, 'support')
  await sql`update admins set disabled_at = now() where id not in (${boss.admin}, ${support.admin})`.execute(
    db,
  )
  admin = portal.staff(boss.admin)
})

const names = { name_en: 'Security', name_ro: 'Securitate' }
const times = { first_response_minutes: 30, resolve_minutes: 240, office_hours: true }
const wish = (code: string, more: object = {}) => ({
  code,
  requires_billing: false,
  ...names,
  ...times,
  ...more,
})
const add = (who: Visitor, code: string, more: object = {}) =>
  who.post(`${url}/-actions/add`, { data: wish(code, more) })
const idOf = async (code: string) =>
  (await db.selectFrom('ticket_departments').select('id').where('code', '=', code).executeTakeFirstOrThrow())
    .id
const act = async (who: Visitor, code: string, name: string, data: object = {}) =>
  who.post(`${url}/${await idOf(code)}/-actions/${name}`, { data })
const read = async (code: string) => (await admin.get(`${url}/${await idOf(code)}`)).one.attributes
const open = async (code: string) =>
  portal.as(ana).post(`${base}/tickets`, {
    data: {
      type: 'tickets',
      attributes: { subject: 'Slow', description: 'Since noon' },
      relationships: {
        ticketDepartment: { data: { type: 'ticket-departments', id: String(await idOf(code)) } },
      },
    },
  })
const codesOf = ({ status, errors }: { status: number; errors: readonly { code?: string }[] }) => [
  status,
  ...errors.map(({ code }) => code),
]

test('an administrator adds a department that clients write to, with its response time', async () => {
  expect((await add(admin, 'security')).document).toMatchObject({ code: 'security' })
  expect(codesOf(await add(admin, 'security'))).toEqual([409, 'department_code_taken'])
  expect((await open('security')).status).toBe(201)
  expect(await read('security')).toMatchObject({
    ...names,
    ...times,
    closed: false,
    open_tickets: 1,
    followers: ['admin', 'support'],
  })
  const logged = await admin.get(`${base}/staff-actions?page[size]=1`)
  expect(logged.list[0]?.attributes).toMatchObject({ verb: 'add', resource_type: 'desk-departments' })
})

test.each([
  ['Upper', {}],
  ['9lives', {}],
  ['fine', { name_ro: '' }],
  ['fine', { first_response_minutes: 0 }],
  ['fine', { resolve_minutes: 43_201 }],
])('a department %s with %o is refused', async (code, more) => {
  expect((await add(admin, code, more)).status).toBe(422)
})

test('new names and times are read by clients, and old tickets keep their deadline', async () => {
  const { ticket } = await makeTicket(portal.pool, { client: ana.id })
  const due = async () =>
    (await portal.as(ana).get(`${base}/tickets/${ticket}`)).one.attributes?.first_response_due
  const before = await due()
  expect((await act(admin, 'technical', 'edit', { ...names, ...times })).status).toBe(200)
  const list = await portal.as(ana).get(`${base}/ticket-departments`)
  expect(list.list.map(({ attributes }) => attributes)).toContainEqual(
    expect.objectContaining({ code: 'technical', ...names, first_response_minutes: 30 }),
  )
  expect(list.text).not.toContain('resolve_minutes')
  expect(await due()).toBe(before)
})

test('a closed department takes no ticket, new or moved, and its own are answered as before', async () => {
  const { ticket } = await makeTicket(portal.pool, { client: ana.id, department: 'sales' })
  expect((await act(admin, 'sales', 'close')).status).toBe(200)
  expect((await act(admin, 'sales', 'close')).status).toBe(403)
  expect(codesOf(await open('sales'))).toEqual([409, 'department_closed'])
  const other = (await makeTicket(portal.pool, { client: ana.id })).ticket
  const move = (department: string) =>
    portal.staff(support.admin).post(`${base}/tickets/${other}/-actions/move`, { data: { department } })
  expect(codesOf(await move('sales'))).toEqual([409, 'department_closed'])
  expect(codesOf(await move('plumbing'))).toEqual([422, 'department_unknown'])
  expect((await portal.as(ana).get(`${base}/tickets/${ticket}`)).one.attributes?.department).toBe('sales')
  expect((await act(admin, 'sales', 'reopen')).status).toBe(200)
  expect((await act(admin, 'sales', 'reopen')).status).toBe(403)
  expect((await open('sales')).status).toBe(201)
})

test('the last department for every client stays open, however many are closed at once', async () => {
  await sql`update ticket_departments set closed_at = now() where code not in ('technical', 'billing', 'sales')`.execute(
    db,
  )
  const both = await Promise.all([act(admin, 'technical', 'close'), act(admin, 'sales', 'close')])
  expect(both.map(codesOf).sort()).toEqual([[200], [409, 'department_last']])
})

test('whoever follows no tickets of a department is not named as told', async () => {
  const choose = (followed: object) =>
    portal.staff(support.admin).patch(`${base}/staff-preferences/${support.admin}`, {
      data: { type: 'staff-preferences', id: String(support.admin), attributes: { followed } },
    })
  expect((await choose({ technical: 'none' })).status).toBe(200)
  expect((await read('technical'))?.followers).toEqual(['admin'])
  expect(codesOf(await choose({ plumbing: 'all' }))).toEqual([422, 'department_unknown'])
  await makeMember(portal.pool, 'billing')
  expect((await read('technical'))?.followers).toEqual(['admin'])
  expect((await read('billing'))?.followers).toContain('billing')
})

test('nobody but administrators reads or changes the departments of the desk', async () => {
  const others = ['support', 'billing', 'readonly'] as const
  for (const role of others) {
    const who = portal.staff((await makeMember(portal.pool, role)).admin)
    expect((await who.get(`${url}/${await idOf('sales')}`)).status).toBe(404)
    expect((await add(who, 'mine')).status).toBe(403)
    expect((await act(who, 'sales', 'close')).status).toBe(404)
  }
  for (const who of [portal.as(ana), portal.nobody]) {
    expect([401, 404]).toContain((await who.get(url)).status)
    expect([401, 404]).toContain((await add(who, 'mine')).status)
  }
  expect(portal.bugs).toEqual([])
})
