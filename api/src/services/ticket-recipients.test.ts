import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Account, makeAccount } from '../../test/support/account.ts'
import { lettersTo } from '../../test/support/mail.ts'
import { testPortal } from '../../test/support/portal.ts'
import { type MadeTicket, makeAdmin, makeTicket } from '../../test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal

async function people(): Promise<{ owner: Account; guest: Account; admin: number }> {
  const [owner, guest] = [await makeAccount(pool), await makeAccount(pool)]
  await pool.kysely
    .updateTable('clients')
    .set({ email_verified_at: 'now' })
    .where('id', 'in', [owner.id, guest.id])
    .execute()
  return { owner, guest, admin: await makeAdmin(pool) }
}

const answer = async (admin: number, { ticket }: MadeTicket) => {
  const data = {
    type: 'ticket-messages',
    attributes: { body: 'Solved.' },
    relationships: { ticket: { data: { type: 'tickets', id: String(ticket) } } },
  }
  expect((await portal.staff(admin).post('/api/v1/ticket-messages', { data })).status).toBe(201)
}

const told = async (email: string) =>
  (await lettersTo(pool, email)).filter(({ kind }) => kind === 'ticket-message')

test('a guest with billing alone is written to about the billing ticket that they opened, and about no other', async () => {
  const { owner, guest, admin } = await people()
  await portal.share(owner, guest, { billing: 'allowed', tickets: 'denied' })
  const about = { client: owner.id, opener: guest.id, admin }
  await answer(admin, await makeTicket(pool, { ...about, department: 'technical' }))
  expect(await told(guest.email)).toEqual([])
  await answer(admin, await makeTicket(pool, { ...about, department: 'billing' }))
  expect(await told(guest.email)).toHaveLength(1)
  expect(await told(owner.email)).toHaveLength(2)
})

test('an address that a guest added is told no more once they are gone; what the owner added stays', async () => {
  const { owner, guest, admin } = await people()
  const { permission } = await portal.share(owner, guest, { tickets: 'allowed' })
  const made = await makeTicket(pool, { client: owner.id, opener: guest.id, admin })
  const add = (who: Account, email: string) =>
    portal.as(who).post(`/api/v1/tickets/${made.ticket}/-actions/addEmail`, { email })
  expect((await add(guest, 'crony@outside.test')).status).toBe(200)
  expect((await add(owner, 'office@owner.test')).status).toBe(200)
  await answer(admin, made)
  expect([await told('crony@outside.test'), await told('office@owner.test')]).toEqual([
    [expect.anything()],
    [expect.anything()],
  ])
  await portal.as(owner).delete(`/api/v1/share-permissions/${permission}`)
  await answer(admin, made)
  expect((await told('crony@outside.test')).length).toBe(1)
  expect((await told('office@owner.test')).length).toBe(2)
  const { rows } = await sql`select added_by from ticket_ticket_emails where ticket_id = ${made.ticket}
    and added_by is not null order by id`.execute(pool.kysely)
  expect(rows).toEqual([{ added_by: guest.id }, { added_by: owner.id }])
})
