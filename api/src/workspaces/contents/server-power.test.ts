import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAccount } from '#identity/accounts.ts'
import { systemClock } from '#platform/clock.ts'
import { makeAccount } from '#test/support/account.ts'
import { server, TestEngine, testVault } from '#test/support/engine.ts'
import { runPanelJobs } from '#test/support/panel-jobs.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { syncPanel } from '#workspaces/engines/panel-engines.ts'
import { forgetPowers } from './server-power.ts'

let engine = new TestEngine()
const engines = { open: () => engine }
// With one connection, holding it during an engine call would block every other request.
const portal = await testPortal({ engines, poolSize: 1 })
const db = portal.pool.kysely
const outside = { pool: portal.pool, clock: systemClock, vault: testVault, engines }

let ana = await makeAccount(portal.pool, { projects: 1, panels: 1 })
let id = 0
const panelId = () => ana.panels[0] ?? 0

const offering = async (power: readonly string[]) => {
  const capabilities = JSON.stringify({ ...(await engine.health()).capabilities, power })
  await db.updateTable('panel_engines').set({ capabilities, contract: '1.1' }).execute()
  engine.asked.length = 0
}

beforeEach(async () => {
  engine = new TestEngine()
  engine.resources = [server('1')]
  ana = await makeAccount(portal.pool, { projects: 1, panels: 1 })
  await db.transaction().execute(async (tx) => {
    const account = { email: ana.email, passwordHash: null, verifiedAt: new Date() }
    const auth_id = await createAccount(tx, account)
    await tx.updateTable('clients').set({ auth_id }).where('id', '=', ana.id).execute()
  })
  await offering(['start', 'stop', 'restart'])
  await syncPanel(outside, panelId())
  engine.asked.length = 0
  const row = await db
    .selectFrom('servers')
    .select('id')
    .where('panel_id', '=', panelId())
    .executeTakeFirstOrThrow()
  id = Number(row.id)
})

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const ask = (who: { readonly id: number }, action: string, request_id: string = randomUUID(), of = id) =>
  portal.as(who).post(`/api/v1/servers/${of}/-actions/power`, { action, request_id })
const powers = () => engine.asked.filter((one) => one.startsWith('power'))
const acts = async (who: { readonly id: number } = ana) => {
  const answer = await portal.as(who).get(`/api/v1/panels/${panelId()}/-actions/activity`)
  const { acts: all } = answer.json as { acts: { kind: string; by: unknown; to: string | null }[] }
  return all.filter(({ kind }) => kind.startsWith('server-')).map(({ kind, by, to }) => ({ kind, by, to }))
}
const you = { kind: 'you', name: null }

test('the owner restarts a server once for each request, and the activity of the panel says so once', async () => {
  const request = randomUUID()
  for (const _ of [1, 2]) {
    const answer = await ask(ana, 'restart', request)
    expect([answer.status, answer.json]).toEqual([200, { state: 'done', status: 'running' }])
  }
  expect(powers()).toEqual([expect.stringMatching(new RegExp(` 1 restart ${request}$`))])
  await ask(ana, 'restart')
  expect(powers()).toHaveLength(2)
  expect(await acts()).toEqual(Array(2).fill({ kind: 'server-restarted', by: you, to: 'web-1' }))
})

test('the server is shown as the engine answered it, at once', async () => {
  const stopped = { ...server('1', 'stopped'), reasons: [] }
  engine.powerAnswer = {
    state: 'done',
    server: { ...stopped, spec: { ...stopped.spec, cpu_percent: 0, power: ['start'] } },
  }
  expect((await ask(ana, 'stop')).json).toEqual({ state: 'done', status: 'stopped' })
  const { attributes } = (await portal.as(ana).get(`/api/v1/servers/${id}`)).one
  expect(attributes).toMatchObject({ status: 'stopped', cpu_percent: 0, power: ['start'] })
})

test('what takes longer is answered as begun, and read from the engine afterwards', async () => {
  engine.powerAnswer = { state: 'waiting' }
  const request = randomUUID()
  for (const _ of [1, 2])
    expect((await ask(ana, 'start', request)).json).toEqual({ state: 'waiting', status: 'running' })
  expect(powers()).toHaveLength(1)
  engine.resources = [server('1', 'starting')]
  expect(await runPanelJobs(outside)).toContain('panel.sync')
  expect((await portal.as(ana).get(`/api/v1/servers/${id}`)).one.attributes?.status).toBe('starting')
})

test('an engine that gives no answer is a 502 that does not claim anything, and the same request is asked again', async () => {
  engine.failures.push(new Error('connect ECONNRESET with details'))
  const request = randomUUID()
  const lost = await ask(ana, 'restart', request)
  expect([lost.status, lost.faults]).toEqual([502, ['502 server_power_unanswered']])
  expect(lost.text).not.toContain('ECONNRESET')
  expect(await runPanelJobs(outside)).toContain('panel.sync')
  expect((await ask(ana, 'restart', request)).status).toBe(200)
  expect(powers().map((one) => one.endsWith(request))).toEqual([true, true])
  expect(await acts()).toHaveLength(1)
})

test('a request_id stands for one action', async () => {
  const request = randomUUID()
  await ask(ana, 'restart', request)
  expect((await ask(ana, 'stop', request)).faults).toEqual(['409 server_power_reused'])
  expect(powers()).toHaveLength(1)
})

test.each([
  ['suspended', 'panel_suspended'],
  ['busy', 'server_busy'],
  ['not_possible', 'server_power_not_possible'],
  ['a word of its own', 'server_power_not_possible'],
])('an engine that refuses with %s is a 409', async (code, refusal) => {
  engine.powerAnswer = { state: 'refused', code }
  expect((await ask(ana, 'start')).faults).toEqual([`409 ${refusal}`])
  const left = await db.selectFrom('server_powers').select('id').where('resource_id', '=', id).execute()
  expect(left).toEqual([])
})

test('a suspended panel, and an engine that does not offer it, are not asked', async () => {
  await db.updateTable('panels').set({ status: 'suspended' }).where('id', '=', panelId()).execute()
  expect((await ask(ana, 'start')).faults).toEqual(['409 panel_suspended'])
  await db.updateTable('panels').set({ status: 'active' }).where('id', '=', panelId()).execute()
  await offering(['start'])
  expect((await ask(ana, 'restart')).faults).toEqual(['409 server_power_not_offered'])
  expect([powers(), await acts()]).toEqual([[], []])
})

test('guests need the access to accounts; strangers find nothing; staff have none', async () => {
  const guests = [
    await makeAccount(portal.pool, { projects: 0 }),
    await makeAccount(portal.pool, { projects: 0 }),
  ] as const
  const stranger = await makeAccount(portal.pool, { projects: 0 })
  await portal.share(ana, guests[0], { account_access: 'all' })
  await portal.share(ana, guests[1], { account_access: 'none' })
  expect((await ask(guests[0], 'restart')).status).toBe(200)
  expect((await ask(guests[1], 'restart')).faults).toEqual(['403 panel_accounts_not_allowed'])
  expect((await ask(stranger, 'restart')).status).toBe(404)
  const { admin } = await makeMember(portal.pool, 'admin')
  const asked = { action: 'restart', request_id: randomUUID() }
  expect((await portal.staff(admin).post(`/api/v1/servers/${id}/-actions/power`, asked)).status).toBe(404)
  expect((await portal.nobody.post(`/api/v1/servers/${id}/-actions/power`, asked)).status).toBe(401)
  expect(powers()).toHaveLength(1)
  const may = async (who: { readonly id: number }) =>
    (
      (await portal.as(who).get(`/api/v1/servers/${id}`)).json as {
        data: { meta: { may: { power: boolean } } }
      }
    ).data.meta.may.power
  expect([await may(ana), await may(guests[0]), await may(guests[1])]).toEqual([true, true, false])
  expect(await acts(guests[1])).toEqual([
    { kind: 'server-restarted', by: { kind: 'guest', name: null }, to: 'web-1' },
  ])
})

test.each([
  ['no action', { request_id: randomUUID() }],
  ['an action that there is not', { action: 'explode', request_id: randomUUID() }],
  ['no request_id', { action: 'stop' }],
  ['a request_id that is a path', { action: 'stop', request_id: '../../x' }],
])('%s is a 422', async (_what, body) => {
  expect((await portal.as(ana).post(`/api/v1/servers/${id}/-actions/power`, body)).status).toBe(422)
  expect(powers()).toEqual([])
})

test('requests are forgotten after thirty days', async () => {
  await ask(ana, 'restart')
  await forgetPowers(db, new Date(Date.now() + 29 * 86_400_000))
  const left = () => db.selectFrom('server_powers').select('id').where('resource_id', '=', id).execute()
  expect(await left()).toHaveLength(1)
  await forgetPowers(db, new Date(Date.now() + 31 * 86_400_000))
  expect(await left()).toEqual([])
})
