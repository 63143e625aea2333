import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { allowedHosts } from '#platform/egress.ts'
import { makeVault } from '#platform/vault.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { checkEngines, registerEngine } from '#workspaces/engines/registry.ts'
import { makeAccount } from './support/account.ts'
import { exampleEngine, type Fault, faultyWay } from './support/example-engine.ts'
import { runPanelJobs } from './support/panel-jobs.ts'
import { makePlans } from './support/plans.ts'
import { testPortal } from './support/portal.ts'
import { tokenSecret } from './support/secret.ts'

// Changes of plan at the example engine in its own process, over a connection that loses and repeats calls.

const vault = makeVault(tokenSecret)
const engines = engineAdapters({ clock: systemClock, publicUrl: '', allowed: allowedHosts(['127.0.0.1']) })
const portal = await testPortal({ engines })
const db = portal.pool.kysely
const secret = await registerEngine(
  { db, vault },
  { code: 'example', name: 'Example', baseUrl: 'http://127.0.0.1:1', isDefault: true },
)
const way = await faultyWay(await exampleEngine([secret]))
await db.updateTable('panel_engines').set({ base_url: way.url }).where('code', '=', 'example').execute()
const outside = { pool: portal.pool, clock: systemClock, vault, engines }
await checkEngines(outside)
await makePlans(db, { start: '3.00', roomy: '8.00', tiny: '1.00' })
await sql`insert into plan_engines (plan_id, panel_engine_id, engine_plan, regions)
  select p.id, e.id, x.plan, '{eu-example}' from plans p join panel_engines e on e.code = 'example'
  join (values ('start', 'standard'), ('roomy', 'large'), ('tiny', 'small')) x (code, plan) on x.code = p.code`.execute(
  db,
)
await sql`update plans set state = 'offered'`.execute(db)
const ana = await makeAccount(portal.pool, { projects: 1, panels: 0 })
const owner = portal.as(ana)

let named = 0

async function madePanel(): Promise<string> {
  const relationships = { project: { data: { type: 'projects', id: String(ana.projects[0]) } } }
  const attributes = { name: `panel ${++named}`, plan_code: 'start' }
  const made = await owner.post('/api/v1/panels', { data: { type: 'panels', attributes, relationships } })
  expect(made.status).toBe(201)
  await runPanelJobs(outside)
  expect((await shown(made.one.id))?.status).toBe('active')
  return made.one.id
}

const shown = async (id: string) => (await owner.get(`/api/v1/panels/${id}`)).one.attributes
const change = (id: string, plan: string, monthly: number) =>
  owner.post(`/api/v1/panels/${id}/-actions/changePlan`, { plan, expects: { monthly, currency: 'USD' } })

/** The plan that the engine has, by a reading of its own. */
async function engineHas(id: string): Promise<string | null> {
  const access = await engineAccess({ db, vault }, { code: 'example' })
  if (!access) throw new Error('The engine is not registered.')
  const { external_id } = await db
    .selectFrom('panels')
    .select('external_id')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  return (await engines.open(access).readPanel(external_id ?? '')).plan
}

const history = async (id: string) => {
  const { rows } = await sql<{
    code: string
  }>`select p.code from panel_plans h join plans p on p.id = h.plan_id
    where h.panel_id = ${id} order by lower(h.during)`.execute(db)
  return rows.map(({ code }) => code)
}

const faults: Fault[][] = [[], ['lose'], ['fail'], ['twice'], ['slow'], ['garbage'], ['lose', 'fail', 'lose']]

test.each(faults.map((fault) => [fault.join(', ') || 'nothing', fault] as const))(
  'books and engine agree on a plan, once, with this on the way: %s',
  async (_what, fault) => {
    const id = await madePanel()
    expect((await change(id, 'roomy', 8)).status).toBe(200)
    way.faults.push(...fault)
    for (let tries = 0; (await shown(id))?.plan_change !== null; tries++) {
      expect(tries).toBeLessThan(5)
      expect(await runPanelJobs(outside)).toEqual(['panel.plan'])
    }
    expect([(await shown(id))?.plan_code, await engineHas(id), await history(id)]).toEqual([
      'roomy',
      'large',
      ['start', 'roomy'],
    ])
  },
)

test('a plan that the engine finds too small stays refused with each limit, and both keep the old one', async () => {
  const id = await madePanel()
  expect((await change(id, 'tiny', 1)).status).toBe(200)
  way.faults.push('lose')
  await runPanelJobs(outside)
  await runPanelJobs(outside)
  const { plan_code, plan_change } = (await shown(id)) ?? {}
  expect([plan_code, await engineHas(id), await history(id)]).toEqual(['start', 'standard', ['start']])
  expect(plan_change).toMatchObject({
    state: 'refused',
    reason: 'plan_limit_exceeded',
    exceeded: expect.arrayContaining([{ limit: 'servers', allowed: 1, used: 3 }]),
  })
})

test('the quote names what the engine finds too small, although the plan has no limits here', async () => {
  const id = await madePanel()
  const quote = await owner.get(`/api/v1/panels/${id}/-actions/quotePlan?payload[plan]=tiny`)
  expect(quote.json).toMatchObject({
    can: false,
    exceeded: expect.arrayContaining([{ limit: 'domains', allowed: 2, used: 5 }]),
  })
  expect(await engineHas(id)).toBe('standard')
})
