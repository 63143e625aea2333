import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { type MadeTicket, makeAdmin, makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const supporter = await makeAdmin(portal.pool)
const support = portal.staff(supporter)
const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
const readonly = portal.staff(await makeAdmin(portal.pool, 'readonly'))

let ana: Account
let into: MadeTicket
let from: MadeTicket

beforeEach(async () => {
  ana = await makeAccount(portal.pool, { projects: 2, panels: 1 })
  into = await makeTicket(portal.pool, { client: ana.id })
  from = await makeTicket(portal.pool, { client: ana.id })
})

const merge = (who: Visitor, one = from.ticket, other: number = into.ticket) =>
  who.post(`${base}/tickets/${one}/-actions/merge`, { data: { into_id: other } })
const read = async (who: Visitor, id: number) =>
  (await who.get(`${base}/tickets/${id}?include=mergedInto`)).one
const messages = async (who: Visitor, id: number) =>
  (await who.get(`${base}/ticket-messages?filter[ticket_id]=${id}&sort=createdAt&page[size]=50`)).list
const bodies = async (who: Visitor, id: number) =>
  (await messages(who, id)).map(({ attributes }) => attributes?.body)
const codeOf = ({ status, errors }: { status: number; errors: readonly { code?: string }[] }) => [
  status,
  errors[0]?.code,
]
const numberOf = async (id: number) => (await read(support, id)).attributes?.number
const say = (who: Visitor, id: number, attributes: object = {}) =>
  who.post(`${base}/ticket-messages`, {
    data: {
      type: 'ticket-messages',
      attributes: { body: 'More', ...attributes },
      relationships: { ticket: { data: { type: 'tickets', id: String(id) } } },
    },
  })
const act = (who: Visitor, id: number, verb: string, data: object = {}) =>
  who.post(`${base}/tickets/${id}/-actions/${verb}`, { data })

test('messages, notes and files of both are one conversation in the order of time, and the merged one is closed', async () => {
  expect((await say(portal.as(ana), into.ticket, { body: 'Later still' })).status).toBe(201)
  expect((await merge(support)).document).toEqual({ into_id: into.ticket })
  const sentence = `Ticket ${await numberOf(from.ticket)} was merged into this one.`
  const seen = ['Since noon', 'Is it still?', 'Since noon', 'Is it still?', 'Later still', sentence]
  expect(await bodies(portal.as(ana), into.ticket)).toEqual(seen)
  const ofStaff = await messages(support, into.ticket)
  expect(
    ofStaff.map(({ attributes }) => attributes?.visibility).filter((one) => one === 'internal').length,
  ).toBe(2)
  expect(ofStaff.at(-1)?.attributes).toMatchObject({ source: 'system', author_kind: 'system' })
  const files = await portal.as(ana).get(`${base}/ticket-files?filter[ticket_id]=${into.ticket}`)
  expect(files.list.map(({ id }) => Number(id)).sort()).toEqual([into.files[0], from.files[0]].sort())
  const file = await portal.as(ana).get(`${base}/ticket-files/${from.files[0]}?include=ticket`)
  expect(file.one.relationships?.ticket).toMatchObject({ data: { id: String(into.ticket) } })
})

test('the number of the merged ticket leads its readers to the other, and nothing more happens to it', async () => {
  await merge(support)
  const number = await numberOf(into.ticket)
  for (const who of [portal.as(ana), support]) {
    const ticket = await read(who, from.ticket)
    expect(ticket.attributes).toMatchObject({
      status: 'closed',
      client_unread: false,
      description: `This ticket was merged into ${number}, where the conversation goes on.`,
    })
    expect(ticket.relationships?.mergedInto).toMatchObject({ data: { id: String(into.ticket) } })
    expect(ticket.meta?.may).toMatchObject({ reply: false, reopen: false, addEmail: false })
  }
  const found = await portal.as(ana).get(`${base}/tickets?filter[search]=${await numberOf(from.ticket)}`)
  expect(found.list.map(({ id }) => Number(id))).toEqual([from.ticket])
  const merged = [409, 'ticket_merged']
  expect(codeOf(await say(portal.as(ana), from.ticket))).toEqual(merged)
  expect(codeOf(await say(support, from.ticket, { visibility: 'internal' }))).toEqual(merged)
  expect(codeOf(await act(portal.as(ana), from.ticket, 'reopen'))).toEqual(merged)
  expect(codeOf(await act(support, from.ticket, 'tag', { tags: ['vip'] }))).toEqual(merged)
  expect(codeOf(await act(portal.as(ana), from.ticket, 'addEmail', { email: 'a@b.test' }))).toEqual(merged)
  expect(codeOf(await merge(support))).toEqual(merged)
})

test('a merge is one logged action, of the person and for the client', async () => {
  await merge(support)
  const { rows } = await sql`select verb, type, ref, admin_id, reason from staff_actions
    where client_id = ${ana.id}`.execute(db)
  expect(rows).toEqual([
    {
      verb: 'merge',
      type: 'tickets',
      ref: String(from.ticket),
      admin_id: supporter,
      reason: 'A test asks for it',
    },
  ])
})

test('notified addresses go along, one that both have stays once, and more than ten are refused', async () => {
  const add = (id: number, email: string) => act(portal.as(ana), id, 'addEmail', { email })
  await add(into.ticket, 'both@example.com')
  await add(from.ticket, 'both@example.com')
  await add(from.ticket, 'other@example.com')
  const addresses = async () => (await read(support, into.ticket)).attributes?.notified_emails as string[]
  const before = await addresses()
  for (let n = 0; n < 8; n += 1) await add(into.ticket, `n${n}@example.com`)
  expect(codeOf(await merge(support))).toEqual([422, 'ticket_notified_most'])
  expect(await bodies(portal.as(ana), from.ticket)).toHaveLength(2)
  await sql`delete from ticket_ticket_emails x using ticket_emails e where e.id = x.ticket_email_id
    and x.ticket_id = ${into.ticket} and e.email like 'n_@example.com'`.execute(db)
  expect((await merge(support)).status).toBe(200)
  const after = await addresses()
  expect(after.filter((one) => one === 'both@example.com')).toHaveLength(1)
  expect(after).toEqual(expect.arrayContaining([...before, 'other@example.com']))
  expect(after).toHaveLength(before.length + 2)
})

test('a question of the merged ticket waits for staff in the other, no later than before', async () => {
  const soon = '2026-02-01T10:00:00Z'
  await sql`update tickets set ticket_status_id = 1, first_response_due = ${soon}, last_message_at = now() + interval '1 minute',
    client_unread = false where id = ${from.ticket}`.execute(db)
  await sql`update tickets set ticket_status_id = 5, resolved_at = now(), first_response_due = '2030-01-01',
    client_unread = false where id = ${into.ticket}`.execute(db)
  await merge(support)
  expect((await read(support, into.ticket)).attributes).toMatchObject({
    status: 'awaiting_staff',
    first_response_due: soon,
    resolved_at: null,
    last_message_by: 'client',
  })
})

test('a ticket that was merged before leads to where the conversation is in the end', async () => {
  const last = await makeTicket(portal.pool, { client: ana.id })
  await merge(support)
  expect((await merge(support, into.ticket, last.ticket)).status).toBe(200)
  const ticket = await read(portal.as(ana), from.ticket)
  expect(ticket.relationships?.mergedInto).toMatchObject({ data: { id: String(last.ticket) } })
  const seen = await bodies(portal.as(ana), last.ticket)
  expect(seen.filter((one) => one === 'Since noon')).toHaveLength(3)
})

test('a ticket is merged into an open one of the same account that the person sees, and not into itself', async () => {
  const other = await makeAccount(portal.pool, { projects: 0 })
  const foreign = await makeTicket(portal.pool, { client: other.id })
  expect(codeOf(await merge(support, from.ticket, foreign.ticket))).toEqual([
    422,
    'ticket_merge_of_other_account',
  ])
  expect(codeOf(await merge(support, from.ticket, from.ticket))).toEqual([422, 'ticket_merge_itself'])
  expect((await merge(support, from.ticket, 2_000_000_000)).status).toBe(404)
  const bill = await makeTicket(portal.pool, { client: ana.id, department: 'billing' })
  // Staff of billing see no tickets of other departments.
  expect((await merge(billing, bill.ticket, into.ticket)).status).toBe(404)
  await act(support, into.ticket, 'close')
  expect(codeOf(await merge(support))).toEqual([409, 'ticket_merge_closed'])
  await act(support, into.ticket, 'reopen')
  const third = await makeTicket(portal.pool, { client: ana.id })
  await merge(support, into.ticket, third.ticket)
  expect(codeOf(await merge(support))).toEqual([409, 'ticket_merge_merged'])
  expect(await bodies(portal.as(ana), from.ticket)).toHaveLength(2)
})

test('nobody but staff who answer the ticket merges it', async () => {
  expect((await merge(readonly)).status).toBe(403)
  expect((await merge(billing)).status).toBe(404)
  expect((await merge(portal.as(ana))).status).toBe(403)
  expect((await merge(portal.nobody)).status).toBe(401)
  const stranger = portal.as(await makeAccount(portal.pool, { projects: 0 }))
  expect((await merge(stranger)).status).toBe(404)
  expect((await act(support, from.ticket, 'merge', { into_id: 'x' })).status).toBe(422)
  expect((await act(support, from.ticket, 'merge')).status).toBe(422)
})

test('tickets that a guest does not read both are not merged', async () => {
  const guest = await makeAccount(portal.pool, { projects: 0 })
  await portal.share(ana, guest, { tickets: 'allowed', workspace_resources: 'none' })
  const asked = await makeTicket(portal.pool, { client: ana.id, opener: guest.id })
  expect(codeOf(await merge(support, asked.ticket))).toEqual([409, 'ticket_merge_readers'])
  expect(codeOf(await merge(support, from.ticket, asked.ticket))).toEqual([409, 'ticket_merge_readers'])
  expect((await merge(support)).status).toBe(200)
  const both = await makeTicket(portal.pool, { client: ana.id, opener: guest.id })
  expect((await merge(support, asked.ticket, both.ticket)).status).toBe(200)
  expect(await bodies(portal.as(guest), both.ticket)).toHaveLength(5)
})

test('a note that is being added while tickets are merged is not left behind', async () => {
  let merged: Promise<unknown> | undefined
  await db.transaction().execute(async (tx) => {
    await sql`insert into ticket_messages (ticket_id, client_id, author_admin_id, body, visibility)
      values (${from.ticket}, ${ana.id}, ${supporter}, 'Just now', 'internal')`.execute(tx)
    merged = merge(support)
    await untilBlocked(portal.pool)
  })
  await merged
  expect(await bodies(support, into.ticket)).toContain('Just now')
  expect(await bodies(support, from.ticket)).toHaveLength(1)
  expect(portal.bugs).toEqual([])
})
