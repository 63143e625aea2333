import type { Permissions } from '@portico/contract/permission-object.ts'
import { expect, test } from 'vitest'
import { type Account, makeAccount } from '#test/support/account.ts'
import { untilBlocked } from '#test/support/lock-wait.ts'
import { newestLetter } from '#test/support/mail.ts'
import { testPortal } from '#test/support/portal.ts'
import { entry } from '#test/support/share.ts'

// The verbs that a guest may use on shared panels, and the attributes that they see.

const portal = await testPortal()
const db = portal.pool.kysely
const someone = (): Promise<Account> => makeAccount(portal.pool, { projects: 3, panels: 2 })

/** An owner and a guest of theirs. */
async function pair(permissions: Partial<Permissions> | ((owner: Account) => Partial<Permissions>) = {}) {
  const [ana, mihai] = [await someone(), await someone()]
  const given = typeof permissions === 'function' ? permissions(ana) : permissions
  return { ana, mihai, ...(await portal.share(ana, mihai, given)), guest: portal.as(mihai) }
}

const onPanel = (id: number | undefined) => `/api/v1/panels/${id}`
const document = (type: string, id: number | string | undefined, more: object) => ({
  data: { type, id: String(id), ...more },
})
const rename = (id: number | undefined, name: string) => document('panels', id, { attributes: { name } })
const project = (id: number | undefined) => ({ project: { data: { type: 'projects', id: String(id) } } })
const newPanel = (name: string, id: number | undefined) => ({
  data: { type: 'panels', attributes: { name, plan_code: null }, relationships: project(id) },
})

test('by default a guest sees and changes nothing, and reads whom to ask', async () => {
  const { ana, guest } = await pair()
  const [id] = ana.panels
  const seen = (await guest.get(onPanel(id))).one
  expect(seen.attributes).toMatchObject({ user_type: 1, client_id: ana.id, domains_count: 3 })
  expect(seen.meta?.may).toMatchObject({ update: false, delete: false, sync: true })
  expect(seen.meta?.denied).toMatchObject({
    update: 'Ana has not allowed you to change panels.',
    delete: 'Ana has not allowed you to delete panels.',
  })
  const refused = [
    await guest.patch(onPanel(id), rename(id, 'x')),
    await guest.delete(onPanel(id)),
    await guest.post('/api/v1/panels', newPanel('x', ana.projects[0])),
  ]
  expect(refused.map(({ status, errors }) => [status, errors[0]?.detail])).toEqual([
    [403, 'Ana has not allowed you to change panels.'],
    [403, 'Ana has not allowed you to delete panels.'],
    [403, 'Ana has not allowed you to add panels.'],
  ])
})

test('a Romanian guest reads in Romanian whom to ask, and an owner that a panel is suspended', async () => {
  const { ana, guest } = await pair()
  const [id] = ana.panels
  const headers = { cookie: 'lang=ro' }
  expect((await guest.get(onPanel(id), headers)).one.meta?.denied).toMatchObject({
    update: 'Ana nu ți-a permis să modifici panouri.',
    delete: 'Ana nu ți-a permis să ștergi panouri.',
  })
  const refused = await guest.call('DELETE', onPanel(id), { headers })
  expect(refused.errors[0]).toMatchObject({
    code: 'panels_delete_not_allowed',
    title: 'Nepermis',
    detail: 'Ana nu ți-a permis să ștergi panouri.',
  })
  await db
    .updateTable('panels')
    .set({ status: 'suspended' })
    .where('id', '=', id ?? 0)
    .execute()
  const connecting = await portal
    .as(ana)
    .call('POST', `${onPanel(id)}/-actions/connect`, { body: {}, headers })
  expect(connecting.errors[0]?.detail).toBe('Acest panou este suspendat')
})

test('a guest who may add panels adds and renames them for the owner', async () => {
  const { ana, mihai, guest } = await pair({ add_panels: 'allowed' })
  const [id] = ana.panels
  expect((await guest.patch(onPanel(id), rename(id, 'renamed'))).one.attributes?.name).toBe('renamed')
  const made = await guest.post('/api/v1/panels', newPanel('added', ana.projects[0]))
  expect([made.status, made.one.attributes]).toEqual([
    201,
    expect.objectContaining({ client_id: ana.id, user_type: 1, status: 'provisioning' }),
  ])
  expect((await guest.delete(onPanel(id))).status).toBe(403)
  const listed = await portal.as(mihai).get(`/api/v1/client-panels?filter[panel_id]=${made.one.id}`)
  expect(listed.page.total).toBe(1)
  const workspace = await guest.get(`/api/v1/projects/${ana.projects[0]}`)
  expect(workspace.one.meta?.may).toMatchObject({ addPanel: true, update: false, delete: false })
})

test('a guest who may delete panels does nothing more', async () => {
  const { ana, guest } = await pair({ delete_panels: 'allowed' })
  const [id, other] = ana.panels
  expect((await guest.delete(onPanel(id))).status).toBe(202)
  expect((await guest.patch(onPanel(other), rename(other, 'x'))).status).toBe(403)
  expect((await guest.delete(onPanel(id))).errors[0]?.detail).toBe('This panel is being deleted.')
})

test('a workspace that is named narrows what the whole allows', async () => {
  const { ana, guest } = await pair((owner) => ({
    add_panels: 'allowed',
    delete_panels: 'allowed',
    workspaces: [entry(owner.projects[0], { delete_panels: 'allowed' })],
  }))
  const add = (at: number) => guest.post('/api/v1/panels', newPanel(`new ${at}`, ana.projects[at]))
  expect([(await add(0)).status, (await add(1)).status]).toEqual([403, 201])
  expect((await guest.delete(onPanel(ana.panels[0]))).status).toBe(202)
})

test('a guest to whom single panels are opened reaches those that they add', async () => {
  const { ana, guest } = await pair((owner) => ({
    add_panels: 'allowed',
    workspace_resources: 'custom',
    workspaces: [entry(owner.projects[0], { access_type: 'custom', add_panels: 'allowed' })],
  }))
  const listed = async () => (await guest.get(`/api/v1/panels?filter[client_id]=${ana.id}`)).list
  expect(await listed()).toEqual([])
  const made = await guest.post('/api/v1/panels', newPanel('mine to use', ana.projects[0]))
  expect(made.status).toBe(201)
  expect((await listed()).map(({ id }) => id)).toEqual([made.one.id])
})

test('only the owner moves a panel: a guest might have more rights at its new place', async () => {
  const { ana, mihai, guest } = await pair({ add_panels: 'allowed', delete_panels: 'allowed' })
  const [id] = ana.panels
  const identifier = { type: 'panels', id: String(id) }
  const tries = [
    await guest.patch(onPanel(id), document('panels', id, { relationships: project(ana.projects[1]) })),
    await guest.patch(`${onPanel(id)}/relationships/project`, {
      data: { type: 'projects', id: String(ana.projects[1]) },
    }),
    await guest.post(`/api/v1/projects/${mihai.projects[0]}/relationships/panels`, { data: [identifier] }),
    await guest.post(`/api/v1/projects/${ana.projects[1]}/relationships/panels`, { data: [identifier] }),
  ]
  expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect(tries[0]?.errors[0]?.detail).toBe('Only Ana can do this.')
})

test('a panel that its owner moves is open where it is now, and not by a list of where it was', async () => {
  const { ana, guest, permission } = await pair((owner) => ({
    workspace_resources: 'custom',
    workspaces: [
      entry(owner.projects[0], { access_type: 'custom', panels: owner.panels.slice(0, 1) }),
      entry(owner.projects[1], { access_type: 'custom' }),
      entry(owner.projects[2]),
    ],
  }))
  const [id] = ana.panels
  const move = (at: number) =>
    portal.as(ana).patch(onPanel(id), document('panels', id, { relationships: project(ana.projects[at]) }))
  const inList = async () => (await guest.get(`/api/v1/client-panels?filter[panel_id]=${id}`)).page.total
  expect([(await guest.get(onPanel(id))).status, await inList()]).toEqual([200, 1])
  await move(1)
  expect([(await guest.get(onPanel(id))).status, await inList()]).toEqual([404, 0])
  await move(2)
  expect([(await guest.get(onPanel(id))).status, await inList()]).toEqual([200, 1])
  await move(0)
  expect([(await guest.get(onPanel(id))).status, await inList()]).toEqual([404, 0])
  const kept = await portal.as(ana).get(`/api/v1/share-permissions/${permission}`)
  expect(kept.one.attributes?.permissions).toMatchObject({ workspaces: [{ panels: [] }, {}, {}] })
})

test('the list of a guest: theirs alone, with panel, workspace and owner, and their own settings', async () => {
  const { ana, mihai, guest } = await pair()
  const list = await guest.get('/api/v1/client-panels?include=panel.project,owner')
  expect(list.page.total).toBe(6)
  expect(list.list.every(({ attributes }) => attributes?.client_id === mihai.id)).toBe(true)
  const types = Map.groupBy(list.included, ({ type }) => type)
  expect([...types].map(([type, all]) => [type, all.length]).sort()).toEqual([
    ['clients', 1],
    ['panels', 6],
    ['projects', 3],
  ])
  const [first] = list.list
  const url = `/api/v1/client-panels/${first?.id}`
  const set = (attributes: object) => guest.patch(url, document('client-panels', first?.id, { attributes }))
  expect((await set({ hidden: true, position: 9 })).one.attributes).toMatchObject({
    hidden: true,
    position: 9,
  })
  expect((await set({ panel_id: 1 })).status).toBe(403)
  expect((await set({ position: -1 })).faults).toEqual(['422 number_least /data/attributes/position'])
  expect((await guest.get('/api/v1/client-panels?filter[hidden]=true')).page.total).toBe(1)
  expect((await guest.get('/api/v1/client-panels?filter[hidden]=yes')).faults).toEqual([
    '400 value_not_among filter[hidden]',
  ])
  for (const other of [ana, await someone()]) {
    expect((await portal.as(other).get(url)).status).toBe(404)
    const asked = `/api/v1/client-panels?filter[client_id]=${mihai.id}`
    expect((await portal.as(other).get(asked)).page.total).toBe(0)
  }
})

test('a new panel of the owner stands in the list of everyone who reaches it', async () => {
  const { ana, guest } = await pair()
  const made = await portal.as(ana).post('/api/v1/panels', newPanel('fresh', ana.projects[0]))
  const [listed] = (await guest.get(`/api/v1/client-panels?filter[panel_id]=${made.one.id}`)).list
  expect(listed?.attributes).toMatchObject({ owner_id: ana.id, hidden: false, user_type: 1 })
})

test('settings stay when a permission changes, and come to an end with what they are about', async () => {
  const { ana, guest, permission } = await pair()
  const [first] = (await guest.get('/api/v1/client-panels')).list
  await guest.patch(
    `/api/v1/client-panels/${first?.id}`,
    document('client-panels', first?.id, { attributes: { position: 5 } }),
  )
  const kept = Number(first?.attributes?.panel_id)
  const [row] = (await portal.as(ana).get(`/api/v1/panels?filter[id]=${kept}`)).list
  const workspace = Number(row?.attributes?.project_id)
  const object = {
    billing: 'denied',
    tickets: 'denied',
    my_workspaces: 'allowed',
    workspace_resources: 'custom',
    workspaces: [entry(workspace)],
  }
  await portal
    .as(ana)
    .patch(
      `/api/v1/share-permissions/${permission}`,
      document('share-permissions', permission, { attributes: { permissions: object } }),
    )
  const after = (await guest.get('/api/v1/client-panels')).list
  expect(after).toHaveLength(2)
  expect(after.find(({ id }) => id === first?.id)?.attributes?.position).toBe(5)
})

test.each(['leave', 'delete'])(
  'a guest gives back what was shared by %s, and the owner is notified',
  async (how) => {
    const { ana, mihai, guest, permission } = await pair()
    const [first] = (await guest.get('/api/v1/client-panels')).list
    const url = `/api/v1/client-panels/${first?.id}`
    expect((await portal.as(ana).post(`${url}/-actions/leave`, {})).status).toBe(404)
    const left = how === 'leave' ? await guest.post(`${url}/-actions/leave`, {}) : await guest.delete(url)
    expect(left.status).toBe(how === 'leave' ? 200 : 204)
    expect((await guest.get(`/api/v1/panels?filter[client_id]=${ana.id}`)).page.total).toBe(0)
    expect((await portal.as(ana).get(`/api/v1/share-permissions/${permission}`)).status).toBe(404)
    expect(await newestLetter(portal.pool, ana.email, 'access-left')).toMatchObject({ email: mihai.email })
  },
)

test('confirming a list: 403 to the owner, 404 to a stranger and for what is not there', async () => {
  const { ana, permission } = await pair()
  const confirm = (who: Account, id: number) =>
    portal.as(who).post('/api/v1/client-panels/-actions/createNewClientPanel', { share_permission_id: id })
  expect((await confirm(ana, permission)).status).toBe(403)
  const stranger = await someone()
  const hidden = await confirm(stranger, permission)
  expect([hidden.status, hidden.text]).toEqual([404, (await confirm(stranger, 999_999_999)).text])
})

test('domains are hidden by their list, also from the count of their panel', async () => {
  const [ana, mihai] = [await someone(), await someone()]
  const all = (await portal.as(ana).get('/api/v1/domains?page[size]=100')).list
  const [one] = all
  await portal.share(ana, mihai, { domain_access: 'custom', domains: [Number(one?.id)] })
  const guest = portal.as(mihai)
  const seen = await guest.get(`/api/v1/domains?filter[client_id]=${ana.id}`)
  expect([seen.page.total, seen.list.map(({ id }) => id)]).toEqual([1, [one?.id]])
  const hidden = all.find(
    ({ attributes }) =>
      attributes?.panel_id === one?.attributes?.panel_id && attributes?.name !== one?.attributes?.name,
  )
  expect((await guest.get(`/api/v1/domains/${hidden?.id}`)).status).toBe(404)
  const panel = await guest.get(`${onPanel(Number(one?.attributes?.panel_id))}?include=domains`)
  expect([panel.one.attributes?.domains_count, panel.included.length]).toEqual([1, 1])
  expect(
    (await portal.as(ana).get(onPanel(Number(one?.attributes?.panel_id)))).one.attributes?.domains_count,
  ).toBe(3)
})

test('owner and guest know each other’s name and address, and no more', async () => {
  const { ana, mihai, guest } = await pair({ billing: 'allowed' })
  const fields = ['email', 'first_name', 'last_name']
  for (const [reader, other] of [
    [mihai, ana],
    [ana, mihai],
  ] as const) {
    const seen = await portal.as(reader).get(`/api/v1/clients/${other.id}`)
    expect(Object.keys(seen.one.attributes ?? {}).sort()).toEqual(fields)
    expect([seen.one.relationships, seen.one.meta?.may?.update]).toEqual([undefined, false])
    for (const path of ['projects', 'currentProject', 'relationships/panels', 'relationships/currency'])
      expect((await portal.as(reader).get(`/api/v1/clients/${other.id}/${path}`)).status, path).toBe(404)
    const listed = await portal
      .as(reader)
      .get(`/api/v1/clients?filter[client_id]=${other.id}&include=projects,panels`)
    expect([listed.list.length, listed.included]).toEqual([1, []])
  }
  const url = `/api/v1/clients/${ana.id}`
  const refused = [
    await guest.patch(url, document('clients', ana.id, { attributes: { first_name: 'X' } })),
    await guest.post(`${url}/-actions/updateCurrentProject`, { current_project_id: ana.projects[1] }),
    await guest.get(`${url}/-actions/checkNegativeNumberOfDays`),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
  expect((await guest.get(`/api/v1/clients?filter[client_id]=${ana.id}&sort=createdAt`)).faults).toEqual([
    '400 field_hidden sort',
  ])
})

test('a guest who manages billing reads the names of workspaces, and cannot sort by hidden attributes', async () => {
  const { ana, guest } = await pair({ billing: 'allowed', my_workspaces: 'denied' })
  const list = await guest.get(`/api/v1/projects?filter[client_id]=${ana.id}`)
  expect(list.page.total).toBe(3)
  expect(list.list.map(({ attributes, relationships }) => [attributes, relationships])).toContainEqual([
    { name: 'Workspace 1' },
    undefined,
  ])
  const by = (query: string) => guest.get(`/api/v1/projects?filter[client_id]=${ana.id}&${query}`)
  expect((await by('sort=createdAt')).faults).toEqual(['400 field_hidden sort'])
  expect((await by('sort=-name&filter[search]=work')).page.total).toBe(3)
  expect((await by('include=panels')).included).toEqual([])
  expect((await guest.post('/api/v1/panels', newPanel('x', ana.projects[0]))).status).toBe(404)
  for (const type of ['account-balances', 'billing-profiles', 'client-entities'])
    expect((await guest.get(`/api/v1/${type}?filter[client_id]=${ana.id}`)).page.total, type).toBe(1)
})

test('a workspace that its owner archives is not the one a guest works in, nor another of the owner’s', async () => {
  const [ana, mihai] = [await makeAccount(portal.pool, { projects: 2, panels: 0 }), await someone()]
  await portal.share(ana, mihai)
  await portal.as(mihai).post(`/api/v1/clients/${mihai.id}/-actions/updateCurrentProject`, {
    current_project_id: ana.projects[0],
  })
  expect((await portal.as(ana).delete(`/api/v1/projects/${ana.projects[0]}`)).status).toBe(204)
  const me = await portal.as(mihai).get(`/api/v1/clients/${mihai.id}`)
  expect(mihai.projects).toContain(me.one.attributes?.current_project_id)
})

test('a write that meets the end of its permission waits for it, and then finds nothing to change', async () => {
  const { ana, guest, permission } = await pair({ add_panels: 'allowed', delete_panels: 'allowed' })
  const [id] = ana.panels
  const tries = await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('share_permissions')
      .set({ revoked_at: '2026-01-01T00:00:00Z' })
      .where('id', '=', permission)
      .execute()
    // Sent while the end is not committed yet: what they see in the meantime is the permission as it was.
    const sent = [
      guest.patch(onPanel(id), rename(id, 'too late')),
      guest.delete(onPanel(ana.panels[1])),
      guest.post('/api/v1/panels', newPanel('too late', ana.projects[0])),
    ]
    await untilBlocked(portal.pool, sent.length)
    return sent
  })
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([404, 404, 404])
  const names = await db.selectFrom('panels').select('name').where('client_id', '=', ana.id).execute()
  expect(names.map(({ name }) => name)).not.toContain('too late')
})

test('an operation of a guest finishes before its permission can be removed', async () => {
  const { ana, guest, invitation } = await pair({ add_panels: 'allowed' })
  for (let round = 0; round < 8; round++) {
    const [made, removed] = await Promise.all([
      guest.post('/api/v1/panels', newPanel(`race ${round}`, ana.projects[0])),
      round === 7 ? portal.as(ana).delete(`/api/v1/share-invitations/${invitation}`) : undefined,
    ])
    expect([201, 404]).toContain(made.status)
    if (removed) expect(removed.status).toBe(204)
  }
  expect((await guest.post('/api/v1/panels', newPanel('late', ana.projects[0]))).status).toBe(404)
  const left = await db.selectFrom('client_panels').select('id').where('owner_id', '=', ana.id).execute()
  expect([left, portal.bugs]).toEqual([[], []])
})
