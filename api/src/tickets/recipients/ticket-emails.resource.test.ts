import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import type { Permissions } from '@portico/contract/permission-object.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { endExpired } from '#sharing/permission-end.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { lettersTo } from '#test/support/mail.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'
import { until } from '#test/support/temporary.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely

let ana: Account
let mihai: Account
let owner: Visitor
let guest: Visitor
let shared: { readonly permission: number }

beforeEach(async () => {
  ana = await makeAccount(portal.pool, { projects: 1, panels: 1 })
  mihai = await makeAccount(portal.pool, { projects: 0, panels: 0 })
  // Tickets about one workspace are opened, and no billing.
  shared = await portal.share(ana, mihai, { tickets: 'allowed', ...custom(entry(ana.projects[0])) })
  owner = portal.as(ana)
  guest = portal.as(mihai)
})

const addressesIn = (visitor: Visitor) =>
  visitor
    .get(`${base}/ticket-emails?filter[client_id]=${ana.id}`)
    .then(({ list }) => list.map(({ attributes }) => attributes?.email).sort())

const add = (visitor: Visitor, email: string) =>
  visitor.post(`${base}/ticket-emails`, {
    data: { type: 'ticket-emails', attributes: { client_id: ana.id, email, name: null } },
  })

const tell = (visitor: Visitor, ticket: number, address: string | number | undefined) =>
  visitor.post(`${base}/ticket-ticket-emails`, {
    data: {
      type: 'ticket-ticket-emails',
      relationships: {
        ticket: { data: { type: 'tickets', id: String(ticket) } },
        ticketEmail: { data: { type: 'ticket-emails', id: String(address) } },
      },
    },
  })

const notifiedIn = async (visitor: Visitor, ticket: number) =>
  (await visitor.get(`${base}/tickets/${ticket}`)).one.attributes?.notified_emails

const addressOf = async (id: number) =>
  (await db.selectFrom('ticket_emails').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

test('staff create no entry of an address book in a ticket, whether or not they see the ticket', async () => {
  const { ticket, email } = await makeTicket(portal.pool, { client: ana.id })
  for (const role of ['support', 'billing', 'admin', 'readonly'] as const) {
    const staff = portal.staff(await makeAdmin(portal.pool, role))
    for (const [one, address] of [
      [ticket, email],
      [ticket, 999_999],
      [999_999, email],
    ] as const)
      expect((await tell(staff, one, address)).faults).toEqual(['403 forbidden'])
    expect((await staff.get(`${base}/ticket-ticket-emails`)).document.meta?.may).toMatchObject({
      create: false,
    })
  }
  expect((await tell(portal.nobody, ticket, email)).status).toBe(401)
  expect((await tell(guest, 999_999, email)).faults).toEqual([
    '404 not_found /data/relationships/ticket/data',
  ])
})

describe('a guest with tickets', () => {
  test('reads the addresses of tickets they see and their own, not those of a ticket about billing', async () => {
    const hidden = await makeTicket(portal.pool, { client: ana.id, department: 'billing' })
    const seen = await makeTicket(portal.pool, { client: ana.id, panel: ana.panels[0] ?? null })
    expect((await add(guest, 'mine@example.com')).status).toBe(201)
    expect(await addressesIn(guest)).toEqual([await addressOf(seen.email), 'mine@example.com'].sort())
    expect((await guest.get(`${base}/ticket-emails/${hidden.email}`)).status).toBe(404)
    expect(
      (
        await guest.get(
          `${base}/ticket-emails?filter[client_id]=${ana.id}&filter[search]=${await addressOf(hidden.email)}`,
        )
      ).list,
    ).toEqual([])
    expect(await addressesIn(owner)).toHaveLength(3)
  })

  test('deletes no address of a ticket about billing, nor of the owner', async () => {
    const hidden = await makeTicket(portal.pool, { client: ana.id, department: 'billing' })
    const seen = await makeTicket(portal.pool, { client: ana.id, panel: ana.panels[0] ?? null })
    expect((await guest.delete(`${base}/ticket-emails/${hidden.email}`)).status).toBe(404)
    expect((await guest.delete(`${base}/ticket-emails/${seen.email}`)).status).toBe(403)
    expect(await notifiedIn(owner, hidden.ticket)).toEqual([await addressOf(hidden.email)])
    expect((await guest.delete(`${base}/ticket-ticket-emails/${seen.notified}`)).status).toBe(204)
    expect(await notifiedIn(owner, seen.ticket)).toEqual([])
  })

  test('deletes an address of their own without changing a ticket that notifies it', async () => {
    const hidden = await makeTicket(portal.pool, { client: ana.id, department: 'billing' })
    const { id } = (await add(guest, 'mine@example.com')).one
    expect((await tell(owner, hidden.ticket, id)).status).toBe(201)
    expect((await guest.delete(`${base}/ticket-emails/${id}`)).status).toBe(204)
    expect((await guest.get(`${base}/ticket-emails/${id}`)).status).toBe(404)
    expect(await notifiedIn(owner, hidden.ticket)).toContain('mine@example.com')
    const unused = (await add(guest, 'unused@example.com')).one
    expect((await guest.delete(`${base}/ticket-emails/${unused.id}`)).status).toBe(204)
    expect((await owner.get(`${base}/ticket-emails/${unused.id}`)).status).toBe(404)
  })

  test('cannot learn from a refusal that the owner uses an address, and has a limit of their own', async () => {
    const hidden = await makeTicket(portal.pool, { client: ana.id, department: 'billing' })
    const kept = await addressOf(hidden.email)
    const added = await add(guest, kept)
    expect(added.status).toBe(201)
    expect(added.one.attributes?.name).toBeNull()
    expect((await add(guest, kept)).status).toBe(409)
    expect((await guest.delete(`${base}/ticket-emails/${added.one.id}`)).status).toBe(204)
    expect(await notifiedIn(owner, hidden.ticket)).toEqual([kept])
    await db
      .insertInto('ticket_emails')
      .values(
        Array.from({ length: 200 }, (_, n) => ({
          client_id: ana.id,
          added_by: mihai.id,
          email: `n${n}@example.com`,
        })),
      )
      .execute()
    expect((await add(guest, 'one-more@example.com')).status).toBe(422)
    expect((await add(owner, 'one-more@example.com')).status).toBe(201)
  })

  test('learns nothing of a hidden ticket by adding an address to it', async () => {
    const { ticket } = await makeTicket(portal.pool, { client: ana.id, panel: ana.panels[0] ?? null })
    const { id } = (await add(guest, 'mine@example.com')).one
    expect((await tell(guest, ticket, id)).status).toBe(201)
    expect((await tell(guest, ticket, id)).status).toBe(409)
    let answer: ReturnType<typeof tell> | undefined
    await db.transaction().execute(async (tx) => {
      await sql`update tickets set ticket_department_id = (select id from ticket_departments where code = 'billing')
        where id = ${ticket}`.execute(tx)
      answer = tell(guest, ticket, id)
      const isAnswered = answer.then(() => true)
      const waits = async () => {
        const { rows } = await sql`select from pg_locks where not granted
          and locktype in ('transactionid', 'tuple')`.execute(db)
        return rows.length > 0 || undefined
      }
      await Promise.race([isAnswered, until(waits)])
    })
    expect((await answer)?.status).toBe(404)
    expect((await answer)?.errors).toMatchObject([
      { code: 'not_found', detail: 'There is no such resource in tickets.' },
    ])
  })

  test('sees nothing of it, also not their own, when the permission has ended', async () => {
    expect((await add(guest, 'mine@example.com')).status).toBe(201)
    expect((await owner.delete(`${base}/share-permissions/${shared.permission}`)).status).toBe(204)
    expect((await guest.get(`${base}/ticket-emails?filter[client_id]=${ana.id}`)).list).toEqual([])
    expect(await addressesIn(owner)).toEqual(['mine@example.com'])
  })
})

test('addresses that are added at the same moment do not exceed what a book has room for', async () => {
  await db
    .insertInto('ticket_emails')
    .values(Array.from({ length: 199 }, (_, n) => ({ client_id: ana.id, email: `n${n}@example.com` })))
    .execute()
  const all = await Promise.all(Array.from({ length: 20 }, (_, n) => add(owner, `new${n}@example.com`)))
  expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(all.filter(({ status }) => status === 422)).toHaveLength(19)
})

describe('an address that a guest added to a ticket', () => {
  let address: string
  let permissions: Permissions
  beforeEach(() => {
    address = `agency-of-${mihai.id}@example.com`
    permissions = { ...defaultPermissions, tickets: 'allowed', ...custom(entry(ana.projects[0])) }
  })

  const addTo = (visitor: Visitor, ticket: number) =>
    visitor.post(`${base}/tickets/${ticket}/-actions/addEmail`, { data: { email: address } })

  async function addedByGuest(): Promise<number> {
    const { ticket } = await makeTicket(portal.pool, { client: ana.id, panel: ana.panels[0] ?? null })
    expect((await addTo(guest, ticket)).status).toBe(200)
    expect(await notifiedIn(owner, ticket)).toContain(address)
    return ticket
  }

  const change = (attributes: Record<string, unknown>) =>
    owner.patch(`${base}/share-permissions/${shared.permission}`, {
      data: { type: 'share-permissions', id: String(shared.permission), attributes },
    })

  async function isAddedByOwner(ticket: number): Promise<void> {
    const { id } = (await add(owner, address)).one
    expect((await tell(owner, ticket, id)).status).toBe(201)
    expect(await notifiedIn(owner, ticket)).toContain(address)
    const data = {
      type: 'ticket-messages',
      attributes: { body: 'Solved.' },
      relationships: { ticket: { data: { type: 'tickets', id: String(ticket) } } },
    }
    const staff = portal.staff(await makeAdmin(portal.pool))
    expect((await staff.post(`${base}/ticket-messages`, { data })).status).toBe(201)
    expect(await lettersTo(portal.pool, address)).toHaveLength(1)
  }

  test('is gone from it with the permission that the owner ends, and the owner adds it as a new one', async () => {
    const ticket = await addedByGuest()
    expect((await owner.delete(`${base}/share-permissions/${shared.permission}`)).status).toBe(204)
    expect(await notifiedIn(owner, ticket)).not.toContain(address)
    await isAddedByOwner(ticket)
  })

  test('is gone from it when the time of the permission is over, also for a guest who has no panels', async () => {
    const none: Permissions = { ...permissions, workspace_resources: 'none', workspaces: [] }
    expect((await change({ permissions: none, expires_at: '2030-01-01T00:00:00Z' })).status).toBe(200)
    const { ticket } = await makeTicket(portal.pool, { client: ana.id, opener: mihai.id })
    expect((await addTo(guest, ticket)).status).toBe(200)
    expect(await endExpired(db, new Date('2029-12-31T00:00:00Z'))).toBe(0)
    expect(await notifiedIn(owner, ticket)).toContain(address)
    expect(await endExpired(db, new Date('2030-01-02T00:00:00Z'))).toBe(1)
    expect(await endExpired(db, new Date('2030-01-02T00:00:00Z'))).toBe(0)
    expect(await notifiedIn(owner, ticket)).not.toContain(address)
  })

  test('is added by the owner where the ticket is hidden from the guest now', async () => {
    const ticket = await addedByGuest()
    expect((await change({ permissions: { ...permissions, tickets: 'denied' } })).status).toBe(200)
    await isAddedByOwner(ticket)
  })

  test('stays when the owner has added it too before the guest goes', async () => {
    const ticket = await addedByGuest()
    expect((await addTo(owner, ticket)).status).toBe(200)
    expect((await addTo(guest, ticket)).status).toBe(200)
    expect((await owner.delete(`${base}/share-permissions/${shared.permission}`)).status).toBe(204)
    expect(await notifiedIn(owner, ticket)).toContain(address)
  })
})

test('an address that two people have added is notified once of a ticket', async () => {
  const { ticket } = await makeTicket(portal.pool, { client: ana.id, panel: ana.panels[0] ?? null })
  const byGuest = (await add(guest, 'ops@example.com')).one
  const byOwner = (await add(owner, 'ops@example.com')).one
  expect((await tell(guest, ticket, byGuest.id)).status).toBe(201)
  expect((await tell(owner, ticket, byOwner.id)).status).toBe(409)
  const again = await owner.post(`${base}/tickets/${ticket}/-actions/addEmail`, {
    data: { email: 'OPS@example.com' },
  })
  expect(again.status).toBe(200)
  const notified = await notifiedIn(owner, ticket)
  expect(notified).toHaveLength(2)
  expect(notified).toContain('ops@example.com')
})
