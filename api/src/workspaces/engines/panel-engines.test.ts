import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, server, TestEngine, testVault } from '#test/support/engine.ts'
import { requestDueSyncs } from '#workspaces/panel-requests.ts'
import { addPanel, removePanel, resumePanel, retryProvision, suspendPanel } from '#workspaces/panels.ts'
import {
  deletePanel,
  enforceSuspension,
  type Outside,
  provisionPanel,
  renamePanel,
  revokeAccess,
  syncPanel,
} from './panel-engines.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const owner = await makeAccount(pool, { projects: 1, panels: 0 })
const [project_id = 0] = owner.projects

let engine = new TestEngine()
const time = { now: new Date('2026-03-18T12:00:00Z') }
const outside = (): Outside => ({
  pool,
  clock: { now: () => time.now },
  vault: testVault,
  engines: only(engine),
})
const once = { last: false }
let named = 0

beforeEach(() => {
  engine = new TestEngine()
  time.now = new Date('2026-03-18T12:00:00Z')
})

const panelOf = (id: number) =>
  db.selectFrom('panels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function newPanel(): Promise<number> {
  const panel = { client_id: owner.id, project_id, name: `panel ${++named}`, plan_code: null }
  return (await db.transaction().execute((tx) => addPanel(tx, panel))).id
}

async function runningPanel(): Promise<number> {
  const id = await newPanel()
  await provisionPanel(outside(), id, once)
  return id
}

async function wishGone(id: number): Promise<void> {
  const row = await panelOf(id)
  await db.transaction().execute((tx) => removePanel({ tx }, row))
}

async function onlyTheseAreDue(ids: number[]): Promise<void> {
  const due = (at: string, these: 'in' | 'not in') =>
    db.updateTable('panels').set({ sync_due_at: at }).where('id', these, ids).execute()
  await due('2020-01-01T00:00:00Z', 'in')
  await due('2100-01-01T00:00:00Z', 'not in')
}

const jobsAreDone = () => sql`delete from graphile_worker._private_jobs`.execute(db)

async function waiting(id: number): Promise<string[]> {
  const { rows } = await sql<{ task: string }>`select t.identifier as task
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where (j.payload ->> 'panelId')::int8 = ${id}`.execute(db)
  return rows.map(({ task }) => task)
}

async function present(id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('panel_resources')
    .select(['external_id', 'status'])
    .where('panel_id', '=', id)
    .where('gone_at', 'is', null)
    .orderBy('external_id')
    .execute()
  return rows.map((row) => `${row.external_id} ${row.status}`)
}

test('provisions a panel once and reads what came with it', async () => {
  engine.resources = [server('a'), server('b')]
  const id = await newPanel()
  await provisionPanel(outside(), id, once)
  await provisionPanel(outside(), id, once)
  expect(await panelOf(id)).toMatchObject({ status: 'active', external_id: `t-${id}`, region: 'eu-test' })
  expect(await present(id)).toEqual(['a running', 'b running'])
  expect(engine.asked.filter((what) => what.startsWith('create'))).toEqual([`create ${id}`])
})

test('keeps provisioning while there are tries left, and shows the error after the last', async () => {
  const id = await newPanel()
  engine.failures.push(new Error('away'), new Error('away'))
  await expect(provisionPanel(outside(), id, { last: false })).rejects.toThrow('away')
  expect((await panelOf(id)).status).toBe('provisioning')
  await expect(provisionPanel(outside(), id, { last: true })).rejects.toThrow('away')
  expect((await panelOf(id)).status).toBe('error')
})

test('shows at once what the engine refuses, and does not ask again', async () => {
  const id = await newPanel()
  engine.refuses = 'no such plan'
  await expect(provisionPanel(outside(), id, once)).rejects.toThrow('no such plan')
  expect(await panelOf(id)).toMatchObject({ status: 'error', failed_step: 'provision' })
  await provisionPanel(outside(), id, once)
  expect(engine.asked).toEqual([`create ${id}`])
  await wishGone(id)
  await deletePanel(outside(), id, once)
  expect((await panelOf(id)).status).toBe('deleted')
})

test('a panel deleted while the engine makes it is deleted there too', async () => {
  const id = await newPanel()
  engine.meanwhile = () => wishGone(id)
  await provisionPanel(outside(), id, once)
  engine.meanwhile = async () => undefined
  expect(await panelOf(id)).toMatchObject({ status: 'deleting', external_id: `t-${id}` })
  await deletePanel(outside(), id, once)
  expect(await panelOf(id)).toMatchObject({
    status: 'deleted',
    deleted_at: time.now.toISOString().replace('.000Z', 'Z'),
  })
  expect(engine.asked.at(-1)).toBe(`delete ${id}`)
})

test('reading twice changes nothing, over several pages', async () => {
  engine.resources = ['a', 'b', 'c', 'd', 'e'].map((id) => server(id))
  engine.pageSize = 2
  const id = await runningPanel()
  const before = await db
    .selectFrom('panel_resources')
    .selectAll()
    .where('panel_id', '=', id)
    .orderBy('id')
    .execute()
  expect(before).toHaveLength(5)
  await syncPanel(outside(), id)
  const after = await db
    .selectFrom('panel_resources')
    .selectAll()
    .where('panel_id', '=', id)
    .orderBy('id')
    .execute()
  const still = (rows: typeof before) => rows.map(({ updated_at, ...rest }) => rest)
  expect(still(after)).toEqual(still(before))
})

test('an unreported resource is marked as gone, and comes back under its old id', async () => {
  engine.resources = [server('a'), server('b')]
  const id = await runningPanel()
  const ids = () =>
    db
      .selectFrom('panel_resources')
      .select(['id', 'external_id'])
      .where('panel_id', '=', id)
      .orderBy('id')
      .execute()
  const first = await ids()
  engine.resources = [server('b')]
  await syncPanel(outside(), id)
  expect(await present(id)).toEqual(['b running'])
  engine.resources = []
  await syncPanel(outside(), id)
  expect(await present(id)).toEqual([])
  engine.resources = [server('a'), server('b')]
  await syncPanel(outside(), id)
  expect(await present(id)).toEqual(['a running', 'b running'])
  expect(await ids()).toEqual(first)
})

test('a panel is degraded as long as one of its servers is', async () => {
  engine.resources = [server('a'), server('b', 'degraded')]
  const id = await runningPanel()
  expect((await panelOf(id)).status).toBe('degraded')
  engine.resources = [server('a'), server('b')]
  await syncPanel(outside(), id)
  expect((await panelOf(id)).status).toBe('active')
})

test('an answer that was overtaken by a newer reading is dropped', async () => {
  engine.resources = [server('a')]
  const id = await runningPanel()
  const slow = new TestEngine()
  slow.resources = [server('a', 'stopped')]
  slow.meanwhile = async () => {
    slow.meanwhile = async () => undefined
    time.now = new Date(time.now.getTime() + 1000)
    await syncPanel(outside(), id)
  }
  await syncPanel({ ...outside(), engines: only(slow) }, id)
  expect(await present(id)).toEqual(['a running'])
})

test('readings at the same time leave one row for each thing', async () => {
  engine.resources = [server('a'), server('b'), server('c')]
  const id = await runningPanel()
  await Promise.all(Array.from({ length: 8 }, () => syncPanel(outside(), id)))
  expect(await present(id)).toHaveLength(3)
})

test('a failed reading changes nothing', async () => {
  engine.resources = [server('a')]
  const id = await runningPanel()
  const before = await panelOf(id)
  engine.failures.push(new Error('away'))
  await expect(syncPanel(outside(), id)).rejects.toThrow('away')
  expect(await present(id)).toEqual(['a running'])
  expect(await panelOf(id)).toEqual(before)
})

test('reading a panel does not make it a changed one; a new state does', async () => {
  engine.resources = [server('a')]
  const id = await runningPanel()
  const { updated_at } = await panelOf(id)
  time.now = new Date(time.now.getTime() + 60_000)
  await syncPanel(outside(), id)
  expect(await panelOf(id)).toMatchObject({ updated_at, synced_at: '2026-03-18T12:01:00Z' })
  engine.resources = [server('a', 'error')]
  await syncPanel(outside(), id)
  expect((await panelOf(id)).updated_at).not.toBe(updated_at)
})

test('sends the engine the current name of the panel', async () => {
  const id = await runningPanel()
  await db.updateTable('panels').set({ name: 'second' }).where('id', '=', id).execute()
  await renamePanel(outside(), id)
  expect(engine.asked.at(-1)).toBe(`rename t-${id} second`)
})

test('a deletion that fails for good shows, and can be asked for again', async () => {
  const id = await runningPanel()
  await wishGone(id)
  engine.failures.push(new Error('away'))
  await expect(deletePanel(outside(), id, { last: true })).rejects.toThrow('away')
  expect((await panelOf(id)).status).toBe('error')
  await wishGone(id)
  await deletePanel(outside(), id, once)
  expect((await panelOf(id)).status).toBe('deleted')
  expect(await present(id)).toEqual([])
})

test('several processes that ask for what is due share it between them, once', async () => {
  const ids = await Promise.all([runningPanel(), runningPanel(), runningPanel()])
  await onlyTheseAreDue(ids)
  const asked = await Promise.all([1, 2, 3, 4].map(() => requestDueSyncs(db, time.now)))
  expect(asked.reduce((sum, each) => sum + each)).toBe(3)
  expect(await requestDueSyncs(db, time.now)).toBe(0)
})

test('engines that push changes are read every ten minutes, others every minute, failing ones never', async () => {
  const id = await runningPanel()
  const due = async (afterMs: number) => {
    await onlyTheseAreDue([id])
    await requestDueSyncs(db, time.now)
    return requestDueSyncs(db, new Date(time.now.getTime() + afterMs))
  }
  const engineIs = (more: object) => db.updateTable('panel_engines').set(more).execute()
  expect([await due(590_000), await due(601_000)]).toEqual([0, 1])
  const { capabilities } = await engine.health()
  await engineIs({ capabilities: JSON.stringify({ ...capabilities, events: false }) })
  expect([await due(59_000), await due(61_000)]).toEqual([0, 1])
  await engineIs({ capabilities: JSON.stringify({ ...capabilities, events: true }), health: 'down' })
  expect(await due(601_000)).toBe(0)
  await engineIs({ health: 'up' })
  expect(await due(601_000)).toBe(1)
})

test('an engine that says how often its panels are to be read is asked that often', async () => {
  const id = await runningPanel()
  await onlyTheseAreDue([id])
  await jobsAreDone()
  const { capabilities } = await engine.health()
  const say = (more: object) =>
    db
      .updateTable('panel_engines')
      .set({ capabilities: JSON.stringify({ ...capabilities, ...more }) })
      .execute()
  await say({ events: true, read_seconds: 300 })
  const due = (ms: number) => requestDueSyncs(db, new Date(time.now.getTime() + ms))
  expect([await due(0), await due(299_000), await due(300_000)]).toEqual([1, 0, 1])
  await say({})
})

test('a panel that its engine is still making is read until it is there', async () => {
  engine.status = 'provisioning'
  const id = await runningPanel()
  expect(await panelOf(id)).toMatchObject({ status: 'provisioning', external_id: `t-${id}` })
  await provisionPanel(outside(), id, once)
  expect(engine.asked.filter((what) => what.startsWith('create'))).toHaveLength(1)
  engine.status = 'active'
  engine.resources = [server('a')]
  time.now = new Date(time.now.getTime() + 60_000)
  await syncPanel(outside(), id)
  expect((await panelOf(id)).status).toBe('active')
  expect(await present(id)).toEqual(['a running'])
})

test('a deletion goes on until the engine says that the panel is gone', async () => {
  const id = await runningPanel()
  await wishGone(id)
  engine.deletesAtOnce = false
  await expect(deletePanel(outside(), id, once)).rejects.toThrow('not finished')
  expect((await panelOf(id)).status).toBe('deleting')
  engine.deletesAtOnce = true
  await deletePanel(outside(), id, once)
  expect((await panelOf(id)).status).toBe('deleted')
})

test('a panel that could not be made is tried again at once when a person asks', async () => {
  const id = await newPanel()
  engine.failures.push(new Error('away'))
  await expect(provisionPanel(outside(), id, { last: true })).rejects.toThrow('away')
  const failed = await panelOf(id)
  expect(failed).toMatchObject({ status: 'error', failed_step: 'provision' })
  await db.transaction().execute((tx) => retryProvision({ tx }, { row: failed }))
  expect(await panelOf(id)).toMatchObject({ status: 'provisioning', failed_step: null })
  await provisionPanel(outside(), id, once)
  const made = await panelOf(id)
  expect(made.status).toBe('active')
  await expect(retryProvision({ tx: db }, { row: made })).rejects.toMatchObject({ code: 'panel_not_failed' })
})

const suspend = (id: number) =>
  db.transaction().execute((tx) => suspendPanel({ tx, now: time.now }, id, 'unpaid'))
const resume = (id: number) => db.transaction().execute((tx) => resumePanel({ tx, now: time.now }, id))

test('a suspension applies at once, is sent to the engine, and ends when the engine confirms', async () => {
  engine.resources = [server('a')]
  const id = await runningPanel()
  await suspend(id)
  expect(await panelOf(id)).toMatchObject({ status: 'suspended', suspension_due: true })
  await enforceSuspension(outside(), id)
  await enforceSuspension(outside(), id)
  expect(engine.asked.filter((what) => what.startsWith('suspend'))).toEqual(
    Array(2).fill(`suspend t-${id} unpaid`),
  )
  expect(await panelOf(id)).toMatchObject({ status: 'suspended', suspension_due: false })
  await resume(id)
  expect((await panelOf(id)).status).toBe('suspended')
  await enforceSuspension(outside(), id)
  expect(await panelOf(id)).toMatchObject({ status: 'active', suspension_due: false })
})

test('of two wishes in a row the last one wins, in any order of calls to the engine', async () => {
  const id = await runningPanel()
  await suspend(id)
  engine.meanwhile = async () => {
    engine.meanwhile = async () => undefined
    await resume(id)
  }
  await enforceSuspension(outside(), id)
  expect(await panelOf(id)).toMatchObject({ suspended_at: null, suspension_due: true })
  await enforceSuspension(outside(), id)
  expect(await panelOf(id)).toMatchObject({ status: 'active', suspension_due: false })
  expect(engine.status).toBe('active')
})

test('a suspension that the engine lost or never received is sent again', async () => {
  const id = await runningPanel()
  await suspend(id)
  await enforceSuspension(outside(), id)
  engine.status = 'active'
  await jobsAreDone()
  time.now = new Date(time.now.getTime() + 60_000)
  await syncPanel(outside(), id)
  expect((await panelOf(id)).status).toBe('suspended')
  expect(await waiting(id)).toContain('panel.suspension')
})

test('an engine’s own report is shown: suspended, in error, or gone', async () => {
  const id = await runningPanel()
  const seen: string[] = []
  for (const status of ['suspended', 'error', 'degraded', 'deleted', 'active'] as const) {
    engine.status = status
    time.now = new Date(time.now.getTime() + 60_000)
    await syncPanel(outside(), id)
    seen.push((await panelOf(id)).status)
  }
  expect(seen).toEqual(['suspended', 'error', 'degraded', 'error', 'active'])
  expect(await waiting(id)).not.toContain('panel.suspension')
})

test('ends what a person has open in a panel', async () => {
  const id = await runningPanel()
  await revokeAccess(outside(), id, 77)
  expect(engine.asked.at(-1)).toBe(`revoke t-${id} client-77`)
})

test('a disabled engine is asked nothing', async () => {
  const id = await newPanel()
  const disable = (disabled_at: string | null) =>
    db.updateTable('panel_engines').set({ disabled_at }).execute()
  await disable('2026-01-01T00:00:00Z')
  await expect(provisionPanel(outside(), id, once)).rejects.toThrow('disabled')
  expect(engine.asked).toEqual([])
  await disable(null)
})
