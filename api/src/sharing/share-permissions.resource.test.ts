import { defaultPermissions } from '@portico/contract/permission-defaults.ts'
import type { Permissions } from '@portico/contract/permission-object.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { testPortal } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'
import { endExpired } from './permission-end.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const base = '/api/v1/share-permissions'
const someone = (): Promise<Account> => makeAccount(portal.pool, { projects: 3, panels: 2 })

const data = (attributes: object, id?: number | string) => ({
  data: { type: 'share-permissions', ...(id !== undefined && { id: String(id) }), attributes },
})

const withNames = (object: Permissions, names: Record<number, string>) => ({
  ...object,
  workspaces: object.workspaces.map((one) => ({ ...one, name: names[one.id] })),
})

const panelsOf = async (reader: Account, owner: Account) =>
  (await portal.as(reader).get(`/api/v1/panels?filter[client_id]=${owner.id}&sort=createdAt`)).list.map(
    ({ id }) => Number(id),
  )

const panelsIn = (account: Account, at: number) => account.panels.slice(at * 2, at * 2 + 2)

test('without an object, or with one that lacks something, a permission has the seed’s defaults', async () => {
  const ana = await someone()
  for (const attributes of [{}, { permissions: {} }, { permissions: { billing: 'allowed' } }]) {
    const made = await portal.as(ana).post(base, data(attributes))
    expect([made.status, made.one.attributes?.permissions]).toEqual([201, defaultPermissions])
  }
})

test('an object comes back as it was sent, with the names of workspaces', async () => {
  const ana = await someone()
  const [first = 0, second = 0] = ana.projects
  const { rows } = { rows: (await portal.as(ana).get('/api/v1/domains')).list.slice(0, 2) }
  const sent: Permissions = {
    ...defaultPermissions,
    billing: 'allowed',
    add_panels: 'allowed',
    workspace_resources: 'custom',
    workspaces: [
      entry(first, { access_type: 'custom', add_panels: 'allowed', panels: panelsIn(ana, 0) }),
      entry(second, { selected: 'denied', show_workspace: false, access_type: 'none' }),
    ],
    domain_access: 'custom',
    domains: rows.map(({ id }) => Number(id)),
    create_email: 'allowed',
  }
  const made = await portal.as(ana).post(base, data({ permissions: sent, expires_at: null }))
  expect(made.one.attributes).toMatchObject({
    inviting_client_id: ana.id,
    invited_client_id: null,
    expires_at: null,
    permissions: withNames(sent, { [first]: 'Workspace 1', [second]: 'Workspace 2' }),
  })
  const less = { ...sent, workspaces: [entry(second)], domains: [] }
  const changed = await portal
    .as(ana)
    .patch(`${base}/${made.one.id}`, data({ permissions: less }, made.one.id))
  expect(changed.one.attributes?.permissions).toEqual(withNames(less, { [second]: 'Workspace 2' }))
})

test('a reference to another account’s row is a 422 that does not reveal the owner', async () => {
  const [ana, stranger] = [await someone(), await someone()]
  const least = { billing: 'denied', tickets: 'denied', my_workspaces: 'allowed' }
  const domains = (await portal.as(stranger).get('/api/v1/domains')).list
  const put = (more: object) =>
    portal.as(ana).post(base, data({ permissions: { ...least, workspaces: [], ...more } }))
  const at = (code: string, place: string) => [`422 ${code} /data/attributes/permissions/${place}`]
  const cases: [object, object, string, string][] = [
    [
      { workspaces: [entry(stranger.projects[0])] },
      { workspaces: [entry(999_999_999)] },
      'workspace_unknown',
      'workspaces/0/id',
    ],
    [
      { workspaces: [entry(ana.projects[0], { panels: [ana.panels[0] ?? 0, stranger.panels[0] ?? 0] })] },
      { workspaces: [entry(ana.projects[0], { panels: [ana.panels[0] ?? 0, 999_999_999] })] },
      'panel_unknown',
      'workspaces/0/panels/1',
    ],
    [
      { workspaces: [entry(ana.projects[0], { panels: panelsIn(ana, 1) })] },
      { workspaces: [entry(ana.projects[0], { panels: [999_999_999] })] },
      'panel_unknown',
      'workspaces/0/panels/0',
    ],
    [{ domains: [Number(domains[0]?.id)] }, { domains: [999_999_999] }, 'domain_unknown', 'domains/0'],
  ]
  for (const [foreign, absent, code, place] of cases) {
    const [one, other] = [await put(foreign), await put(absent)]
    expect([one.faults, one.text]).toEqual([at(code, place), other.text])
  }
  const twice = await put({ workspaces: [entry(ana.projects[0]), entry(ana.projects[0])] })
  expect(twice.faults).toEqual(at('workspace_named_twice', 'workspaces'))
  expect((await portal.as(ana).get(base)).page.total).toBe(0)
})

test('a panel that is moved at the moment it is listed is not listed where it was', async () => {
  const [ana, mihai] = [await someone(), await someone()]
  const [first, second = 0] = ana.projects
  const [panel = 0] = ana.panels
  const { permission } = await portal.share(ana, mihai)
  const listing = custom(entry(first, { access_type: 'custom', panels: [panel] }))
  const permissions = { ...defaultPermissions, ...listing }
  const list = () => portal.as(ana).patch(`${base}/${permission}`, data({ permissions }, permission))
  const listed = await db.transaction().execute(async (tx) => {
    await tx.updateTable('panels').set({ project_id: second }).where('id', '=', panel).execute()
    const answer = list()
    await untilBlocked(portal.pool)
    return { answer }
  })
  expect((await listed.answer).faults).toEqual([
    '422 panel_unknown /data/attributes/permissions/workspaces/0/panels/0',
  ])
})

test('the ladder of changing: 401, 404, 404, 403, 422, good', async () => {
  const [ana, mihai, stranger] = [await someone(), await someone(), await someone()]
  const { permission } = await portal.share(ana, mihai)
  const url = `${base}/${permission}`
  const body = data({ permissions: defaultPermissions }, permission)
  expect((await portal.nobody.patch(url, body)).status).toBe(401)
  const absent = await portal.as(stranger).patch(`${base}/999999999`, data({}, 999999999))
  const hidden = await portal.as(stranger).patch(url, body)
  expect([hidden.status, hidden.text]).toEqual([404, absent.text])
  const forbidden = await portal
    .as(mihai)
    .patch(url, data({ permissions: { ...defaultPermissions, billing: 'allowed' } }, permission))
  expect(forbidden.errors[0]?.detail).toBe('Only Ana can do this.')
  expect((await portal.as(mihai).delete(url)).status).toBe(403)
  expect(
    (
      await portal
        .as(ana)
        .patch(url, data({ permissions: { ...defaultPermissions, billing: 'x' } }, permission))
    ).faults,
  ).toEqual(['422 value_not_among /data/attributes/permissions/billing'])
  expect((await portal.as(ana).patch(url, body)).status).toBe(200)
})

test('the guest reads that there is a permission, and of it what is effective', async () => {
  const [ana, mihai] = [await someone(), await someone()]
  const [first, second] = ana.projects
  const { permission } = await portal.share(ana, mihai, {
    tickets: 'allowed',
    ...custom(
      entry(first, { access_type: 'custom', panels: panelsIn(ana, 0).slice(0, 1) }),
      entry(second, { selected: 'denied' }),
    ),
  })
  const seen = await portal.as(mihai).get(`${base}/${permission}`)
  expect(Object.keys(seen.one.attributes ?? {}).sort()).toEqual(
    ['createdAt', 'expires_at', 'invited_client_id', 'inviting_client_id', 'updatedAt'].sort(),
  )
  expect(seen.one.relationships).toBeUndefined()
  const effective = await portal.as(mihai).get(`${base}/${permission}/-actions/effective`)
  expect(effective.json).toEqual({
    capabilities: expect.objectContaining({ billing: false, tickets: true, my_workspaces: true }),
    workspaces: [{ id: first, name: 'Workspace 1', add_panels: false, delete_panels: false }],
    panels: [{ id: ana.panels[0], name: expect.any(String), project_id: first }],
  })
  expect((await portal.as(ana).get(`${base}/${permission}/-actions/effective`)).text).toBe(effective.text)
  const stranger = await someone()
  expect((await portal.as(stranger).get(`${base}/${permission}/-actions/effective`)).status).toBe(404)
})

test('a change counts for the very next request, in both directions', async () => {
  const [ana, mihai] = [await someone(), await someone()]
  const [first, second] = ana.projects
  const { permission } = await portal.share(ana, mihai)
  const change = (permissions: Partial<Permissions>) =>
    portal
      .as(ana)
      .patch(
        `${base}/${permission}`,
        data({ permissions: { ...defaultPermissions, ...permissions } }, permission),
      )
  expect(await panelsOf(mihai, ana)).toEqual(ana.panels)
  await change(custom(entry(first)))
  expect(await panelsOf(mihai, ana)).toEqual(panelsIn(ana, 0))
  await change(
    custom(entry(first, { access_type: 'custom', panels: panelsIn(ana, 0).slice(1) }), entry(second)),
  )
  expect(await panelsOf(mihai, ana)).toEqual([...panelsIn(ana, 0).slice(1), ...panelsIn(ana, 1)])
  await change({ my_workspaces: 'denied' })
  expect(await panelsOf(mihai, ana)).toEqual([])
  await change({})
  expect(await panelsOf(mihai, ana)).toEqual(ana.panels)
})

test('an expired permission opens nothing, although it still exists', async () => {
  const [ana, mihai] = [await someone(), await someone()]
  const { permission } = await portal.share(ana, mihai, { expires_at: '2030-01-01T00:00:00Z' })
  expect(await panelsOf(mihai, ana)).toEqual(ana.panels)
  portal.clock.time = new Date('2030-01-01T00:00:00Z')
  expect(await panelsOf(mihai, ana)).toEqual([])
  expect((await portal.as(mihai).get(`${base}/${permission}`)).status).toBe(404)
  expect((await portal.as(mihai).get('/api/v1/client-panels')).page.total).toBe(0)
  const longer = data({ expires_at: '2031-01-01T00:00:00Z' }, permission)
  expect((await portal.as(ana).patch(`${base}/${permission}`, longer)).status).toBe(200)
  expect(await panelsOf(mihai, ana)).toEqual(ana.panels)
  portal.clock.time = undefined
})

test("an expired permission ends a guest's open panels, and an extension reopens them", async () => {
  const [ana, mihai] = [await someone(), await someone()]
  const { permission } = await portal.share(ana, mihai, { expires_at: '2030-01-01T00:00:00Z' })
  await portal.as(mihai).post(`/api/v1/clients/${mihai.id}/-actions/updateCurrentProject`, {
    data: { current_project_id: ana.projects[0] },
  })
  expect(await endExpired(db, new Date('2029-12-31T00:00:00Z'))).toBe(0)
  portal.clock.time = new Date('2030-01-02T00:00:00Z')
  expect(await endExpired(db, portal.clock.time)).toBe(1)
  expect(await endExpired(db, portal.clock.time)).toBe(0)
  const me = await portal.as(mihai).get(`/api/v1/clients/${mihai.id}`)
  expect(mihai.projects).toContain(me.one.attributes?.current_project_id)
  const { rows } = await sql<{ jobs: number }>`select count(*)::int as jobs
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'panel.revoke' and (payload ->> 'clientId')::int8 = ${mihai.id}`.execute(db)
  expect(rows[0]?.jobs).toBe(ana.panels.length)
  const longer = data({ expires_at: '2031-01-01T00:00:00Z' }, permission)
  expect((await portal.as(ana).patch(`${base}/${permission}`, longer)).status).toBe(200)
  expect((await portal.as(mihai).get('/api/v1/client-panels')).page.total).toBe(ana.panels.length)
  portal.clock.time = undefined
})

test('a workspace that is no longer open is not the one a guest works in', async () => {
  const [ana, mihai] = [await someone(), await someone()]
  const { permission } = await portal.share(ana, mihai)
  const current = async () =>
    (await portal.as(mihai).get(`/api/v1/clients/${mihai.id}`)).one.attributes?.current_project_id
  const choose = (id: number | undefined) =>
    portal
      .as(mihai)
      .post(`/api/v1/clients/${mihai.id}/-actions/updateCurrentProject`, { data: { current_project_id: id } })
  await choose(ana.projects[0])
  expect(await current()).toBe(ana.projects[0])
  const only = { ...defaultPermissions, ...custom(entry(ana.projects[1])) }
  await portal.as(ana).patch(`${base}/${permission}`, data({ permissions: only }, permission))
  expect(mihai.projects).toContain(await current())
  expect((await choose(ana.projects[0])).status).toBe(404)
  expect((await choose(ana.projects[1])).status).toBe(200)
})

test('grants do not chain: what is opened to a guest is not theirs to open', async () => {
  const [ana, mihai, eve] = [await someone(), await someone(), await someone()]
  await portal.share(ana, mihai, { billing: 'allowed', add_panels: 'allowed', delete_panels: 'allowed' })
  await portal.share(mihai, eve)
  expect(await panelsOf(eve, mihai)).toEqual(mihai.panels)
  expect(await panelsOf(eve, ana)).toEqual([])
  const chained = await portal
    .as(mihai)
    .post(base, data({ permissions: { ...defaultPermissions, workspaces: [entry(ana.projects[0])] } }))
  expect(chained.faults).toEqual(['422 workspace_unknown /data/attributes/permissions/workspaces/0/id'])
})

test('two owners’ permissions add up and never mix', async () => {
  const [ana, hans, mihai] = [await someone(), await someone(), await someone()]
  await portal.share(ana, mihai, { billing: 'allowed', my_workspaces: 'denied' })
  await portal.share(hans, mihai, {
    add_panels: 'allowed',
    ...custom(entry(hans.projects[0], { add_panels: 'allowed' })),
  })
  const balance = (owner: Account) =>
    portal.as(mihai).get(`/api/v1/account-balances?filter[client_id]=${owner.id}`)
  expect([(await balance(ana)).page.total, (await balance(hans)).page.total]).toEqual([1, 0])
  expect([await panelsOf(mihai, ana), await panelsOf(mihai, hans)]).toEqual([[], panelsIn(hans, 0)])
})

test('deleting a permission is removing the guest', async () => {
  const [ana, mihai] = [await someone(), await someone()]
  const { permission, invitation } = await portal.share(ana, mihai)
  expect((await portal.as(ana).delete(`${base}/${permission}`)).status).toBe(204)
  expect(await panelsOf(mihai, ana)).toEqual([])
  expect((await portal.as(ana).get(`/api/v1/share-invitations/${invitation}`)).status).toBe(404)
})

test('confirming a guest: 403 to the owner, 409 to another person, 404 to a stranger', async () => {
  const [ana, mihai, eve] = [await someone(), await someone(), await someone()]
  const { permission } = await portal.share(ana, mihai)
  const confirm = (who: Account, id: number) =>
    portal
      .as(who)
      .post(`${base}/${permission}/-actions/setInvitedClientId`, { data: { invited_client_id: id } })
  expect((await confirm(mihai, mihai.id)).json).toEqual({ status: true })
  expect((await confirm(mihai, eve.id)).status).toBe(409)
  expect((await confirm(ana, mihai.id)).status).toBe(403)
  expect((await confirm(eve, eve.id)).status).toBe(404)
  const row = await db
    .selectFrom('share_permissions')
    .select('invited_client_id')
    .where('id', '=', permission)
    .execute()
  expect(row).toEqual([{ invited_client_id: mihai.id }])
})

test('the server logged no bug', () => {
  expect(portal.bugs).toEqual([])
})
