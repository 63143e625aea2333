import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createAccount } from '#identity/accounts.ts'
import { makeAccount } from '#test/support/account.ts'
import { makeKey } from '#test/support/api-key.ts'
import { TestEngine } from '#test/support/engine.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'
import { resumePanel, suspendPanel } from './panels.ts'

const portal = await testPortal({ engines: { open: () => new TestEngine() } })
const db = portal.pool.kysely
const people = () => makeAccount(portal.pool, { projects: 1, panels: 0 })
let ana = await makeAccount(portal.pool, { projects: 2, panels: 2 })
const [mihai, radu, stranger] = [await people(), await people(), await people()]
let panel = 0

beforeEach(async () => {
  ana = await makeAccount(portal.pool, { projects: 2, panels: 2 })
  panel = ana.panels[0] ?? 0
  await db.transaction().execute(async (tx) => {
    const account = { email: ana.email, passwordHash: null, verifiedAt: new Date() }
    const auth_id = await createAccount(tx, account)
    await tx.updateTable('clients').set({ auth_id }).where('id', '=', ana.id).execute()
  })
})

type Act = { id: string; kind: string; at: string; by: { kind: string; name: string | null } | null }
type Page = { acts: (Act & { from: string | null; to: string | null })[]; more: boolean }

const ask = (visitor: Visitor, name: string, query = '') =>
  visitor.get(`${base}/panels/${panel}/-actions/${name}${query}`)

async function activity(visitor: Visitor, query = ''): Promise<Page> {
  const { status, json } = await ask(visitor, 'activity', query)
  expect(status).toBe(200)
  // The answer was checked against the contract.
  return json as Page
}

const lines = ({ acts }: Page) =>
  acts.map(({ kind, by }) => (by ? `${kind} ${by.kind}${by.name === null ? '' : ` ${by.name}`}` : kind))

const change = async (visitor: Visitor, attributes: object, project?: number) =>
  expect(
    (
      await visitor.patch(`${base}/panels/${panel}`, {
        data: {
          type: 'panels',
          id: String(panel),
          attributes,
          ...(project && { relationships: { project: { data: { type: 'projects', id: String(project) } } } }),
        },
      })
    ).status,
  ).toBe(200)

const connect = async (visitor: Visitor) =>
  expect((await visitor.post(`${base}/panels/${panel}/-actions/connect`, {})).status).toBe(200)

test('the owner reads who changed a panel and who opened it, newest first, also from before it was logged', async () => {
  await portal.share(ana, mihai, { workspace_resources: 'all', add_panels: 'allowed' })
  await change(portal.as(ana), {}, ana.projects[1])
  await change(portal.as(mihai), { name: 'shop' })
  await connect(portal.as(mihai))
  const admin = await makeAdmin(portal.pool)
  const { ticket } = await makeTicket(portal.pool, { client: ana.id, panel, admin })
  await sql`update tickets set assigned_admin_id = ${admin} where id = ${ticket}`.execute(db)
  const granted = await portal
    .as(ana)
    .post(`${base}/tickets/${ticket}/-actions/grantStaffAccess`, { hours: 1 })
  expect(granted.status).toBe(200)
  await connect(portal.staff(admin))
  await db
    .transaction()
    .execute((tx) => suspendPanel({ tx, now: new Date(Date.now() + 1000) }, panel, 'unpaid'))
  await db.transaction().execute((tx) => resumePanel({ tx, now: new Date(Date.now() + 2000) }, panel))
  const read = await activity(portal.as(ana))
  expect(lines(read)).toEqual([
    'panel-resumed',
    'panel-suspended',
    'panel-connected support',
    'panel-connected guest Ana Pop',
    'panel-renamed guest Ana Pop',
    'panel-moved you',
    'panel-added',
  ])
  expect(read.acts[5]).toMatchObject({ from: 'Workspace 1', to: 'Workspace 2' })
  expect(read.acts[4]).toMatchObject({ from: expect.stringMatching(/^Panel 1/), to: 'shop' })
  // A panel of the same account has a list of its own.
  panel = ana.panels[1] ?? 0
  expect(lines(await activity(portal.as(ana)))).toEqual(['panel-added'])
})

test('a guest reads neither other guests’ sign-ins and names nor the workspaces of a move', async () => {
  for (const guest of [mihai, radu])
    await portal.share(ana, guest, { workspace_resources: 'all', add_panels: 'allowed' })
  await change(portal.as(ana), {}, ana.projects[1])
  await change(portal.as(mihai), { name: 'shop' })
  for (const person of [ana, mihai, radu]) await connect(portal.as(person))
  const read = await activity(portal.as(radu))
  expect(lines(read)).toEqual([
    'panel-connected you',
    'panel-renamed guest',
    'panel-moved owner Ana Pop',
    'panel-added',
  ])
  expect(read.acts[2]).toMatchObject({ from: null, to: null })
  expect(lines(await activity(portal.as(mihai)))[0]).toBe('panel-connected you')
  expect((await ask(portal.as(stranger), 'activity')).status).toBe(404)
  const key = portal.key((await makeKey(portal.pool, { client: ana.id })).id)
  expect([(await ask(key, 'activity')).status, (await ask(key, 'reach')).status]).toEqual([403, 403])
})

test('more than a page of acts is read on from the last one, each once and none of another panel', async () => {
  await sql`insert into auth_events (account_id, kind, at, about, panel_id)
    select auth_id, 'panel-renamed', now() - (n / 10) * interval '1 h', 'shop', ${panel}::int8
    from clients, generate_series(1, 59) n where clients.id = ${ana.id}`.execute(db)
  const seen: string[] = []
  let page = await activity(portal.as(ana))
  for (seen.push(...page.acts.map(({ id }) => id)); page.more; seen.push(...page.acts.map(({ id }) => id)))
    page = await activity(portal.as(ana), `?payload[before]=${seen.at(-1)}`)
  expect([seen.length, new Set(seen).size]).toEqual([60, 60])
  expect((await activity(portal.as(ana), '?payload[before]=e1')).acts).toEqual([])
})

test('the owner reads with how many people a panel is shared now; a guest does not', async () => {
  const reach = async () => (await ask(portal.as(ana), 'reach')).json
  expect(await reach()).toEqual({ people: 0 })
  await portal.share(ana, mihai, { workspace_resources: 'all' })
  const { permission } = await portal.share(ana, radu, { workspace_resources: 'all' })
  expect(await reach()).toEqual({ people: 2 })
  await sql`update share_permissions set expires_at = now() - interval '1 h' where id = ${permission}`.execute(
    db,
  )
  expect(await reach()).toEqual({ people: 1 })
  expect((await ask(portal.as(mihai), 'reach')).faults).toEqual(['403 owner_only'])
  expect((await ask(portal.as(stranger), 'reach')).status).toBe(404)
})

const reasonFor = async (visitor: Visitor) =>
  (await visitor.get(`${base}/panels/${panel}`)).one.attributes?.status_reason

test('a degraded panel names its worst server, and how many others are in trouble', async () => {
  await portal.share(ana, mihai, { workspace_resources: 'all' })
  await sql`update panels set status = 'degraded' where id = ${panel}`.execute(db)
  const engine = { code: 'engine', others: 0, resource: null }
  expect(await reasonFor(portal.as(ana))).toEqual(engine)
  const { rows } = await sql<{ name: string }>`
    update panel_resources set status = case when n = 1 then 'error' else 'degraded' end,
      spec = spec || '{"cpu_percent": 94}'
    from (select id as one, row_number() over (order by id desc) as n from panel_resources where panel_id = ${panel} and kind = 'server') s
    where panel_resources.id = one returning name`.execute(db)
  const worst = rows
    .map(({ name }) => name)
    .sort()
    .at(-1)
  const resource = { kind: 'server', name: worst, status: 'error', cpu_percent: 94 }
  for (const who of [ana, mihai])
    expect(await reasonFor(portal.as(who))).toEqual({ code: 'resource', others: 2, resource })
  expect(await reasonFor(portal.staff(await makeAdmin(portal.pool)))).toBeNull()
  await sql`update panels set status = 'active' where id = ${panel}`.execute(db)
  expect(await reasonFor(portal.as(ana))).toBeNull()
})

test('why a panel is suspended is told to readers of the billing alone', async () => {
  await portal.share(ana, mihai, { workspace_resources: 'all' })
  await portal.share(ana, radu, { workspace_resources: 'all', billing: 'allowed' })
  await sql`update panels set status = 'suspended', suspended_at = now(), suspend_reason = 'unpaid'
    where id = ${panel}`.execute(db)
  const unpaid = { code: 'unpaid', others: 0, resource: null }
  expect([await reasonFor(portal.as(ana)), await reasonFor(portal.as(radu))]).toEqual([unpaid, unpaid])
  expect(await reasonFor(portal.as(mihai))).toBeNull()
  const keyOf = async (scopes: string[]) =>
    portal.key((await makeKey(portal.pool, { client: ana.id, scopes })).id)
  expect(await reasonFor(await keyOf(['panels:read']))).toBeNull()
  expect(await reasonFor(await keyOf(['panels:read', 'billing:read']))).toEqual(unpaid)
  // A suspension from before it was logged.
  expect(lines(await activity(portal.as(ana)))).toEqual(['panel-suspended', 'panel-added'])
  await sql`update panels set suspend_reason = 'abuse' where id = ${panel}`.execute(db)
  expect(await reasonFor(portal.as(ana))).toMatchObject({ code: 'operator' })
})
