import type { Permissions } from '@portico/contract/permission-object.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { lettersTo } from '#test/support/mail.ts'
import { testPortal } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'
import { type MadeTicket, makeAdmin, makeTicket } from '#test/support/ticket.ts'
import { participants } from './recipients.ts'

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

const sentTo = async (email: string) =>
  (await lettersTo(pool, email)).filter(({ kind }) => kind === 'ticket-message')

test('a guest with billing alone is notified only of the billing ticket that they opened', async () => {
  const { owner, guest, admin } = await people()
  await portal.share(owner, guest, { billing: 'allowed', tickets: 'denied' })
  const about = { client: owner.id, opener: guest.id, admin }
  await answer(admin, await makeTicket(pool, { ...about, department: 'technical' }))
  expect(await sentTo(guest.email)).toEqual([])
  await answer(admin, await makeTicket(pool, { ...about, department: 'billing' }))
  expect(await sentTo(guest.email)).toHaveLength(1)
  expect(await sentTo(owner.email)).toHaveLength(2)
})

test('an address of a guest is not notified after they are gone; the owner’s addresses stay', async () => {
  const { owner, guest, admin } = await people()
  const { permission } = await portal.share(owner, guest, { tickets: 'allowed' })
  const made = await makeTicket(pool, { client: owner.id, opener: guest.id, admin })
  const add = (who: Account, email: string) =>
    portal.as(who).post(`/api/v1/tickets/${made.ticket}/-actions/addEmail`, { email })
  expect((await add(guest, 'crony@outside.test')).status).toBe(200)
  expect((await add(owner, 'office@owner.test')).status).toBe(200)
  await answer(admin, made)
  expect([await sentTo('crony@outside.test'), await sentTo('office@owner.test')]).toEqual([
    [expect.anything()],
    [expect.anything()],
  ])
  await portal.as(owner).delete(`/api/v1/share-permissions/${permission}`)
  await answer(admin, made)
  expect((await sentTo('crony@outside.test')).length).toBe(1)
  expect((await sentTo('office@owner.test')).length).toBe(2)
  const ticket = await portal.as(owner).get(`/api/v1/tickets/${made.ticket}`)
  expect(ticket.one.attributes?.notified_emails).toContain('office@owner.test')
  expect(ticket.one.attributes?.notified_emails).not.toContain('crony@outside.test')
})

const panelsIn = async (project = 0) => {
  const rows = pool.kysely.selectFrom('panels').select('id').where('project_id', '=', project).orderBy('id')
  return (await rows.execute()).map(({ id }) => id)
}

const addTo = (client: number, ticket: number, email: string, adder: number) =>
  sql`with book as (insert into ticket_emails (client_id, email, name) values (${client}, ${email}, '') returning id)
    insert into ticket_ticket_emails (client_id, ticket_id, ticket_email_id, added_by)
    select ${client}, ${ticket}, id, ${adder} from book`.execute(pool.kysely)

const sharer = await makeAccount(pool, { projects: 2, panels: 4 })
const support = await makeAdmin(pool)
const [first, second] = sharer.projects
const inSecond = await panelsIn(second)
const made = (about: object) => makeTicket(pool, { client: sharer.id, admin: support, ...about })
const tickets = [
  await made({}),
  await made({ department: 'billing' }),
  await made({ panel: (await panelsIn(first))[0] }),
  await made({ panel: inSecond[0] }),
  await made({ panel: inSecond[1] }),
]

const listed = entry(second, { access_type: 'custom', panels: inSecond.slice(0, 1) })

test.each<[string, number, Partial<Permissions>]>([
  ['all of it', 5, { tickets: 'allowed' }],
  ['tickets and billing', 6, { tickets: 'allowed', billing: 'allowed' }],
  ['one workspace', 2, { tickets: 'allowed', ...custom(entry(first)) }],
  ['one panel', 2, { tickets: 'allowed', ...custom(listed) }],
  ['no workspaces', 1, { tickets: 'allowed', workspace_resources: 'none' }],
  ['no tickets', 0, { tickets: 'denied' }],
])(
  'with %s a guest’s addresses are notified of the tickets that they see, and of no others',
  async (_, many, permissions) => {
    const guest = await makeAccount(pool, { projects: 1, panels: 0 })
    await portal.share(sharer, guest, permissions)
    const all = [...tickets, await made({ opener: guest.id })].map(({ ticket }) => ticket)
    const reached: number[] = []
    for (const ticket of all) {
      const email = `of-${guest.id}-${ticket}@outside.test`
      await addTo(sharer.id, ticket, email, guest.id)
      const about = {
        id: ticket,
        client_id: sharer.id,
        opened_by_client_id: ticket === all.at(-1) ? guest.id : sharer.id,
      }
      const notified = await participants(pool.kysely, about, new Date())
      if (notified.some((one) => one.email === email)) reached.push(ticket)
    }
    const seen = (await portal.as(guest).get(`/api/v1/tickets?filter[client_id]=${sharer.id}`)).list
    const ids = seen.map(({ id }) => Number(id)).filter((id) => all.includes(id))
    expect(reached).toEqual(ids.sort((a, b) => a - b))
    expect(reached).toHaveLength(many)
  },
)

test('the address that a guest added gets no further letter once the ticket is hidden from them', async () => {
  const guest = await makeAccount(pool, { projects: 1, panels: 0 })
  const { permission } = await portal.share(sharer, guest, { tickets: 'allowed' })
  const about = await made({ panel: inSecond[1] })
  await addTo(sharer.id, about.ticket, 'friend@outside.test', guest.id)
  await answer(support, about)
  await pool.kysely
    .updateTable('share_permissions')
    .set({ workspace_resources: 'none' })
    .where('id', '=', permission)
    .execute()
  await answer(support, about)
  expect(await sentTo('friend@outside.test')).toHaveLength(1)
})
