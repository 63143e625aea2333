import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { markCopy } from '#platform/acts-as.ts'
import { systemClock } from '#platform/clock.ts'
import { withClient } from '#platform/db/client.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { allowedHosts } from '#platform/egress.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { makeVault } from '#platform/vault.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { system } from '#workspaces/engines/panel-engine.ts'
import { checkEngines, registerEngine } from '#workspaces/engines/registry.ts'
import { makeConfirmedAccount } from './support/account.ts'
import { exampleEngine } from './support/example-engine.ts'
import { makePlans } from './support/plans.ts'
import { makeMember } from './support/staff.ts'
import { temporaryFolder } from './support/temporary.ts'

const root = path.resolve(import.meta.dirname, '../..')
const place = temporaryFolder('take-over')
const tokenSecret = 'a secret of thirty-two characters and more'
// As a portal that runs keeps it; the command finds it by its folder.
const running = await startEmbedded({ dataDir: place.folder, durable: false })
await migrate(running.connection)
await installJobs(running.connection)
const pool = new Pool(running.connection, 2, () => undefined)
const db = pool.kysely
const vault = makeVault(tokenSecret)
const engines = engineAdapters({ clock: systemClock, publicUrl: '', allowed: allowedHosts(['127.0.0.1']) })

const secret = await registerEngine(
  { db, vault },
  { code: 'old', name: 'Old', baseUrl: 'http://127.0.0.1:1', isDefault: false },
)
const url = await exampleEngine([secret])

afterAll(async () => {
  await engines.close()
  await pool.close()
  await running.stop()
  place.remove()
})

function command(...args: string[]): { status: number | null; said: string } {
  const { DATABASE_URL: _, ...inherited } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, ['api/src/commands/take-over.ts', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...inherited,
      DATA_DIR: place.folder,
      SEED: 'none',
      TOKEN_SECRET: tokenSecret,
      ENGINE_ALLOWED_HOSTS: '127.0.0.1',
    },
  })
  return { status, said: stdout + stderr }
}

test('an administrator sees what fits, links it with a reason, and takes it back', async () => {
  await db.updateTable('panel_engines').set({ base_url: url }).where('code', '=', 'old').execute()
  await checkEngines({ pool, clock: systemClock, vault, engines })
  const access = await engineAccess({ db, vault }, { code: 'old' })
  if (!access) throw new Error('The engine is registered above.')
  const engine = engines.open(access)
  const ana = await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  const { email } = await makeMember(pool, 'admin')
  const owner = { subject: 'whoever', displayName: 'Ana', email: ana.email }
  const made = await engine.createPanel({
    panelId: 1,
    name: 'bakery',
    plan: 'small',
    region: null,
    domain: null,
    owner,
    actor: system,
  })
  if (made.refused) throw new Error(made.reason)
  await engine.releasePanel?.(made.externalId, { panelId: 1, actor: system })

  const shown = command('old')
  expect(shown).toMatchObject({
    status: 0,
    said: expect.stringContaining(`bakery  ${ana.email}  ->  ${ana.email} (by mail)`),
  })
  const today = new Date().toISOString().slice(0, 10)
  expect(shown.said).toContain(`  plan small, here none, made on ${today}`)
  const { web = 0 } = await makePlans(db, { web: '3.00' })
  await db
    .insertInto('plan_engines')
    .values({ plan_id: web, panel_engine_id: access.id, engine_plan: 'small' })
    .execute()
  expect(command('old').said).toContain(`  plan small, here web, made on ${today}`)
  expect(shown.said).toContain('1 of 1 accounts fit one client.')
  const why = ['--reason', 'Moving in from the old portal']
  expect(command('old', '--confirm', ...why)).toMatchObject({
    status: 1,
    said: expect.stringContaining('no administrator'),
  })
  expect(command('old', '--confirm', '--as', email)).toMatchObject({
    status: 1,
    said: expect.stringContaining('--reason'),
  })
  expect(command('old', '--confirm', '--undo')).toMatchObject({
    status: 1,
    said: expect.stringContaining('engine:take-over'),
  })
  expect(command('simulated-not').said).toContain('There is no engine simulated-not in use.')

  expect(command('old', '--confirm', '--as', email, ...why).said).toContain(
    '1 linked, 0 refused, 0 without an answer.',
  )
  const panel = await db
    .selectFrom('panels')
    .selectAll()
    .where('client_id', '=', ana.id)
    .executeTakeFirstOrThrow()
  expect(panel).toMatchObject({
    name: 'bakery',
    plan_id: web,
    external_id: made.externalId,
    status: 'active',
  })
  expect(command('old').said).toContain('0 of 0 accounts fit one client.')
  expect(command('old', '--undo', '--as', email, ...why).said).toContain("1 accounts are nobody's again")
  const left = await engine.listPanels?.({})
  expect(left?.items).toMatchObject([{ id: made.externalId, panel_id: null, status: 'active' }])
}, 300_000)

test('a copy shows what fits, and neither links nor releases anything', async () => {
  await withClient(running.connection, markCopy)
  const { email } = await makeMember(pool, 'admin')
  expect(command('old').status).toBe(0)
  for (const verb of ['--confirm', '--undo'])
    expect(command('old', verb, '--as', email, '--reason', 'Trying a move')).toEqual({
      status: 1,
      said: expect.stringContaining('This portal is a copy, in which nothing can be changed.'),
    })
})
