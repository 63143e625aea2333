import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely

const say = (visitor: Visitor, ticket: number, body: string, visibility = 'public') =>
  visitor.post(`${base}/ticket-messages`, {
    data: {
      type: 'ticket-messages',
      attributes: { body, visibility },
      relationships: { ticket: { data: { type: 'tickets', id: String(ticket) } } },
    },
  })

test('everybody else who reads a ticket is given the name of who wrote last, as its conversation has it', async () => {
  const [ana, mihai, admin] = [
    await makeAccount(portal.pool, { panels: 1 }),
    await makeAccount(portal.pool),
    await makeAdmin(portal.pool),
  ]
  await portal.share(ana, mihai, { tickets: 'allowed' })
  await db.updateTable('clients').set({ first_name: 'Mihai' }).where('id', '=', mihai.id).execute()
  const { ticket } = await makeTicket(portal.pool, { client: ana.id, panel: ana.panels[0] ?? null })
  const readers = [portal.as(ana), portal.as(mihai), portal.staff(admin)] as const
  const named = () =>
    Promise.all(
      readers.map(async (reader) => {
        const [listed] = (await reader.get(`${base}/tickets?filter[client_id]=${ana.id}`)).list
        return listed?.attributes?.last_message_author
      }),
    )
  // The latest message is a note that only staff reads.
  expect(await named()).toEqual(['Sorin', 'Sorin', 'Sorin'])
  const [owner, guest, staff] = readers
  expect((await say(guest, ticket, 'Checkout answers 502')).status).toBe(201)
  expect(await named()).toEqual(['Mihai Pop', null, 'Mihai Pop'])
  expect((await say(staff, ticket, 'It is the cache', 'internal')).status).toBe(201)
  expect(await named()).toEqual(['Mihai Pop', null, 'Mihai Pop'])
  await say(owner, ticket, 'Still')
  expect(await named()).toEqual([null, 'Ana Pop', 'Ana Pop'])
})
