import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'
import { makeTicket } from '#test/support/ticket.ts'

// One list of the tickets of all accounts that the reader sees: `filter[accounts]=all`.

const portal = await testPortal()
const { pool } = portal
const people = () => makeAccount(pool, { projects: 1, panels: 2 })
const [ana, hans, stranger, mihai] = [await people(), await people(), await people(), await people()]
const ticket = async (client: number, panel?: number, department?: string) =>
  (
    await makeTicket(pool, {
      client,
      ...(panel !== undefined && { panel }),
      ...(department !== undefined && { department }),
    })
  ).ticket

const own = await ticket(mihai.id)
const [first = 0, second = 0] = ana.panels
const shared = await ticket(ana.id, first)
const hidden = [
  await ticket(ana.id, second),
  await ticket(ana.id, first, 'billing'),
  await ticket(stranger.id),
]
const ofHans = await ticket(hans.id)
const { permission } = await portal.share(ana, mihai, {
  tickets: 'allowed',
  ...custom(entry(ana.projects[0] ?? 0, { access_type: 'custom', panels: [first] })),
})
await portal.share(hans, mihai, { tickets: 'allowed', workspace_resources: 'all' })

const list = async (visitor: Visitor, query: string) => {
  const { status, list: rows, page } = await visitor.get(`${base}/tickets?${query}`)
  expect([status, page.total]).toEqual([200, rows.length])
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b)
}
const all = 'filter[accounts]=all'

test('a guest reads their own and the shared tickets of every account in one list', async () => {
  const me = portal.as(mihai)
  expect(await list(me, all)).toEqual([own, shared, ofHans])
  expect(await list(me, '')).toEqual([own])
  expect(await list(me, `${all}&filter[client_id]=${ana.id}`)).toEqual([shared])
  expect(await list(me, `${all}&filter[panel_id]=${first}`)).toEqual([shared])
  expect(await list(me, `${all}&filter[panel_id]=${second}`)).toEqual([])
  expect(hidden).toHaveLength(3)
})

test('without grants, or with a key, it is the list of one’s own account', async () => {
  expect(await list(portal.as(stranger), all)).toEqual(hidden.slice(2))
  const key = portal.key((await makeKey(pool, { client: mihai.id })).id)
  expect(await list(key, all)).toEqual([own])
  expect((await portal.nobody.get(`${base}/tickets?${all}`)).status).toBe(401)
  expect((await portal.as(mihai).get(`${base}/tickets?filter[accounts]=some`)).status).toBe(400)
})

test('a revoked permission takes its tickets out of the list at once', async () => {
  await sql`update share_permissions set revoked_at = now() where id = ${permission}`.execute(pool.kysely)
  expect(await list(portal.as(mihai), all)).toEqual([own, ofHans])
})

test('a permission that was narrowed, or is over, takes its tickets out of every list and count at once', async () => {
  const me = portal.as(hans)
  const [seen, other] = [await ticket(ana.id, first), await ticket(ana.id, second)]
  const workspace = ana.projects[0] ?? 0
  const { permission: one } = await portal.share(ana, hans, {
    tickets: 'allowed',
    workspace_resources: 'all',
  })
  const ofAna = `${all}&filter[client_id]=${ana.id}`
  expect(await list(me, ofAna)).toEqual(expect.arrayContaining([seen, other]))
  const narrow = await portal.as(ana).patch(`${base}/share-permissions/${one}`, {
    data: {
      type: 'share-permissions',
      id: String(one),
      attributes: {
        permissions: {
          ...defaultPermissions,
          tickets: 'allowed',
          ...custom(entry(workspace, { access_type: 'custom', panels: [first] })),
        },
      },
    },
  })
  expect(narrow.status).toBe(200)
  for (const query of [all, ofAna, `${all}&filter[status]=open`, `${all}&filter[panel_id]=${second}`]) {
    const found = await list(me, query)
    expect(found).not.toContain(other)
    expect(found).not.toContain(hidden[0])
    expect(found).not.toContain(hidden[1])
  }
  expect(await list(me, ofAna)).toEqual(expect.arrayContaining([seen]))
  const included = await me.get(`${base}/tickets?${all}&include=panel,ticketMessages,client&page[size]=50`)
  expect(included.text).not.toContain(`"id":"${second}","type":"panels"`)
  await sql`update share_permissions set expires_at = now() - interval '1 second' where id = ${one}`.execute(
    pool.kysely,
  )
  expect(await list(me, all)).toEqual([ofHans])
  expect(await list(me, ofAna)).toEqual([])
})

test('a list below an account or a panel is not widened by asking for every account', async () => {
  const me = portal.as(hans)
  for (const path of [
    `clients/${ana.id}/tickets`,
    `panels/${first}/tickets`,
    `tickets/${shared}/ticketMessages`,
  ]) {
    const { status } = await me.get(`${base}/${path}?${all}`)
    expect([400, 404]).toContain(status)
  }
})
