import { beforeEach, expect, test } from 'vitest'
import { makeAccount } from '../../test/support/account.ts'
import { testDatabase } from '../../test/support/database.ts'
import { server, TestEngine } from '../../test/support/engine.ts'
import { deletePanel, type Outside, provisionPanel, renamePanel, syncPanel } from './panel-engines.ts'
import { addPanel, removePanel, requestDueSyncs } from './panels.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const owner = await makeAccount(pool, { projects: 1, panels: 0 })
const [project_id = 0] = owner.projects

let engine = new TestEngine()
const time = { now: new Date('2026-03-18T12:00:00Z') }
const outside = (): Outside => ({ pool, clock: { now: () => time.now }, engines: { simulated: engine } })
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
  expect((await panelOf(id)).status).toBe('error')
  await provisionPanel(outside(), id, once)
  expect(engine.asked).toEqual([`create ${id}`])
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

test('reading twice changes nothing, whatever the pages', async () => {
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

test('what the engine no longer reports is gone, and comes back under its old id', async () => {
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
  await syncPanel({ ...outside(), engines: { simulated: slow } }, id)
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

test('tells the engine the name the panel has by then', async () => {
  const id = await runningPanel()
  await db.updateTable('panels').set({ name: 'second' }).where('id', '=', id).execute()
  await renamePanel(outside(), id)
  expect(engine.asked.at(-1)).toBe(`rename ${id} second`)
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
  await db.updateTable('panels').set({ sync_due_at: '2020-01-01T00:00:00Z' }).where('id', 'in', ids).execute()
  await db
    .updateTable('panels')
    .set({ sync_due_at: '2100-01-01T00:00:00Z' })
    .where('id', 'not in', ids)
    .execute()
  const asked = await Promise.all([1, 2, 3, 4].map(() => requestDueSyncs(db, time.now)))
  expect(asked.reduce((sum, each) => sum + each)).toBe(3)
  expect(await requestDueSyncs(db, time.now)).toBe(0)
  expect(await requestDueSyncs(db, new Date(time.now.getTime() + 46_000))).toBe(3)
})
