import type { Permissions } from '@portico/contract/permission-object.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { testPortal } from '#test/support/portal.ts'
import { entry } from '#test/support/share.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'
import { ticketDesk } from '#test/support/ticket-desk.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const support = await makeAdmin(portal.pool)
const someone = (): Promise<Account> => makeAccount(portal.pool, { projects: 2, panels: 2 })
const { open, say, act, statusOf, linesOf, exported } = await ticketDesk(portal.pool)

describe('internal notes', () => {
  test('is in nothing that a client reads, counts, names or rates', async () => {
    const ana = await someone()
    const me = portal.as(ana)
    const made = await makeTicket(portal.pool, { client: ana.id })
    const [, answer, note] = made.messages
    const messages = await me.get(`${base}/ticket-messages?filter[ticket_id]=${made.ticket}`)
    expect([messages.list.length, messages.page.total]).toEqual([2, 2])
    expect((await me.get(`${base}/ticket-messages/${note}`)).status).toBe(404)
    expect((await me.post(`${base}/ticket-messages/${note}/-actions/rate`, { rating: 'bad' })).status).toBe(
      404,
    )
    const files = await me.get(`${base}/tickets/${made.ticket}/ticketFile`)
    expect(files.list.map(({ id }) => Number(id))).toEqual([made.files[0]])
    expect((await me.get(`${base}/ticket-files/${made.files[1]}`)).status).toBe(404)
    expect(
      (await me.post(`${base}/ticket-messages/${answer}/-actions/rate`, { rating: 'good' })).json,
    ).toEqual({
      rating: 'good',
    })
    expect(
      (await me.post(`${base}/ticket-messages/${made.messages[0]}/-actions/rate`, { rating: 'good' })).status,
    ).toBe(409)
  })

  test('is not for clients to write, and changes nothing of the ticket', async () => {
    const ana = await someone()
    const { id } = (await open(portal.as(ana))).one
    expect((await say(portal.as(ana), id, 'Psst', { visibility: 'internal' })).status).toBe(403)
    expect((await say(portal.staff(support), id, 'Psst', { visibility: 'internal' })).status).toBe(201)
    expect(await statusOf(portal.as(ana), id)).toBe('open')
  })
})

describe('through a grant', () => {
  /** The tickets that a guest sees: of a shared and an unshared panel, of billing, and one that they opened. */
  async function seen(permissions: Partial<Permissions>): Promise<string[]> {
    const [owner, guest] = [await someone(), await someone()]
    const [openPanel = 0, , otherPanel = 0] = owner.panels
    const [project] = owner.projects
    const made = {
      open: await makeTicket(portal.pool, { client: owner.id, panel: openPanel }),
      other: await makeTicket(portal.pool, { client: owner.id, panel: otherPanel }),
      none: await makeTicket(portal.pool, { client: owner.id }),
      billing: await makeTicket(portal.pool, { client: owner.id, department: 'billing' }),
      own: await makeTicket(portal.pool, { client: owner.id, opener: guest.id }),
    }
    const workspaces = [entry(project, { access_type: 'custom', panels: [openPanel] })]
    const shared = await portal.share(owner, guest, { ...permissions, workspaces })
    const visitor = portal.as(guest)
    const { list, document } = await visitor.get(`${base}/tickets?filter[client_id]=${owner.id}`)
    expect(document.meta?.page?.total).toBe(list.length)
    const listed = list.map(({ id }) => id)
    expect(await exported(visitor, `filter[client_id]=${owner.id}`)).toEqual(
      list.map(({ attributes }) => attributes?.number),
    )
    const names = Object.entries(made).filter(([, { ticket }]) => listed.includes(String(ticket)))
    for (const [name, one] of Object.entries(made)) {
      const sees = names.some(([known]) => known === name) ? 200 : 404
      const paths = [
        `tickets/${one.ticket}`,
        `ticket-messages/${one.messages[0]}`,
        `ticket-files/${one.files[0]}`,
      ]
      for (const path of paths)
        expect([path, (await visitor.get(`${base}/${path}`)).status]).toEqual([path, sees])
    }
    await portal.as(owner).delete(`${base}/share-invitations/${shared.invitation}`)
    const after = await visitor.get(`${base}/tickets?filter[client_id]=${owner.id}`)
    expect([after.list, (await visitor.get(`${base}/tickets/${made.own.ticket}`)).status]).toEqual([[], 404])
    return names.map(([name]) => name)
  }

  test.each<[Partial<Permissions>, string[]]>([
    [{ tickets: 'allowed' }, ['open', 'other', 'none', 'own']],
    [{ tickets: 'allowed', billing: 'allowed' }, ['open', 'other', 'none', 'billing', 'own']],
    [{ tickets: 'allowed', workspace_resources: 'custom' }, ['open', 'own']],
    [{ tickets: 'allowed', workspace_resources: 'custom', my_workspaces: 'denied' }, ['own']],
    [{ tickets: 'allowed', workspace_resources: 'none' }, ['own']],
    [{ billing: 'allowed' }, ['billing']],
    [{ tickets: 'denied' }, []],
  ])('%j opens %j, and none of it after the removal', async (permissions, expected) => {
    expect(await seen(permissions)).toEqual(expected)
  })

  test('an export has the tickets of the list, and only the columns that its reader may see', async () => {
    const [owner, guest] = [await someone(), await someone()]
    const sorin = await makeAdmin(portal.pool)
    const { ticket } = await makeTicket(portal.pool, {
      client: owner.id,
      opener: guest.id,
      panel: owner.panels[0] ?? null,
    })
    await sql`update tickets set subject = '=cmd()', assigned_admin_id = ${sorin}, last_message_at = '2026-01-02T03:04:05Z',
      created_at = '2026-01-01T00:00:00Z' where id = ${ticket}`.execute(db)
    await makeTicket(portal.pool, { client: owner.id, department: 'billing' })
    await portal.share(owner, guest, { tickets: 'allowed', workspace_resources: 'none' })
    const narrowed = `filter[client_id]=${owner.id}&filter[department]=technical`
    const line = (panel: string, assigned: string) =>
      expect.stringMatching(
        `^T-.{8},'=cmd\\(\\),Ana Pop,${panel},technical,awaiting_client,${assigned},2026-01-01T00:00:00Z,2026-01-02T03:04:05Z,client$`,
      )
    const [heading, ...rows] = await linesOf(portal.as(guest), narrowed)
    expect(heading).toBe(
      'number,subject,account,panel,department,status,assigned,opened,last_message,last_message_by',
    )
    expect(rows).toEqual([line('', '')])
    const panel = `Panel 1 of ${owner.projects[0]}`
    expect((await linesOf(portal.as(owner), narrowed)).slice(1)).toEqual([line(panel, '')])
    expect((await linesOf(portal.staff(support), narrowed)).slice(1)).toEqual([line(panel, 'Sorin')])
    expect(await exported(portal.as(await someone()), narrowed)).toEqual([])
  })

  test('a ticket opened by a guest is the owner’s', async () => {
    const [owner, guest] = [await someone(), await someone()]
    await portal.share(owner, guest, { tickets: 'allowed' })
    const opened = await open(portal.as(guest), { panel: owner.panels[0] })
    expect(opened.one.attributes).toMatchObject({ client_id: owner.id, opened_by_client_id: guest.id })
    expect((await portal.as(owner).get(`${base}/tickets/${opened.one.id}`)).status).toBe(200)
    const billing = await open(portal.as(guest), {
      department: 'billing',
      attributes: { client_id: owner.id },
    })
    expect(billing.status).toBe(403)
    expect((await say(portal.as(guest), opened.one.id, 'And more')).status).toBe(201)
  })
})

describe('staff', () => {
  test('billing staff read billing tickets, read-only staff write nothing, and clients are all closed', async () => {
    const ana = await someone()
    const [technical, billing] = [
      await makeTicket(portal.pool, { client: ana.id }),
      await makeTicket(portal.pool, { client: ana.id, department: 'billing' }),
    ]
    const bianca = portal.staff(await makeAdmin(portal.pool, 'billing'))
    const reader = portal.staff(await makeAdmin(portal.pool, 'readonly'))
    expect((await bianca.get(`${base}/tickets/${technical.ticket}`)).status).toBe(404)
    expect((await say(bianca, billing.ticket, 'Paid')).status).toBe(201)
    expect((await reader.get(`${base}/tickets/${technical.ticket}`)).status).toBe(200)
    expect((await say(reader, technical.ticket, 'Hm')).status).toBe(403)
    expect((await act(reader, technical.ticket, 'close')).status).toBe(403)
    expect((await act(portal.as(ana), technical.ticket, 'hold')).status).toBe(403)
  })

  test('assigns and hands over, and reads of clients their names alone', async () => {
    const ana = await someone()
    const sorin = await makeAdmin(portal.pool)
    const staff = portal.staff(sorin)
    const { ticket } = await makeTicket(portal.pool, { client: ana.id, panel: ana.panels[0] ?? null })
    const bianca = await makeAdmin(portal.pool, 'billing')
    expect((await act(staff, ticket, 'assign', { admin_id: bianca })).status).toBe(422)
    expect((await act(staff, ticket, 'assign', { admin_id: sorin })).json).toEqual({
      assigned_admin_id: sorin,
    })
    const mine = await staff.get(`${base}/tickets?filter[assigned_admin_id]=${sorin}`)
    expect(mine.list.map(({ id }) => Number(id))).toEqual([ticket])
    expect((await portal.as(ana).get(`${base}/tickets?filter[assigned_admin_id]=${sorin}`)).list).toEqual([])
    expect((await act(staff, ticket, 'move', { department: 'billing' })).json).toEqual({
      department: 'billing',
    })
    const client = await staff.get(`${base}/clients/${ana.id}`)
    expect(Object.keys(client.one.attributes ?? {})).toEqual(['email', 'first_name', 'last_name'])
    expect(client.one.relationships ?? {}).toEqual({})
    const open = await staff.get(`${base}/tickets/${ticket}?include=client,panel,ticketMessages.admin`)
    expect(new Set(open.included.map(({ type }) => type))).toEqual(
      new Set(['clients', 'panels', 'ticket-messages', 'admins']),
    )
  })
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
