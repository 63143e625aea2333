import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { deposit } from '#money/ledger/deposits.ts'
import { systemClock } from '#platform/clock.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { keyed } from '#test/support/card.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeMember } from '#test/support/staff.ts'
import { enforceSuspension } from '#workspaces/engines/panel-engines.ts'
import { ensureBuiltInSecret } from '#workspaces/engines/registry.ts'

const portal = await testPortal({ poolSize: 8 })
const { pool } = portal
const db = pool.kysely
const engine = new TestEngine()
await ensureBuiltInSecret({ db, vault: testVault })
const member = async (role: 'support' | 'admin') => portal.staff((await makeMember(pool, role)).admin)
const support = await member('support')
const admin = await member('admin')
const chief = await member('admin')

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const reason = 'It sent spam – 4 000 letters'
const act = (by: Visitor, { id }: Account, verb: string, body: object = {}) =>
  by.call('POST', `${base}/desk-clients/${id}/-actions/${verb}`, {
    body,
    headers: { 'portico-reason': encodeURIComponent(reason) },
  })
const ask = (by: Visitor, { id }: Account, verb: string, input: object) =>
  keyed(by, `${base}/desk-requests/-actions/ask`, { data: { verb, ref: String(id), input } })
const stopAll = (ana: Account, more: object = {}, by = support) =>
  act(by, ana, 'suspendClient', { kind: 'abuse', ...more })
const causes = async ({ id }: Account) => {
  const { rows } = await sql<{ cause: string | null; status: string }>`select suspend_reason as cause, status
    from panels where client_id = ${id} and deleted_at is null order by id`.execute(db)
  return rows.map(({ cause, status }) => `${status} ${cause}`)
}
const addPanel = (by: Visitor, ana: Account, name: string) =>
  by.post(`${base}/panels`, {
    data: {
      type: 'panels',
      attributes: { name },
      relationships: { project: { data: { type: 'projects', id: String(ana.projects[0]) } } },
    },
  })
const shown = async ({ id }: Account) => (await support.get(`${base}/desk-clients/${id}`)).one.attributes

test('all panels of a client stop at once with one letter, none is added meanwhile, and all run again', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 3 })
  const owner = portal.as(ana)
  expect((await stopAll(ana)).json).toEqual({ panels: 3 })
  expect(await causes(ana)).toEqual(Array(3).fill('suspended abuse'))
  expect((await shown(ana))?.stopped_at).toEqual(expect.any(String))
  const letters = await lettersTo(pool, ana.email)
  expect(letters).toMatchObject([{ kind: 'panels-stopped', reason }])
  expect(Object(letters[0]).panels).toHaveLength(3)
  for (const panel of ana.panels) {
    expect((await owner.post(`${base}/panels/${panel}/-actions/connect`, {})).faults).toEqual([
      '409 panel_suspended',
    ])
    await enforceSuspension({ pool, clock: systemClock, vault: testVault, engines: only(engine) }, panel)
  }
  expect(engine.asked.filter((asked) => asked.startsWith('suspend'))).toHaveLength(3)
  expect((await addPanel(owner, ana, 'another')).faults).toEqual(['423 account_stopped'])

  // A repetition moves nothing and writes nothing.
  expect((await stopAll(ana)).json).toEqual({ panels: 0 })
  expect(await lettersTo(pool, ana.email)).toHaveLength(1)

  expect((await act(support, ana, 'resumeClient')).json).toEqual({ panels: 3 })
  expect((await act(support, ana, 'resumeClient')).json).toEqual({ panels: 0 })
  expect((await shown(ana))?.stopped_at).toBeNull()
  expect((await causes(ana)).map((one) => one.split(' ')[1])).toEqual(Array(3).fill('null'))
  expect((await addPanel(owner, ana, 'another')).status).toBe(201)
})

test('a stop of a client keeps earlier causes, replaces a debt, and a payment does not end it', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 2 })
  const [first = 0, second = 0] = ana.panels
  await act(support, ana, 'suspendPanel', { panel_id: first, kind: 'fraud' })
  await sql`update panels set status = 'suspended', suspended_at = now(), suspend_reason = 'unpaid'
    where id = ${second}`.execute(db)
  expect((await stopAll(ana, { kind: 'order' })).json).toEqual({ panels: 1 })
  expect(await causes(ana)).toEqual(['suspended fraud', 'suspended order'])
  // Of an order the client reads nothing unless staff say so.
  expect((await lettersTo(pool, ana.email)).map(({ kind }) => kind)).toEqual(['panel-stopped'])
  await db
    .transaction()
    .execute((tx) =>
      deposit(tx, { key: `paid:${ana.id}`, clientId: ana.id, currency: 'USD', means: 'bank', net: '60' }),
    )
  expect(await causes(ana)).toEqual(['suspended fraud', 'suspended order'])
  expect((await act(support, ana, 'resumeClient')).json).toEqual({ panels: 2 })
})

test('a panel that is added while its client is stopped is stopped too or refused', async () => {
  for (let round = 0; round < 6; round++) {
    const ana = await makeAccount(pool, { projects: 1, panels: 1 })
    const [added, stopped] = await Promise.all([
      addPanel(portal.as(ana), ana, 'late'),
      stopAll(ana, {}, admin),
    ])
    if (stopped.status === 403) break // Ten stops of one person in an hour.
    expect(stopped.status).toBe(200)
    const all = await causes(ana)
    expect(all).toHaveLength(added.status === 201 ? 2 : 1)
    for (const one of all) expect(one).toMatch(/ abuse$/)
  }
})

test('the stop of a client counts among the ten of an hour, and a second person approves more', async () => {
  const hurried = await member('support')
  const ana = await makeAccount(pool, { projects: 1, panels: 1 })
  for (let one = 0; one < 10; one++) expect((await stopAll(ana, {}, hurried)).status).toBe(200)
  expect((await stopAll(ana, {}, hurried)).faults).toEqual(['403 second_person_required'])
  const asked = await ask(hurried, ana, 'suspendClient', { kind: 'abuse' })
  const { request_id } = asked.json as { request_id: number }
  const approved = await chief.post(`${base}/desk-requests/${request_id}/-actions/approve`, { data: {} })
  expect(approved.json).toEqual({ state: 'approved' })
})

test('all panels are deleted by two persons, only while each is suspended, under the address of the account', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 2 })
  const wish = (email = ana.email) => ask(admin, ana, 'terminateClient', { email })
  expect((await act(admin, ana, 'terminateClient', { email: ana.email })).faults).toEqual([
    '403 second_person_required',
  ])
  expect((await ask(support, ana, 'terminateClient', { email: ana.email })).status).toBe(403)
  await act(chief, ana, 'suspendPanel', { panel_id: ana.panels[0], kind: 'abuse' })
  expect((await wish()).faults).toEqual(['409 client_panels_running'])
  await stopAll(ana, {}, chief)
  expect((await wish('other@example.com')).errors[0]?.code).toBe('client_email_differs')
  await sql`update panels set suspend_reason = 'unpaid' where id = ${ana.panels[1]}`.execute(db)
  expect((await wish()).faults).toEqual(['409 panel_notices_missing'])
  await sql`update panels set suspend_reason = 'abuse' where id = ${ana.panels[1]}`.execute(db)
  const asked = await wish(ana.email.toUpperCase())
  const { request_id } = asked.json as { request_id: number }
  const approved = await chief.post(`${base}/desk-requests/${request_id}/-actions/approve`, { data: {} })
  expect(approved.json).toEqual({ state: 'approved' })
  expect((await causes(ana)).map((one) => one.split(' ')[0])).toEqual(['deleting', 'deleting'])
  expect((await lettersTo(pool, ana.email)).at(-1)).toMatchObject({ kind: 'panels-terminated' })
  expect((await wish()).faults).toEqual(['409 client_without_panels'])
})

test('the engine is asked again for what it failed to do, and read when staff want it', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 1 })
  const panel_id = ana.panels[0]
  const retry = () => act(support, ana, 'retryPanel', { panel_id })
  expect((await retry()).faults).toEqual(['409 panel_not_failed'])
  const failed = (step: string) =>
    sql`update panels set status = 'error', failed_step = ${step}, external_id = null where id = ${panel_id}`.execute(
      db,
    )
  await failed('provision')
  await sql`update clients set stopped_at = now() where id = ${ana.id}`.execute(db)
  expect((await retry()).faults).toEqual(['423 account_stopped'])
  await sql`update clients set stopped_at = null where id = ${ana.id}`.execute(db)
  expect((await retry()).json).toEqual({ status: 'provisioning' })
  expect((await act(support, ana, 'syncPanel', { panel_id })).faults).toEqual(['409 panel_not_ready'])
  await failed('delete')
  expect((await retry()).json).toEqual({ status: 'deleting' })
  const bob = await makeAccount(pool, { projects: 1, panels: 1 })
  const strange = await act(support, bob, 'syncPanel', { panel_id })
  expect(strange.faults).toEqual(['422 client_panel_unknown /panel_id'])
  await sql`update panels set external_id = 'x-' || id where id = ${bob.panels[0]}`.execute(db)
  expect((await act(support, bob, 'syncPanel', { panel_id: bob.panels[0] })).status).toBe(200)
})
