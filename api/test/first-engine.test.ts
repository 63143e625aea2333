import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { allowedHosts } from '#platform/egress.ts'
import { makeVault } from '#platform/vault.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { checkEngines, registerEngine } from '#workspaces/engines/registry.ts'
import { makeAccount } from './support/account.ts'
import { exampleEngine, faultyWay } from './support/example-engine.ts'
import { runPanelJobs } from './support/panel-jobs.ts'
import { testPortal } from './support/portal.ts'
import { tokenSecret } from './support/secret.ts'

// The portal with an engine of contract 1.0 in a process of its own, as engines were written before 1.1.

const vault = makeVault(tokenSecret)
const engines = engineAdapters({
  clock: systemClock,
  publicUrl: '',
  allowed: allowedHosts(['127.0.0.1']),
})
const portal = await testPortal({ engines })
const db = portal.pool.kysely
const secret = await registerEngine(
  { db, vault },
  { code: 'first', name: 'First', baseUrl: 'http://127.0.0.1:1', isDefault: true },
)
const way = await faultyWay(await exampleEngine([secret], undefined, 'first-example'))
await db.updateTable('panel_engines').set({ base_url: way.url }).where('code', '=', 'first').execute()
const outside = { pool: portal.pool, clock: systemClock, vault, engines }
await checkEngines(outside)

const ana = await makeAccount(portal.pool, { projects: 1, panels: 0 })
const owner = portal.as(ana)
const create = (attributes: object) => {
  const relationships = { project: { data: { type: 'projects', id: String(ana.projects[0]) } } }
  return owner.post('/api/v1/panels', { data: { type: 'panels', attributes, relationships } })
}

const runJobs = () => runPanelJobs(outside)

const shown = async (id: string | undefined) => (await owner.get(`/api/v1/panels/${id}`)).one.attributes

test('a panel of an engine of 1.0 is made, read, renamed and deleted as before', async () => {
  const row = await db
    .selectFrom('panel_engines')
    .selectAll()
    .where('code', '=', 'first')
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ health: 'up', contract: '1.0' })
  const made = await create({ name: 'shop' })
  expect(made.status).toBe(201)
  await runJobs()
  expect(await shown(made.one.id)).toMatchObject({ status: 'active', domain: null })
  const { external_id: at } = await db
    .selectFrom('panels')
    .select('external_id')
    .where('id', '=', Number(made.one.id))
    .executeTakeFirstOrThrow()
  await owner.patch(`/api/v1/panels/${made.one.id}`, {
    data: { type: 'panels', id: made.one.id, attributes: { name: 'store' } },
  })
  await runJobs()
  expect((await owner.delete(`/api/v1/panels/${made.one.id}`)).status).toBe(202)
  await runJobs()
  expect((await owner.get(`/api/v1/panels?filter[status]=deleted`)).status).toBe(200)
  expect(way.calls).toContain(`PATCH /v1/panels/${at}`)
  expect(way.calls).toContain(`DELETE /v1/panels/${at}`)
})

test('a panel whose making got no answer from an engine of 1.0 is deleted by asking for it again', async () => {
  const made = await create({ name: 'lost' })
  way.faults.push('lose')
  await expect(runJobs()).rejects.toThrow('POST /v1/panels')
  way.calls.length = 0
  await owner.delete(`/api/v1/panels/${made.one.id}`)
  await runJobs()
  expect(way.calls.map((call) => call.replace(/p-\w+/, 'ID'))).toEqual([
    'POST /v1/panels',
    'DELETE /v1/panels/ID',
  ])
})

test('an engine of 1.0 makes no panel with a domain', async () => {
  const refused = await create({ name: 'site', domain: 'shop.example.com' })
  expect(refused.faults).toEqual(['422 domain_not_offered /data/attributes/domain'])
})
