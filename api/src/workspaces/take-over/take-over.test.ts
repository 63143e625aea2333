import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { makeConfirmedAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { testVault } from '#test/support/engine.ts'
import { runPanelJobs } from '#test/support/panel-jobs.ts'
import { makeMember } from '#test/support/staff.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import type { PanelEngine } from '#workspaces/engines/panel-engine.ts'
import { SimulatedEngine } from '#workspaces/engines/simulated/engine.ts'
import { accountsOf, proposalsFor } from './proposals.ts'
import { asStaff } from './staff-write.ts'
import { type At, takenFrom, takeOver, unclearOf, undoTakeOver } from './take-over.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { admin } = await makeMember(pool, 'admin')
const by = { admin, reason: 'Moving in', run: 'test' }

let engine = new SimulatedEngine(systemClock, '')
const calls: string[] = []
const faults = { lost: 0 }

/** The engine, with every call about making, restarting and linking written down. */
const watched = (): PanelEngine =>
  new Proxy(engine, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return Reflect.get(target, name, receiver)
      return async (...given: unknown[]) => {
        calls.push(String(name))
        const answer: unknown = await value.apply(target, given)
        if (name === 'adoptPanel' && faults.lost-- > 0) throw new Error('The answer was lost.')
        return answer
      }
    },
  })
const outside = () => ({
  pool,
  clock: systemClock,
  vault: testVault,
  engines: { open: watched },
})

async function at() {
  const access = await engineAccess({ db, vault: testVault }, { code: 'simulated' })
  if (!access) throw new Error('The simulated engine is missing.')
  return asStaff({ pool, clock: systemClock, access, engine: watched() }, by)
}
const link = async (to: At, proposals: Awaited<ReturnType<typeof proposed>>) =>
  takeOver(to, proposals, await unclearOf(db, to.access.id))
const undo = async (to: At) => undoTakeOver(to, await takenFrom(db, to.access.id))

const proposed = async () => proposalsFor(db, await accountsOf(watched()))
const panelsOf = (client: number) =>
  db
    .selectFrom('panels')
    .selectAll()
    .where('client_id', '=', client)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()

let named = 0
const accountId = () => `sim-${9_000_000 + ++named}-web-3`
const add = (email: string | null, more: { domain?: string; name?: string } = {}) => {
  const id = accountId()
  engine.accounts.add(id, { name: 'shop', owner: { name: 'Somebody', email }, ...more })
  return id
}

beforeEach(() => {
  engine = new SimulatedEngine(systemClock, '')
  calls.length = 0
  faults.lost = 0
})

/** Since when each server of an account runs. */
async function startsOf(id: string): Promise<string> {
  const { items } = await engine.listResources(id, 'server')
  return items.map(({ spec }) => spec.up_since).join()
}

test('an account is proposed to the one client of its address, else of its domain, and to nobody when several fit', async () => {
  const [ana, mihai] = [
    await makeConfirmedAccount(pool, { projects: 1, panels: 0 }),
    await makeConfirmedAccount(pool, { projects: 1, panels: 0 }),
  ]
  // Another with an address at the same domain as Ana's.
  await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  const set = (id: number, more: object) => db.updateTable('clients').set(more).where('id', '=', id).execute()
  await set(mihai.id, { email: 'office@mihai.example' })
  // Whoever typed these has not shown that they are theirs.
  const mallory = await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  const typed = { email: 'owner@shop.example', company_url: 'https://blog.example' }
  await set(mallory.id, { ...typed, email_verified_at: null })
  const ids = {
    mail: add(ana.email.toUpperCase()),
    domain: add('nobody@elsewhere.example', { domain: 'www.mihai.example' }),
    // Everybody of this file has an address at example.com.
    several: add(null, { domain: 'example.com' }),
    none: add('nobody@elsewhere.example'),
    unconfirmed: add('owner@shop.example', { domain: 'shop.example' }),
    website: add(null, { domain: 'blog.example' }),
  }
  const matches = new Map((await proposed()).map((one) => [one.account.id, one]))
  expect(matches.get(ids.mail)?.match).toMatchObject({ client: ana.id, by: 'mail' })
  expect(matches.get(ids.domain)?.match).toMatchObject({ client: mihai.id, by: 'domain' })
  expect(matches.get(ids.several)?.match).toBeUndefined()
  expect(matches.get(ids.several)?.candidates).toBeGreaterThan(1)
  for (const id of [ids.unconfirmed, ids.website])
    expect(matches.get(id)).toMatchObject({ match: undefined, candidates: 0 })
  expect(matches.get(ids.none)).toMatchObject({ match: undefined, candidates: 0 })
  expect(calls.filter((name) => name !== 'listPanels')).toEqual([])
})

test('staff and closed accounts are proposed nothing', async () => {
  const member = await makeMember(pool, 'support')
  const closed = await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  await db.updateTable('clients').set({ status: 4 }).where('id', '=', closed.id).execute()
  add(member.email)
  add(closed.email)
  expect((await proposed()).map(({ match }) => match)).toEqual([undefined, undefined])
})

test('of 500 accounts all are matched and linked, none is made or restarted, and undoing restores all', async () => {
  const clients = await Promise.all(
    Array.from({ length: 10 }, () => makeConfirmedAccount(pool, { projects: 1, panels: 0 })),
  )
  const ids = Array.from({ length: 500 }, (_, n) =>
    add(clients[n % 10]?.email ?? null, { name: `site ${n}` }),
  )
  const before = await Promise.all(ids.map(startsOf))
  const proposals = await proposed()
  expect(proposals.filter(({ match }) => match?.by === 'mail')).toHaveLength(500)
  const outcomes = await link(await at(), proposals)
  expect([outcomes.size, new Set(outcomes.values())]).toEqual([500, new Set(['adopted'])])
  await runPanelJobs(outside())
  expect(
    calls.filter((name) => ['createPanel', 'powerServer', 'suspendPanel', 'deletePanel'].includes(name)),
  ).toEqual([])
  expect(await Promise.all(ids.map(startsOf))).toEqual(before)
  for (const { id } of clients) {
    const panels = await panelsOf(id)
    expect(panels).toHaveLength(50)
    expect(
      panels.every(({ status, synced_at }) => ['active', 'degraded'].includes(status) && synced_at),
    ).toBe(true)
  }
  expect(await proposed()).toEqual([])
  expect(await undo(await at())).toEqual({ released: 500, left: 0 })
  for (const { id } of clients) expect(await panelsOf(id)).toEqual([])
  expect(await Promise.all(ids.map(startsOf))).toEqual(before)
  expect(calls).not.toContain('deletePanel')
  expect((await proposed()).filter(({ match }) => match)).toHaveLength(500)
}, 300_000)

test('each panel that staff link or release is in their log, with the reason and what changed', async () => {
  const ana = await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  const id = add(ana.email)
  await link(await at(), await proposed())
  const [panel] = await panelsOf(ana.id)
  expect(panel).toMatchObject({ external_id: id, name: 'shop', plan_code: 'web-3' })
  await undo(await at())
  const rows = await db
    .selectFrom('staff_actions')
    .select(['admin_id', 'verb', 'reason'])
    .where('client_id', '=', ana.id)
    .orderBy('id')
    .execute()
  expect(rows).toEqual(
    ['adopt', 'adopted', 'released'].map((verb) => ({ admin_id: admin, verb, reason: 'Moving in' })),
  )
  const { rows: changed } = await sql<{
    many: number
  }>`select count(*)::int as many from staff_action_changes c
    join staff_actions a on a.id = c.action_id where a.client_id = ${ana.id} and c.table_name = 'panels'`.execute(
    db,
  )
  expect(changed[0]?.many).toBeGreaterThanOrEqual(3)
})

test('an adoption whose answer was lost is asked again by the next run, and makes no second panel', async () => {
  const ana = await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  const id = add(ana.email)
  faults.lost = 1
  expect(await link(await at(), await proposed())).toEqual(new Map([[id, 'unclear']]))
  expect(await panelsOf(ana.id)).toMatchObject([{ external_id: null, status: 'provisioning' }])
  expect(await link(await at(), await proposed())).toEqual(new Map([[id, 'adopted']]))
  expect(await panelsOf(ana.id)).toMatchObject([{ external_id: id, status: 'active' }])
  expect(calls).not.toContain('createPanel')
  expect(await undo(await at())).toEqual({ released: 1, left: 0 })
})

test('an account that has an owner by then is refused, and leaves no panel', async () => {
  const ana = await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  const id = add(ana.email)
  const proposals = await proposed()
  engine.accounts.adopt(id, 77)
  expect(await link(await at(), proposals)).toEqual(new Map([[id, 'refused']]))
  expect(await panelsOf(ana.id)).toEqual([])
})

test('two accounts of one name are two panels, and an engine that cannot be asked leaves everything as it is', async () => {
  const ana = await makeConfirmedAccount(pool, { projects: 1, panels: 0 })
  const ids = [add(ana.email), add(ana.email)]
  await link(await at(), await proposed())
  expect((await panelsOf(ana.id)).map(({ name }) => name)).toEqual(['shop', 'shop (2)'])
  engine.faults.failing = 1
  expect(await undo(await at())).toEqual({ released: 1, left: 1 })
  expect((await panelsOf(ana.id)).map(({ external_id }) => external_id)).toEqual([ids[0]])
})
