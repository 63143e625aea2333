import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const dan = await makeAdmin(portal.pool)
const [support, colleague] = [portal.staff(dan), portal.staff(await makeAdmin(portal.pool))]
const readonly = portal.staff(await makeAdmin(portal.pool, 'readonly'))
const billing = portal.staff(await makeAdmin(portal.pool, 'billing'))
const account = await makeAccount(portal.pool, { projects: 0, panels: 0 })
const ana = portal.as(account)
const ticketOf = async () => (await makeTicket(portal.pool, { client: account.id })).ticket
const { rows } = await sql<{
  name: string
}>`select display_name as name from admins where id = ${dan}`.execute(db)
const name = rows[0]?.name

type Visitor = typeof ana
const write = async (visitor: Visitor, id: number) =>
  (await visitor.post(`${base}/tickets/${id}/-actions/writing`, { data: {} })).status
const seen = async (visitor: Visitor, id: number) =>
  (await visitor.get(`${base}/tickets/${id}`)).one.attributes?.writers
const say = (visitor: Visitor, id: number, visibility: 'public' | 'internal') =>
  visitor.post(`${base}/ticket-messages`, {
    data: {
      type: 'ticket-messages',
      attributes: { body: 'Done', visibility },
      relationships: { ticket: { data: { type: 'tickets', id: String(id) } } },
    },
  })

test('colleagues see who writes, the writer and the client do not, and the log keeps nothing of it', async () => {
  const id = await ticketOf()
  const logged = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from staff_actions`.execute(db)).rows[0]
      ?.count
  const before = await logged()
  expect([await write(support, id), await write(support, id)]).toEqual([200, 200])
  expect(await seen(colleague, id)).toEqual([name])
  expect(await seen(readonly, id)).toEqual([name])
  expect(await seen(support, id)).toEqual([])
  expect(await seen(ana, id)).toBeNull()
  expect(await logged()).toBe(before)
})

test('the sign ends by itself, and with the message, also of a note', async () => {
  const id = await ticketOf()
  await write(support, id)
  await sql`update ticket_writers set at = at - interval '46 seconds' where ticket_id = ${id}`.execute(db)
  expect(await seen(colleague, id)).toEqual([])
  for (const visibility of ['public', 'internal'] as const) {
    await write(support, id)
    expect(await seen(colleague, id)).toEqual([name])
    // What the client writes meanwhile does not end it.
    expect((await say(ana, id, 'public')).status).toBe(201)
    expect(await seen(colleague, id)).toEqual([name])
    expect((await say(support, id, visibility)).status).toBe(201)
    expect(await seen(colleague, id)).toEqual([])
  }
})

test('what somebody left at another ticket is cleared by their next sign', async () => {
  const [left, next] = [await ticketOf(), await ticketOf()]
  await write(support, left)
  await write(support, next)
  expect(await seen(colleague, left)).toEqual([name])
  await sql`update ticket_writers set at = at - interval '46 seconds' where ticket_id = ${left}`.execute(db)
  await write(support, next)
  const kept = await sql<{ ticket_id: number }>`select ticket_id from ticket_writers where admin_id = ${dan}
    and ticket_id in (${left}, ${next})`.execute(db)
  expect(kept.rows.map(({ ticket_id }) => ticket_id)).toEqual([next])
})

test('clients and those who cannot answer give no sign', async () => {
  const id = await ticketOf()
  expect([await write(ana, id), await write(readonly, id), await write(billing, id)]).toEqual([403, 403, 404])
  expect(await seen(colleague, id)).toEqual([])
})
