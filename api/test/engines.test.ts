import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { allowedHosts } from '#platform/egress.ts'
import { makeVault } from '#platform/vault.ts'
import { startJobs } from '#start/jobs.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { type EngineAccess, system } from '#workspaces/engines/panel-engine.ts'
import { checkEngines, registerEngine } from '#workspaces/engines/registry.ts'
import { resumePanel, suspendPanel } from '#workspaces/panels.ts'
import { scrape, testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { exampleEngine, type Fault, faultyWay } from './support/example-engine.ts'
import { testPostOffice } from './support/mail.ts'
import { Browser, person } from './support/people.ts'
import { tokenSecret } from './support/secret.ts'

// The portal and the example engine in processes of their own, connected by a proxy that loses and duplicates messages.
// Every panel below is requested, provisioned by a job, and reported by an event.

const { pool, connection } = await testDatabase()
const db = pool.kysely
const vault = makeVault(tokenSecret)
const keys = { db, vault }
const allowed = ['127.0.0.1']
const adapters = () => engineAdapters({ clock: systemClock, publicUrl: '', allowed: allowedHosts(allowed) })
let current = adapters()
const engines = { ...current, open: (access: EngineAccess) => current.open(access) }
const { app } = await testApp(pool, { engines, env: { engineAllowedHosts: allowed, rateLimitScale: 1000 } })
await app.listen({ host: '127.0.0.1', port: 0 })
// A server that listens on TCP has such an address.
const { port } = app.server.address() as AddressInfo
const secret = await registerEngine(keys, {
  code: 'example',
  name: 'Example',
  baseUrl: 'http://127.0.0.1:1',
  isDefault: true,
})
const way = await faultyWay(await exampleEngine([secret], `http://127.0.0.1:${port}`))
await db.updateTable('panel_engines').set({ base_url: way.url }).where('code', '=', 'example').execute()
const log = pino({ level: 'silent' })
const jobs = await startJobs({
  ...testPostOffice(pool),
  connection,
  vault,
  clock: systemClock,
  engines,
  log,
})
afterAll(() => jobs.stop())

const ana = await person(pool, 'ana@example.com')
const browser = new Browser(app)
await browser.signIn('ana@example.com')
const project = await db
  .selectFrom('projects')
  .select('id')
  .where('client_id', '=', ana.id)
  .executeTakeFirstOrThrow()

const authorization = () => `Bearer ${browser.cookies.get('token')}`
const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  browser.ask({
    method,
    url: `/api/v1/${url}`,
    headers: { authorization: authorization(), 'content-type': 'application/vnd.api+json' },
    ...(payload && { payload }),
  })

let named = 0
async function newPanel(): Promise<number> {
  named += 1
  const relationships = { project: { data: { type: 'projects', id: String(project.id) } } }
  const answer = await ask('POST', 'panels', {
    data: { type: 'panels', attributes: { name: `panel ${named}` }, relationships },
  })
  expect(answer.statusCode).toBe(201)
  return Number(answer.json().data.id)
}

const row = (id: number) => db.selectFrom('panels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const soon = { timeout: 30_000, interval: 50 }
const becomes = (id: number, status: string) =>
  vi.waitFor(async () => expect((await row(id)).status).toBe(status), soon)

/** The engine itself, without the faults that lie between. */
async function engine() {
  const access = await engineAccess(keys, { code: 'example' })
  if (!access) throw new Error('The engine is not registered.')
  return engines.open(access)
}

/** Failed jobs wait a while before they are tried again; a test has no time for that. */
const hurry = () =>
  sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(db)
const hurrying = setInterval(() => void hurry().catch(() => undefined), 250)
afterAll(() => clearInterval(hurrying))

async function panelAgain(id: number): Promise<unknown> {
  const owner = { subject: 'client-1', displayName: 'Ana', email: 'ana@example.com' }
  const panel = { panelId: id, name: 'again', plan: null, region: null, domain: null }
  return (await engine()).createPanel({ ...panel, owner, actor: system })
}

const faults: Fault[][] = [[], ['lose'], ['fail'], ['twice'], ['slow'], ['garbage'], ['lose', 'fail', 'lose']]

test.each(faults.map((fault) => [fault.join(', ') || 'nothing', fault] as const))(
  'a panel is made once, read and deleted, with this on the way: %s',
  async (_what, fault) => {
    way.faults.push(...fault)
    const id = await newPanel()
    await becomes(id, 'active')
    const { external_id } = await row(id)
    way.faults.length = 0
    expect(await panelAgain(id)).toMatchObject({ externalId: external_id })
    await vi.waitFor(async () => {
      const servers = await ask('GET', `servers?filter[panel_id]=${id}`)
      expect(servers.json().data).toHaveLength(3)
    }, soon)
    way.faults.push(...fault)
    expect((await ask('DELETE', `panels/${id}`)).statusCode).toBe(202)
    await becomes(id, 'deleted')
    way.faults.length = 0
    expect(await (await engine()).readPanel(external_id ?? '')).toMatchObject({ status: 'deleted' })
  },
  70_000,
)

test('a person connects, is shut out while the panel is suspended, and connects again', async () => {
  const id = await newPanel()
  await becomes(id, 'active')
  const connect = async () => {
    const answer = await ask('POST', `panels/${id}/-actions/connect`, {})
    return { status: answer.statusCode, url: String(answer.json().url) }
  }
  const first = await connect()
  expect(first.status).toBe(200)
  const page = await fetch(first.url)
  expect(await page.json()).toMatchObject({
    subject: `client-${ana.id}`,
    about: { role: 'owner', domains: null },
  })
  expect((await fetch(first.url)).status).toBe(410)
  way.faults.push('lose')
  await db.transaction().execute((tx) => suspendPanel({ tx, now: new Date() }, id, 'unpaid'))
  expect((await connect()).status).toBe(409)
  const { external_id } = await row(id)
  await vi.waitFor(async () => {
    expect(await (await engine()).readPanel(external_id ?? '')).toMatchObject({ status: 'suspended' })
    expect(await row(id)).toMatchObject({ status: 'suspended', suspension_due: false })
  }, soon)
  way.faults.push('fail', 'twice')
  await db.transaction().execute((tx) => resumePanel({ tx, now: new Date() }, id))
  await becomes(id, 'active')
  expect((await connect()).status).toBe(200)
}, 70_000)

test('a panel that is deleted before the answer to its making came is not left behind at the engine', async () => {
  way.faults.push('lose')
  const before = way.calls.length
  const id = await newPanel()
  // Other calls may follow it: the state of the engine is read all the time.
  const since = () => way.calls.slice(before).filter((call) => call.includes('POST /v1/panels'))
  await vi.waitFor(() => expect(since()).not.toEqual([]), soon)
  expect((await ask('DELETE', `panels/${id}`)).statusCode).toBe(202)
  await becomes(id, 'deleted')
  expect(await panelAgain(id)).toMatchObject({ refused: false })
}, 70_000)

test('the metrics show the health of engines and the delay of jobs', async () => {
  await checkEngines({ pool, vault, clock: systemClock, engines })
  const { body } = await app.inject(scrape)
  expect(body).toContain('portico_engine_up{engine="example"} 1')
  expect(body).toMatch(/portico_job_age_seconds [\d.]+/)
  // Jobs that speak to the engine meanwhile take their share.
  way.faults.push(...Array(5).fill('fail'))
  await checkEngines({ pool, vault, clock: systemClock, engines })
  way.faults.length = 0
  expect((await app.inject(scrape)).body).toContain('portico_engine_up{engine="example"} 0')
  await checkEngines({ pool, vault, clock: systemClock, engines })
  const row = await db
    .selectFrom('panel_engines')
    .selectAll()
    .where('code', '=', 'example')
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ health: 'up', health_detail: null, version: '1.1.0' })
})

test('the events of the engine arrived at the endpoint for events', async () => {
  const { rows } = await sql<{ receipt: string }>`select receipt from engine_messages`.execute(db)
  const receipts = rows.map(({ receipt }): { accepted: number; outdated: number } => JSON.parse(receipt))
  expect(receipts.some(({ accepted, outdated }) => accepted + outdated > 0)).toBe(true)
})

test('a panel of an engine that is away for good shows it, and is tried again by a person', async () => {
  way.faults.push(...Array(40).fill('fail'))
  const id = await newPanel()
  await becomes(id, 'error')
  expect(await row(id)).toMatchObject({ failed_step: 'provision', external_id: null })
  expect((await ask('GET', 'projects?include=panels')).statusCode).toBe(200)
  way.faults.length = 0
  // The portal leaves an engine alone that failed so often; a new process does not know that yet.
  current = adapters()
  expect((await ask('POST', `panels/${id}/-actions/retryProvision`, {})).statusCode).toBe(200)
  await becomes(id, 'active')
}, 90_000)
