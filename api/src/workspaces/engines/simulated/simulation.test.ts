import { expect, test } from 'vitest'
import { allowedHosts } from '#platform/egress.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { testVault } from '#test/support/mail.ts'
import { person, stoppedClock } from '#test/support/people.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import type { EngineAccess, SsoAsk } from '#workspaces/engines/panel-engine.ts'
import { provisionPanel } from '#workspaces/engines/panel-engines.ts'
import { ensureBuiltInSecret } from '#workspaces/engines/registry.ts'
import { addPanel } from '#workspaces/panels.ts'
import { type Message, reportChanges } from './simulation.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const keys = { db, vault: testVault }
const clock = stoppedClock(Date.now())
const engines = engineAdapters({ clock, publicUrl: 'http://localhost:3000', allowed: allowedHosts([]) })
const { simulated } = engines
const { app } = await testApp(pool, { clock, engines, env: { rateLimitScale: 1000 } })
await Promise.all([1, 2, 3].map(() => ensureBuiltInSecret(keys)))
const outside = { pool, clock, vault: testVault, engines }
const owner = await person(pool, 'owner@example.com')

async function access(): Promise<EngineAccess> {
  const found = await engineAccess(keys, { code: 'simulated' })
  if (!found) throw new Error('The built-in engine is gone.')
  return found
}

async function newPanel(name: string): Promise<number> {
  const project = await db
    .selectFrom('projects')
    .select('id')
    .where('client_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  const panel = { client_id: owner.id, project_id: project.id, name, plan_code: 'web-3' }
  const { id } = await db.transaction().execute((tx) => addPanel(tx, panel))
  await provisionPanel(outside, id, { last: false })
  return id
}

const receipts: string[] = []
async function deliver({ path, headers, body }: Message): Promise<number> {
  const answer = await app.inject({ method: 'POST', url: path, headers, payload: body })
  receipts.push(answer.body)
  return answer.statusCode
}
const row = (id: number) => db.selectFrom('panels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('the built-in engine has one secret of its own, however many processes begin', async () => {
  expect((await access()).secrets).toHaveLength(1)
})

test('events of the built-in engine arrive signed, like those of every engine', async () => {
  const id = await newPanel('web')
  const { external_id } = await row(id)
  await simulated.suspendPanel(external_id ?? '')
  receipts.length = 0
  await reportChanges(simulated, await access(), deliver)
  expect(receipts.map((text) => JSON.parse(text))).toEqual([{ accepted: 14, outdated: 0, errors: [] }])
  expect((await row(id)).status).toBe('suspended')
  await reportChanges(simulated, await access(), deliver)
  expect(receipts).toHaveLength(1)
})

test('a message that is delivered twice counts once, and a lost one is sent again', async () => {
  const id = await newPanel('twice')
  simulated.faults.twice = true
  receipts.length = 0
  await reportChanges(simulated, await access(), deliver)
  simulated.faults.twice = false
  expect([receipts.length, new Set(receipts).size]).toEqual([2, 1])
  clock.forward(60_000)
  await simulated.suspendPanel((await row(id)).external_id ?? '')
  await reportChanges(simulated, await access(), async () => 503)
  expect((await row(id)).status).toBe('active')
  await reportChanges(simulated, await access(), deliver)
  expect((await row(id)).status).toBe('suspended')
})

const visitor: SsoAsk = {
  subject: 'client-1',
  displayName: 'Ana <script>alert(1)</script> & "Co"',
  role: 'guest',
  scopes: ['domain_access', 'create_email'],
  domains: ['d1', 'd2'],
  clientIp: '192.0.2.7',
  ttlSeconds: 60,
}

test('the console shows once whom the engine let in, and runs nothing of what it is given', async () => {
  const { url } = await simulated.createSsoLink('sim-7-web-3', visitor)
  const { pathname, search } = new URL(url)
  expect((await app.inject({ method: 'HEAD', url: pathname + search })).statusCode).toBe(404)
  const page = await app.inject(pathname + search)
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.headers['cache-control']).toBe('no-store')
  for (const shown of [
    'client-1',
    'guest',
    'domain_access, create_email',
    'd1, d2',
    '192.0.2.7',
    '&lt;script&gt;',
  ])
    expect(page.body).toContain(shown)
  expect(page.body).not.toContain('<script')
  const again = await app.inject(pathname + search)
  expect([again.statusCode, again.body.includes('expired'), again.body.includes('client-1')]).toEqual([
    404,
    true,
    false,
  ])
  for (const query of ['', '?token=', '?token=x&token=y', '?token[]=x'])
    expect((await app.inject(pathname + query)).statusCode, query).toBe(404)
})
