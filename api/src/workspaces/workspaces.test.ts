import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testPortal } from '#test/support/portal.ts'
import { assertDocument } from '#test/support/structure.ts'
import { panelGone } from './panel-state.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const someone = () => makeAccount(portal.pool, { projects: 2, panels: 1 })

const data = (type: string, more: object) => ({ data: { type, ...more } })
const inProject = (id: number | undefined) => ({ project: { data: { type: 'projects', id: String(id) } } })
const newPanel = (name: string, project: number | undefined, plan_code: string | null = null) =>
  data('panels', { attributes: { name, plan_code }, relationships: inProject(project) })

async function jobsAbout(panelId: number | string): Promise<string[]> {
  const { rows } = await sql<{
    task: string
  }>`select t.identifier as task from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where (j.payload ->> 'panelId')::int8 = ${Number(panelId)} order by j.id`.execute(db)
  return rows.map(({ task }) => task)
}

const own = [
  'projects',
  'panels',
  'servers',
  'clusters',
  'domains',
  'client-entities',
  'account-balances',
  'billing-profiles',
  'clients',
]

test.each(own)('%s of another client do not exist', async (type) => {
  const [ana, stranger] = [await someone(), await someone()]
  const mine = await portal.as(ana).get(`/api/v1/${type}?page[size]=100`)
  const theirs = await portal.as(stranger).get(`/api/v1/${type}?page[size]=100`)
  expect(mine.list.length).toBeGreaterThan(0)
  const ids = new Set(theirs.list.map(({ id }) => id))
  expect(mine.list.filter(({ id }) => ids.has(id))).toEqual([])
  for (const { id } of mine.list.slice(0, 2)) {
    expect((await portal.as(stranger).get(`/api/v1/${type}/${id}`)).status).toBe(404)
    expect((await portal.as(ana).get(`/api/v1/${type}/${id}`)).status).toBe(200)
  }
})

test('naming another account finds nothing in it, not even a count', async () => {
  const [ana, stranger] = [await someone(), await someone()]
  for (const type of [
    'projects',
    'panels',
    'servers',
    'account-balances',
    'billing-profiles',
    'client-entities',
  ]) {
    const found = await portal.as(stranger).get(`/api/v1/${type}?filter[client_id]=${ana.id}`)
    expect([found.status, found.page.total], type).toEqual([200, 0])
  }
})

test('staff are not visible to clients', async () => {
  await db
    .insertInto('admins')
    .values({ email: 'x@staff.test', display_name: 'X', role: 'support' })
    .execute()
  expect((await portal.as(await someone()).get('/api/v1/admins')).list).toEqual([])
})

test('a panel counts what it holds', async () => {
  const ana = await someone()
  const panel = await portal.as(ana).get(`/api/v1/panels/${ana.panels[0]}`)
  expect(panel.one.attributes).toMatchObject({
    servers_count: 3,
    clusters_count: 3,
    domains_count: 3,
    user_type: 0,
  })
  await db
    .updateTable('panel_resources')
    .set({ gone_at: sql`now()` })
    .where('panel_id', '=', ana.panels[0] ?? 0)
    .where('kind', '=', 'server')
    .execute()
  const after = await portal.as(ana).get(`/api/v1/panels/${ana.panels[0]}?include=servers`)
  expect(after.one.attributes).toMatchObject({ servers_count: 0, domains_count: 3 })
  expect(after.included).toEqual([])
})

test('a shared panel says that it is another’s, and cannot be changed', async () => {
  const [ana, guest] = [await someone(), await someone()]
  await portal.share(ana, guest)
  const url = `/api/v1/panels/${ana.panels[0]}`
  const seen = await portal.as(guest).get(url)
  expect(seen.one.attributes).toMatchObject({ user_type: 1, client_id: ana.id })
  expect(seen.one.meta?.may).toMatchObject({ update: false, delete: false })
  expect((await portal.as(guest).delete(url)).status).toBe(403)
  expect((await portal.as(guest).post('/api/v1/panels', newPanel('x', ana.projects[0]))).status).toBe(403)
})

async function offering(plans: string[]): Promise<void> {
  await sql`update panel_engines set capabilities = jsonb_set(capabilities, '{plans}', ${JSON.stringify(plans)}::jsonb)
    where is_default`.execute(db)
}

test('a plan that the engine does not offer is refused, and leaves no panel', async () => {
  const ana = await someone()
  const ask = (plan: string | null) =>
    portal.as(ana).post('/api/v1/panels', newPanel(`of ${plan}`, ana.projects[0], plan))
  const before = (await portal.as(ana).get('/api/v1/panels')).page.total
  for (const plans of [['web-3', 'mail-24'], []]) {
    await offering(plans)
    for (const plan of ['nonsense-plan', 'WEB-3', 'web-3 x', 'constructor'])
      expect((await ask(plan)).faults).toEqual(['422 plan_not_offered /data/attributes/plan_code'])
  }
  expect((await portal.as(ana).get('/api/v1/panels')).page.total).toBe(before)
  expect((await ask(null)).status).toBe(201)
})

test('a new panel goes to no engine that is disabled', async () => {
  const ana = await someone()
  const disabled = (at: string | null) => db.updateTable('panel_engines').set({ disabled_at: at }).execute()
  await disabled('2026-01-01T00:00:00Z')
  const answer = await portal.as(ana).post('/api/v1/panels', newPanel('nowhere', ana.projects[0]))
  await disabled(null)
  expect(answer.faults).toEqual(['503 panels_unavailable'])
})

test('a new panel is provisioned by a job that came with it', async () => {
  await offering(['web-3'])
  const ana = await someone()
  const made = await portal.as(ana).post('/api/v1/panels', newPanel(' shop ', ana.projects[0], 'web-3'))
  expect([made.status, made.text.length > 0]).toEqual([201, true])
  expect(made.one.attributes).toMatchObject({
    name: 'shop',
    status: 'provisioning',
    client_id: ana.id,
    plan_code: 'web-3',
  })
  expect(await jobsAbout(made.one.id)).toEqual(['panel.provision'])
})

test('a panel that cannot be made leaves no job behind', async () => {
  const ana = await someone()
  const jobs = () =>
    db
      .selectNoFrom(sql<number>`(select count(*) from graphile_worker._private_jobs)`.as('n'))
      .executeTakeFirst()
  const before = await jobs()
  const [taken] = (await portal.as(ana).get('/api/v1/panels')).list
  const project = Number(taken?.attributes?.project_id)
  const twice = await portal
    .as(ana)
    .post('/api/v1/panels', newPanel(String(taken?.attributes?.name).toUpperCase(), project))
  expect(twice.faults).toEqual(['409 panel_name_taken /data/attributes/name'])
  expect(await jobs()).toEqual(before)
})

test('a workspace of another client is not found when a panel is put into it', async () => {
  const [ana, stranger] = [await someone(), await someone()]
  const made = await portal.as(stranger).post('/api/v1/panels', newPanel('x', ana.projects[0]))
  expect(made.status).toBe(404)
})

test("a panel moves between its owner's workspaces, and its engine learns only a new name", async () => {
  const ana = await someone()
  const [id = 0] = ana.panels
  const patch = (more: object) =>
    portal.as(ana).patch(`/api/v1/panels/${id}`, data('panels', { id: String(id), ...more }))
  const moved = await patch({ relationships: inProject(ana.projects[1]) })
  expect(moved.one.attributes).toMatchObject({ project_id: ana.projects[1], client_id: ana.id })
  expect(await jobsAbout(id)).toEqual([])
  await patch({ attributes: { name: 'first' } })
  const renamed = await patch({ attributes: { name: 'second' } })
  expect(renamed.one.attributes).toMatchObject({ name: 'second' })
  expect(await jobsAbout(id)).toEqual(['panel.rename'])
})

test('a panel that is being deleted stays visible and untouchable until its engine has confirmed', async () => {
  const ana = await someone()
  const url = `/api/v1/panels/${ana.panels[0]}`
  expect((await portal.as(ana).delete(url)).status).toBe(202)
  const seen = await portal.as(ana).get(url)
  expect(seen.one.attributes).toMatchObject({ status: 'deleting' })
  expect(seen.one.meta?.may).toMatchObject({ update: false, delete: false, sync: false })
  expect((await portal.as(ana).delete(url)).status).toBe(403)
  expect(await jobsAbout(ana.panels[0] ?? 0)).toEqual(['panel.delete'])
})

test('a reading can be asked for, and asking twice is one reading', async () => {
  const ana = await someone()
  const ask = () => portal.as(ana).post(`/api/v1/panels/${ana.panels[0]}/-actions/sync`, {})
  expect((await ask()).json).toMatchObject({ status: 'active' })
  await ask()
  expect(await jobsAbout(ana.panels[0] ?? 0)).toEqual(['panel.sync'])
})

test('a workspace with panels, or the last one, cannot be deleted', async () => {
  const ana = await makeAccount(portal.pool, { projects: 2, panels: 0 })
  const [first = 0, second = 0] = ana.projects
  await portal.as(ana).post('/api/v1/panels', newPanel('x', first))
  const remove = (id: number) => portal.as(ana).delete(`/api/v1/projects/${id}`)
  expect((await remove(first)).faults).toEqual(['409 workspace_holds_panels'])
  expect((await remove(second)).status).toBe(204)
  expect((await remove(second)).status).toBe(404)
  expect((await portal.as(ana).get('/api/v1/projects')).list.map(({ id }) => id)).toEqual([String(first)])
})

test('when all workspaces are deleted at once, one remains', async () => {
  const ana = await makeAccount(portal.pool, { projects: 12, panels: 0 })
  const answers = await Promise.all(ana.projects.map((id) => portal.as(ana).delete(`/api/v1/projects/${id}`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(204), 409])
  const left = await portal.as(ana).get('/api/v1/projects')
  expect(left.list).toHaveLength(1)
  const me = await portal.as(ana).get(`/api/v1/clients/${ana.id}`)
  expect(me.one.attributes?.current_project_id).toBe(Number(left.list[0]?.id))
})

test('a panel added while its workspace is deleted is never left in one that is gone', async () => {
  for (let round = 0; round < 10; round++) {
    const ana = await makeAccount(portal.pool, { projects: 2, panels: 0 })
    const [made, removed] = await Promise.all([
      portal.as(ana).post('/api/v1/panels', newPanel('x', ana.projects[0])),
      portal.as(ana).delete(`/api/v1/projects/${ana.projects[0]}`),
    ])
    expect([
      [201, 409],
      [404, 204],
    ]).toContainEqual([made.status, removed.status])
  }
  expect(portal.bugs).toEqual([])
})

test('a panel that is deleted is accepted for deletion, and keeps its workspace until it is gone', async () => {
  const ana = await someone()
  const me = portal.as(ana)
  const [row] = (await me.get('/api/v1/panels')).list
  const url = `/api/v1/panels/${row?.id}`
  const workspace = `/api/v1/projects/${row?.attributes?.project_id}`
  expect((await me.delete(workspace)).errors[0]?.detail).toMatch(/still has panels/)
  const accepted = await me.delete(url)
  expect([accepted.status, accepted.one.id, accepted.one.attributes?.status]).toEqual([
    202,
    row?.id,
    'deleting',
  ])
  assertDocument(accepted)
  expect((await me.get(url)).one.attributes?.status).toBe('deleting')
  expect((await me.delete(url)).errors[0]?.detail).toBe('This panel is being deleted.')
  const refused = await me.delete(workspace)
  expect([refused.faults, refused.errors[0]?.detail]).toEqual([
    ['409 workspace_panel_deleting'],
    'A panel of this workspace is still being deleted. Try again in a moment.',
  ])
  await panelGone(db, Number(row?.id), '2026-03-18T12:00:00Z')
  expect((await me.get(url)).status).toBe(404)
  expect((await me.delete(workspace)).status).toBe(204)
})
