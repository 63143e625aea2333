import { ssoScope } from '@portico/contract/engine/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { TestEngine } from '#test/support/engine.ts'
import { testPortal } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'
import { makeMember } from '#test/support/staff.ts'
import { guestRights } from './panel-access.ts'

let engine = new TestEngine()
// With one connection, holding it during an engine call would block every other request.
const portal = await testPortal({ engines: { open: () => engine }, poolSize: 1 })
const db = portal.pool.kysely
let ana = await makeAccount(portal.pool, { projects: 2, panels: 1 })

beforeEach(async () => {
  engine = new TestEngine()
  ana = await makeAccount(portal.pool, { projects: 2, panels: 1 })
})

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const panelId = () => ana.panels[0] ?? 0
const connect = (who: { readonly id: number }, id = panelId()) =>
  portal.as(who).post(`/api/v1/panels/${id}/-actions/connect`, {})
const setPanel = (more: object, id = panelId()) =>
  db.updateTable('panels').set(more).where('id', '=', id).execute()
const grants = () =>
  db.selectFrom('sso_grants').selectAll().where('panel_id', '=', panelId()).orderBy('id').execute()
const revocations = async (clientId: number) => {
  const { rows } = await sql<{ panel: number }>`select (j.payload ->> 'panelId')::int8 as panel
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'panel.revoke' and (j.payload ->> 'clientId')::int8 = ${clientId} order by 1`.execute(
    db,
  )
  return rows.map(({ panel }) => panel)
}

test('the owner is let in with every right, and it is written down who was, when and from where', async () => {
  const answer = await connect(ana)
  expect([answer.status, answer.json]).toEqual([
    200,
    { url: expect.stringContaining('https://engine.test/sso/'), expires_at: '2030-01-01T00:00:00Z' },
  ])
  expect(engine.asked.at(-1)).toContain(`client-${ana.id} ${ssoScope.options.join()}`)
  expect(await grants()).toMatchObject([
    { client_id: ana.id, role: 'owner', scopes: ssoScope.options, domains: null, ip: '127.0.0.1' },
  ])
  expect((await grants())[0]).toMatchObject({ expires_at: '2030-01-01T00:00:00Z' })
})

test('an engine that does not answer is a 502, and the try is still written down', async () => {
  engine.failures.push(new Error('connect ECONNREFUSED with details'))
  const answer = await connect(ana)
  expect([answer.status, answer.faults]).toEqual([502, ['502 engine_unavailable']])
  expect(answer.text).not.toContain('ECONNREFUSED')
  expect(await grants()).toMatchObject([{ client_id: ana.id, expires_at: null }])
  expect((await connect(ana)).status).toBe(200)
})

test.each([
  ['suspended', 'panel_suspended'],
  ['provisioning', 'panel_not_ready'],
  ['error', 'panel_not_ready'],
])('a panel that is %s cannot be opened', async (status, code) => {
  await setPanel({ status })
  expect((await connect(ana)).faults).toEqual([`409 ${code}`])
  expect([await grants(), engine.asked]).toEqual([[], []])
})

test('an engine without sign-in, or out of use, is not called', async () => {
  const capable = (sso: boolean) =>
    sql`update panel_engines set capabilities = jsonb_set(capabilities, '{sso}', ${String(sso)}::jsonb)`.execute(
      db,
    )
  await capable(false)
  expect((await connect(ana)).faults).toEqual(['409 engine_without_links'])
  await capable(true)
  await db.updateTable('panel_engines').set({ disabled_at: sql`now()` }).execute()
  expect((await connect(ana)).faults).toEqual(['502 engine_out_of_use'])
  await db.updateTable('panel_engines').set({ disabled_at: null }).execute()
  expect(engine.asked).toEqual([])
})

test('the sign-in page is shown of an engine without links, to whoever sees the panel but staff', async () => {
  const page = 'https://engine.test/login'
  const guest = await makeAccount(portal.pool, { projects: 0 })
  await portal.share(ana, guest)
  const { admin } = await makeMember(portal.pool, 'support')
  const readers = [portal.as(ana), portal.as(guest), portal.staff(admin)]
  const shown = () =>
    Promise.all(
      readers.map(async (who) => {
        const { attributes } = (await who.get(`/api/v1/panels/${panelId()}`)).one
        return [attributes?.login_url, attributes?.progress]
      }),
    )
  await setPanel({ login_url: page, progress: 40, status: 'provisioning' })
  const whole = [null, 40]
  expect(await shown()).toEqual([whole, whole, whole])
  await sql`update panel_engines set capabilities = jsonb_set(capabilities, '{sso}', 'false')`.execute(db)
  await setPanel({ status: 'active' })
  expect(await shown()).toEqual([
    [page, null],
    [page, null],
    [null, null],
  ])
  await sql`update panel_engines set capabilities = jsonb_set(capabilities, '{sso}', 'true')`.execute(db)
})

test('a stranger, and a guest whose permission opens another workspace, find no panel', async () => {
  const [stranger, guest] = [
    await makeAccount(portal.pool, { projects: 0 }),
    await makeAccount(portal.pool, { projects: 0 }),
  ]
  const [, other] = ana.projects
  await portal.share(ana, guest, custom(entry(other)))
  for (const who of [stranger, guest]) expect((await connect(who)).status).toBe(404)
  expect((await connect(guest, ana.panels[1])).status).toBe(200)
  expect((await portal.nobody.post(`/api/v1/panels/${panelId()}/-actions/connect`, {})).status).toBe(401)
})

test('a guest has the rights that the permission gives, and the domains that it names', async () => {
  const guest = await makeAccount(portal.pool, { projects: 0 })
  const domains = await db
    .selectFrom('domains')
    .select('id')
    .where('panel_id', '=', panelId())
    .orderBy('id')
    .execute()
  const elsewhere = await db
    .selectFrom('domains')
    .select('id')
    .where('panel_id', '=', ana.panels[1] ?? 0)
    .execute()
  await portal.share(ana, guest, {
    account_access: 'none',
    domain_access: 'custom',
    create_email: 'allowed',
    domains: [domains[0]?.id ?? 0, elsewhere[0]?.id ?? 0],
  })
  expect((await connect(guest)).status).toBe(200)
  expect(await grants()).toMatchObject([
    { client_id: guest.id, role: 'guest', scopes: ['domain_access', 'create_email'], domains: ['domain1'] },
  ])
  const listed = await portal.as(guest).get('/api/v1/client-panels')
  const connected = listed.list.filter(({ attributes }) => attributes?.last_connected_at !== null)
  expect(connected.map(({ attributes }) => attributes?.panel_id)).toEqual([panelId()])
})

test('rights follow from the permission alone', () => {
  const none = {
    account_access: 'none',
    domain_access: 'none',
    create_domains: 'denied',
    create_email: 'denied',
    create_dev_env: 'denied',
  } as const
  expect(guestRights(none, [])).toEqual({ role: 'guest', scopes: [], domains: [] })
  const all = {
    account_access: 'all',
    domain_access: 'all',
    create_domains: 'allowed',
    create_email: 'allowed',
    create_dev_env: 'allowed',
  } as const
  expect(guestRights(all, [])).toEqual({ role: 'guest', scopes: ssoScope.options, domains: null })
  expect(guestRights({ ...all, domain_access: 'custom' }, ['d1']).domains).toEqual(['d1'])
})

test('a guest whose permission ends while the engine makes the link does not get it', async () => {
  const guest = await makeAccount(portal.pool, { projects: 0 })
  const { permission } = await portal.share(ana, guest)
  engine.meanwhile = async () => {
    await portal.as(ana).delete(`/api/v1/share-permissions/${permission}`)
  }
  const answer = await connect(guest)
  expect([answer.status, answer.text.includes('engine.test')]).toEqual([404, false])
  expect(await revocations(guest.id)).toEqual([...ana.panels])
})

test('a guest who was let in is sent out when the permission changes, and only from where they are', async () => {
  const guest = await makeAccount(portal.pool, { projects: 0 })
  const { permission } = await portal.share(ana, guest)
  await connect(guest)
  const permissions = { ...(await permissionOf(permission)), create_email: 'allowed' }
  const changed = await portal.as(ana).patch(`/api/v1/share-permissions/${permission}`, {
    data: { type: 'share-permissions', id: String(permission), attributes: { permissions } },
  })
  expect(changed.status).toBe(200)
  expect(await revocations(guest.id)).toEqual([panelId()])
})

async function permissionOf(id: number): Promise<object> {
  const { one } = await portal.as(ana).get(`/api/v1/share-permissions/${id}`)
  return Object(one.attributes?.permissions)
}

test('a slow engine delays only the caller: other reads and writes continue', async () => {
  const asked = Promise.withResolvers<void>()
  const answers = Promise.withResolvers<void>()
  engine.meanwhile = () => {
    asked.resolve()
    return answers.promise
  }
  const slow = connect(ana)
  await asked.promise
  const list = await portal.as(ana).get('/api/v1/projects?include=panels')
  const name = { data: { type: 'panels', id: String(panelId()), attributes: { name: 'meanwhile' } } }
  const renamed = await portal.as(ana).patch(`/api/v1/panels/${panelId()}`, name)
  expect([list.status, renamed.status]).toEqual([200, 200])
  answers.resolve()
  expect((await slow).status).toBe(200)
})

test('an engine that is down changes nothing for who only looks', async () => {
  const urls = [
    '/api/v1/projects?include=panels',
    `/api/v1/panels/${panelId()}`,
    `/api/v1/servers?filter[panel_id]=${panelId()}`,
  ]
  const look = async () => Promise.all(urls.map(async (url) => (await portal.as(ana).get(url)).text))
  const before = await look()
  engine.meanwhile = () => new Promise(() => undefined)
  void connect(ana)
  expect(await look()).toEqual(before)
  expect(engine.asked.filter((what) => !what.startsWith('sso'))).toEqual([])
})

const retry = (who: { readonly id: number }, id = panelId()) =>
  portal.as(who).post(`/api/v1/panels/${id}/-actions/retryProvision`, {})

test('a panel that could not be prepared is tried again, or deleted; one in another state is not', async () => {
  expect((await retry(ana)).faults).toEqual(['409 panel_not_failed'])
  await setPanel({ status: 'error', failed_step: 'provision', external_id: null })
  const seen = await portal.as(ana).get(`/api/v1/panels/${panelId()}`)
  expect(seen.one.attributes).toMatchObject({ status: 'error', failed_step: 'provision' })
  expect(seen.one.meta?.may).toMatchObject({ retryProvision: true, delete: true })
  expect((await retry(ana)).json).toMatchObject({ status: 'provisioning' })
  const again = await portal.as(ana).get(`/api/v1/panels/${panelId()}`)
  expect(again.one.attributes).toMatchObject({ status: 'provisioning', failed_step: null })
  await setPanel({ status: 'error', failed_step: 'provision' })
  expect((await portal.as(ana).delete(`/api/v1/panels/${panelId()}`)).status).toBe(202)
  const guest = await makeAccount(portal.pool, { projects: 0 })
  await portal.share(ana, guest)
  expect((await retry(guest, ana.panels[1])).status).toBe(403)
})
