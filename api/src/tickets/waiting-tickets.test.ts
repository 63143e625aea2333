import { base } from '@portico/contract/wire.ts'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const support = await makeAdmin(portal.pool)
const owner = await makeAccount(portal.pool)

/** A new ticket of the owner that waits for staff. */
async function waiting(values: object = {}): Promise<string> {
  const { ticket } = await makeTicket(portal.pool, { client: owner.id })
  await portal.pool.kysely
    .updateTable('tickets')
    .set({ ticket_status_id: 1, first_response_due: '2100-01-01T00:00:00Z', resolve_due: null, ...values })
    .where('id', '=', ticket)
    .execute()
  return String(ticket)
}

const list = (who: Visitor, queue: string) => who.get(`${base}/tickets?filter[waiting]=${queue}`)

test('staff list what waits without a member, or too long; clients get no such list', async () => {
  const past = { first_response_due: '2026-01-01T00:00:00Z' }
  const free = await waiting()
  const late = await waiting({ ...past, assigned_admin_id: support })
  await waiting({ assigned_admin_id: support })
  // An answer in time ends the first deadline; and what waits for the client is in neither list.
  await waiting({ ...past, assigned_admin_id: support, first_responded_at: '2025-12-31T00:00:00Z' })
  await waiting({ ...past, ticket_status_id: 3 })
  const ids = async (who: Visitor, queue: string) => (await list(who, queue)).list.map(({ id }) => id)
  const [staff, client] = [portal.staff(support), portal.as(owner)]
  expect([await ids(staff, 'unassigned'), await ids(staff, 'overdue')]).toEqual([[free], [late]])
  expect([await ids(client, 'unassigned'), await ids(client, 'overdue')]).toEqual([[], []])
  const wrong = await list(staff, 'late')
  expect([wrong.status, wrong.document.errors?.[0]?.code]).toEqual([400, 'value_not_among'])
})
