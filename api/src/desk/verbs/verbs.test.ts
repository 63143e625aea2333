import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createAccount } from '#identity/accounts.ts'
import { evaluateOne } from '#money/balance/balances.ts'
import { deposit } from '#money/ledger/deposits.ts'
import { systemClock } from '#platform/clock.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { only, TestEngine } from '#test/support/engine.ts'
import { lettersTo, testVault } from '#test/support/mail.ts'
import { makePlans } from '#test/support/plans.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { custom, entry } from '#test/support/share.ts'
import { makeMember } from '#test/support/staff.ts'
import { makeAdmin } from '#test/support/ticket.ts'
import { enforceSuspension } from '#workspaces/engines/panel-engines.ts'
import { ensureBuiltInSecret } from '#workspaces/engines/registry.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const engine = new TestEngine()
const outside = { pool, clock: systemClock, vault: testVault, engines: only(engine) }
await ensureBuiltInSecret({ db, vault: testVault })
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, portal.staff(await makeAdmin(pool, role))])),
) as Record<(typeof roles)[number], Visitor>

afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

const reason = 'It sent spam – 4 000 letters'
const act = (by: Visitor, client: { readonly id: number }, verb: string, body: object = {}) =>
  by.call('POST', `${base}/desk-clients/${client.id}/-actions/${verb}`, {
    body,
    headers: { 'portico-reason': encodeURIComponent(reason) },
  })
const first = ({ panels: [panel = 0] }: Account) => panel
const stop = (ana: Account, more: object = {}, by = staff.support) =>
  act(by, ana, 'suspendPanel', { panel_id: first(ana), kind: 'abuse', ...more })
const resume = (ana: Account) => act(staff.support, ana, 'resumePanel', { panel_id: first(ana) })
const panelOf = async (ana: Account) =>
  db
    .selectFrom('panels')
    .select(['status', 'suspend_reason'])
    .where('id', '=', first(ana))
    .executeTakeFirstOrThrow()
/** An account with a sign-in, whose log is kept. */
async function makePerson(): Promise<Account> {
  const ana = await makeAccount(pool, { projects: 1, panels: 1 })
  await db.transaction().execute(async (tx) => {
    const account = { email: ana.email, passwordHash: null, verifiedAt: new Date() }
    const auth_id = await createAccount(tx, account)
    await tx.updateTable('clients').set({ auth_id }).where('id', '=', ana.id).execute()
  })
  return ana
}
const owing = () =>
  makeAccount(pool, { projects: 1, panels: 1, opening: { balance: '-60', credit: '0', on: '2026-01-01' } })

test('each verb is open to its roles, and to nobody else', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 1 })
  const of: Record<string, readonly string[]> = {
    suspendPanel: ['support', 'admin'],
    resumePanel: ['support', 'admin'],
    block: ['admin'],
    unblock: ['admin'],
    holdDunning: ['billing', 'admin'],
    endHold: ['billing', 'admin'],
  }
  for (const [verb, allowed] of Object.entries(of)) {
    // The input is wrong for each verb, so those who may use it get a refusal of the input.
    const answers = await Promise.all(
      roles.map(async (role) => (await act(staff[role], ana, verb, { nothing: 1 })).status),
    )
    expect([verb, answers]).toEqual([verb, roles.map((role) => (allowed.includes(role) ? 422 : 403))])
    expect((await act(portal.as(ana), ana, verb)).status).toBe(404)
    expect((await act(portal.nobody, ana, verb)).status).toBe(404)
  }
})

test('a panel that staff stop is closed at once, stopped by its engine, and explained to its owner', async () => {
  const ana = await makePerson()
  expect((await stop(ana)).json).toEqual({ status: 'suspended' })
  expect((await portal.as(ana).post(`${base}/panels/${first(ana)}/-actions/connect`, {})).faults).toEqual([
    '409 panel_suspended',
  ])
  await enforceSuspension(outside, first(ana))
  expect(engine.asked.at(-1)).toContain('suspend')
  expect(engine.asked.at(-1)).toContain('abuse')
  expect(await lettersTo(pool, ana.email)).toMatchObject([{ kind: 'panel-stopped', reason }])
  const { json } = await portal.as(ana).get(`${base}/panels/${first(ana)}/-actions/activity`)
  expect((json as { acts: object[] }).acts[0]).toMatchObject({
    kind: 'panel-stopped',
    by: { kind: 'support', name: null },
    to: reason,
  })
  expect((await stop(ana)).faults).toEqual(['409 panel_stopped'])

  expect((await resume(ana)).status).toBe(200)
  await enforceSuspension(outside, first(ana))
  expect((await panelOf(ana)).status).toBe('active')
  expect((await resume(ana)).faults).toEqual(['409 panel_not_stopped'])
})

test('an order is not explained unless staff say so, and a guest reads no reason', async () => {
  const ana = await makePerson()
  const guest = await makeAccount(pool, { projects: 1, panels: 0 })
  await portal.share(ana, guest, custom(entry(ana.projects[0] ?? 0, { access_type: 'all' })))
  const acts = async (who: Account) =>
    (await portal.as(who).get(`${base}/panels/${first(ana)}/-actions/activity`)).json as { acts: object[] }
  await stop(ana, { kind: 'order' })
  expect(await lettersTo(pool, ana.email)).toEqual([])
  expect((await acts(ana)).acts[0]).toMatchObject({ kind: 'panel-stopped', to: null })
  await resume(ana)
  await stop(ana, { kind: 'order', letter: true })
  expect(await lettersTo(pool, ana.email)).toMatchObject([{ kind: 'panel-stopped', reason }])
  expect((await acts(ana)).acts[0]).toMatchObject({ to: reason })
  expect((await acts(guest)).acts[0]).toMatchObject({ kind: 'panel-stopped', to: null })
})

test('a payment does not resume a panel that staff stopped, whichever stop came first', async () => {
  const pay = (ana: Account) =>
    db
      .transaction()
      .execute((tx) =>
        deposit(tx, { key: `paid:${ana.id}`, clientId: ana.id, currency: 'USD', means: 'bank', net: '60' }),
      )
  const late = await owing()
  await evaluateOne(outside, late.id)
  expect(await panelOf(late)).toEqual({ status: 'suspended', suspend_reason: 'unpaid' })
  await stop(late)
  const early = await owing()
  await stop(early)
  await evaluateOne(outside, early.id)
  for (const ana of [late, early]) {
    await pay(ana)
    await evaluateOne(outside, ana.id)
    expect(await panelOf(ana)).toEqual({ status: 'suspended', suspend_reason: 'abuse' })
    await resume(ana)
    expect((await panelOf(ana)).suspend_reason).toBeNull()
  }
})

test('a stop that ends while the account owes leaves the panel suspended for the debt', async () => {
  const ana = await owing()
  await stop(ana)
  await evaluateOne(outside, ana.id)
  expect((await resume(ana)).json).toEqual({ status: 'suspended' })
  expect(await panelOf(ana)).toEqual({ status: 'suspended', suspend_reason: 'unpaid' })
  expect((await resume(ana)).faults).toEqual(['409 panel_not_stopped'])
})

test('panels of others, deleted ones, absent kinds and old sign-ins are refused', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 1 })
  const bob = await makeAccount(pool, { projects: 1, panels: 1 })
  expect((await stop(ana, { panel_id: first(bob) })).faults).toEqual(['422 client_panel_unknown /panel_id'])
  expect((await stop(ana, { kind: 'unpaid' })).status).toBe(422)
  await sql`update panels set status = 'deleting' where id = ${first(ana)}`.execute(db)
  expect((await stop(ana)).faults).toEqual(['403 panel_deleting'])
  expect(await panelOf(bob)).toEqual({ status: 'active', suspend_reason: null })
})

test('a blocked client is out at the next request, their panels stop and cost nothing, and all of it comes back', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 2 })
  const { standard: plan = 0 } = await makePlans(db, { standard: '8.00' })
  await sql`update panels set plan_id = ${plan} where client_id = ${ana.id}`.execute(db)
  // One was stopped for another cause before, and stays so.
  await stop(ana)
  const charged = async () =>
    (
      await sql<{ charged: boolean }>`select h.charged from panel_plans h join panels p on p.id = h.panel_id
        where p.client_id = ${ana.id} and upper_inf(h.during) order by p.id`.execute(db)
    ).rows.map((row) => row.charged)
  expect((await act(staff.admin, ana, 'block')).json).toEqual({ status: 0 })
  expect(await lettersTo(pool, ana.email)).toMatchObject([
    { kind: 'panel-stopped' },
    { kind: 'account-blocked', reason },
  ])
  const causes = async () =>
    (
      await db
        .selectFrom('panels')
        .select('suspend_reason')
        .where('client_id', '=', ana.id)
        .orderBy('id')
        .execute()
    ).map(({ suspend_reason }) => suspend_reason)
  expect(await causes()).toEqual(['abuse', 'blocked'])
  expect((await charged())[1]).toBe(false)
  expect((await act(staff.admin, ana, 'block')).faults).toEqual(['409 client_not_active'])

  expect((await act(staff.admin, ana, 'unblock')).json).toEqual({ status: 1 })
  expect(await causes()).toEqual(['abuse', null])
  for (const panel of ana.panels) await enforceSuspension(outside, panel)
  expect(await charged()).toEqual([expect.any(Boolean), true])
  expect((await act(staff.admin, ana, 'unblock')).faults).toEqual(['409 client_not_blocked'])
})

test('plans of panels that were suspended before the block cost nothing either', async () => {
  const ana = await owing()
  const { quiet: plan = 0 } = await makePlans(db, { quiet: '8.00' })
  await sql`update panels set plan_id = ${plan} where client_id = ${ana.id}`.execute(db)
  await sql`update billing_policies set suspended_fee = 'goes_on'`.execute(db)
  await evaluateOne(outside, ana.id)
  const charged = async () =>
    (
      await sql<{ charged: boolean }>`select charged from panel_plans
        where panel_id = ${first(ana)} and upper_inf(during)`.execute(db)
    ).rows.map((row) => row.charged)
  expect(await charged()).toEqual([true])
  await act(staff.admin, ana, 'block')
  expect(await charged()).toEqual([false])
})

test('what is stopped or released while its client is blocked waits for the end of the block', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 1 })
  await act(staff.admin, ana, 'block')
  expect((await resume(ana)).faults).toEqual(['409 panel_not_stopped'])
  await stop(ana, { kind: 'fraud' })
  expect((await resume(ana)).json).toEqual({ status: 'suspended' })
  expect((await panelOf(ana)).suspend_reason).toBe('blocked')
  await act(staff.admin, ana, 'unblock')
  expect((await panelOf(ana)).suspend_reason).toBeNull()
})

test('a block ends what guests reach in the account, and the sessions of its owner', async () => {
  const ana = await makePerson()
  const guest = await makeAccount(pool, { projects: 1, panels: 0 })
  await portal.share(ana, guest, { add_panels: 'allowed' })
  const seen = async () => (await portal.as(guest).get(`${base}/panels/${first(ana)}`)).status
  const { auth_id } = await db
    .selectFrom('clients')
    .select('auth_id')
    .where('id', '=', ana.id)
    .executeTakeFirstOrThrow()
  await sql`insert into auth_sessions (id, account_id, amr, created_at, authenticated_at, last_seen_at, idle_expires_at, expires_at)
    values (gen_random_uuid(), ${auth_id}, '{pwd}', now(), now(), now(), now() + interval '1 day', now() + interval '1 day')`.execute(
    db,
  )
  expect(await seen()).toBe(200)
  await act(staff.admin, ana, 'block')
  expect(await seen()).toBe(404)
  const sessions = await db
    .selectFrom('auth_sessions')
    .select('revoke_reason')
    .where('account_id', '=', auth_id)
    .execute()
  expect(sessions).toEqual([{ revoke_reason: 'account-blocked' }])
})

test('dunning is held until a day within the next ninety, and the hold ends', async () => {
  const ana = await owing()
  const { rows } = await sql<{ day: string }>`
    select (clock_today() + n)::text as day from unnest(array[0, 90, 91, -1]) with ordinality u (n, place)
    order by place`.execute(db)
  const [today, last, beyond, before] = rows.map(({ day }) => day)
  for (const until of [beyond, before])
    expect((await act(staff.billing, ana, 'holdDunning', { until })).faults).toEqual([
      '422 hold_out_of_range /until',
    ])
  for (const until of [today, last])
    expect((await act(staff.billing, ana, 'holdDunning', { until })).json).toEqual({
      dunning_hold_until: until,
    })
  await evaluateOne(outside, ana.id)
  expect((await panelOf(ana)).status).toBe('active')
  expect((await act(staff.billing, ana, 'endHold')).json).toEqual({ dunning_hold_until: null })
  await evaluateOne(outside, ana.id)
  expect((await panelOf(ana)).status).toBe('suspended')
})

test('each verb is in the log of its client, with the reason and what it changed', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 1 })
  await stop(ana)
  const { list } = await staff.admin.get(`${base}/staff-actions?filter[client_id]=${ana.id}`)
  expect(list[0]?.attributes).toMatchObject({ verb: 'suspendPanel', resource_type: 'desk-clients', reason })
  expect(JSON.stringify(list[0]?.attributes?.changes)).toContain('abuse')
  const unsaid = await staff.support.call('POST', `${base}/desk-clients/${ana.id}/-actions/resumePanel`, {
    body: { panel_id: first(ana) },
    headers: { 'portico-reason': '' },
  })
  expect(unsaid.faults).toEqual(['422 staff_reason_required Portico-Reason'])
})

test('one person stops ten panels in an hour; a second one approves further stops', async () => {
  const { admin: id } = await makeMember(pool, 'support')
  const { admin: chief } = await makeMember(pool, 'admin')
  const hurried = portal.staff(id)
  const ana = await makeAccount(pool, { projects: 1, panels: 12 })
  const stopOne = (panel_id: number) => act(hurried, ana, 'suspendPanel', { panel_id, kind: 'abuse' })
  const answers = await Promise.all(ana.panels.slice(0, 11).map(stopOne))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(200), 403])
  expect(answers.flatMap(({ faults }) => faults)).toEqual(['403 second_person_required'])
  const last = ana.panels[11] ?? 0
  const asked = await hurried.call('POST', `${base}/desk-requests/-actions/ask`, {
    body: { data: { verb: 'suspendPanel', ref: String(ana.id), input: { panel_id: last, kind: 'abuse' } } },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  const { request_id } = asked.json as { request_id: number }
  const approved = await portal
    .staff(chief)
    .post(`${base}/desk-requests/${request_id}/-actions/approve`, { data: {} })
  expect(approved.status).toBe(200)
  const { status } = await db
    .selectFrom('panels')
    .select('status')
    .where('id', '=', last)
    .executeTakeFirstOrThrow()
  expect(status).toBe('suspended')
  // What was approved counts for nobody, and an hour later the next ones need nobody.
  await sql`alter table staff_actions disable trigger frozen`.execute(db)
  await sql`update staff_actions set at = at - interval '1 hour' where admin_id = ${id}`.execute(db)
  await sql`alter table staff_actions enable trigger frozen`.execute(db)
  const missed = ana.panels[answers.findIndex(({ status: one }) => one === 403)] ?? 0
  expect((await stopOne(missed)).status).toBe(200)
})
