import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { eraseClosed } from '#privacy/erase-account.ts'
import { type Account, makeAccount } from './support/account.ts'
import { makePayment } from './support/payment.ts'
import { testPortal, type Visitor } from './support/portal.ts'
import { makeAdmin, makeTicket } from './support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely
const admin = await makeAdmin(portal.pool, 'admin')

let ana: Account
let ticket: number
let support: number
let staff: Visitor

beforeEach(async () => {
  ana = await makeAccount(portal.pool, { projects: 1, panels: 1 })
  support = await makeAdmin(portal.pool)
  staff = portal.staff(support)
  ticket = (await makeTicket(portal.pool, { client: ana.id })).ticket
})

const act = (visitor: Visitor, action: string, headers: Record<string, string> = {}, input: object = {}) =>
  visitor.call('POST', `${base}/tickets/${ticket}/-actions/${action}`, { body: { data: input }, headers })

const logOf = async (client: number) =>
  (await portal.staff(admin).get(`${base}/staff-actions?filter[client_id]=${client}`)).list.map(
    ({ attributes }) => attributes ?? {},
  )

test('an act of staff is logged with who, why, and what it changed', async () => {
  const reason = encodeURIComponent('Cere iar: răspunsul e gata')
  expect((await act(staff, 'setPriority', { 'portico-reason': reason }, { priority: 1 })).status).toBe(200)
  const [done, ...others] = await logOf(ana.id)
  expect(others).toEqual([])
  expect(done).toMatchObject({
    admin_id: support,
    admin_name: 'Sorin',
    verb: 'setPriority',
    resource_type: 'tickets',
    ref: String(ticket),
    client_id: ana.id,
    reason: 'Cere iar: răspunsul e gata',
    changes: [{ table: 'tickets', id: String(ticket), op: 'update', after: { priority: 1 } }],
  })
})

test('an answer is logged as routine, with each row that it made or changed', async () => {
  const relationships = { ticket: { data: { type: 'tickets', id: String(ticket) } } }
  const body = { data: { type: 'ticket-messages', attributes: { body: 'Restarted' }, relationships } }
  const headers = { 'portico-reason': '' }
  expect((await staff.call('POST', `${base}/ticket-messages`, { body, headers })).status).toBe(201)
  const [done] = await logOf(ana.id)
  expect(done).toMatchObject({ verb: 'create', resource_type: 'ticket-messages', reason: 'routine' })
  const changes = JSON.stringify(done?.changes)
  expect(changes).toMatch(/"table":"ticket_messages"/)
  expect(changes).toMatch(/"table":"tickets"/)
})

test.each([
  ['ab', 422, 'staff_reason_length'],
  ['a'.repeat(301), 422, 'staff_reason_length'],
  ['%00%00%00', 422, 'staff_reason_length'],
  ['%ZZ', 400, 'staff_reason_encoding'],
])('the reason %s is refused, and nothing changes', async (reason, status, code) => {
  const answer = await act(staff, 'close', { 'portico-reason': reason })
  expect([answer.status, answer.errors[0]?.code, answer.errors[0]?.source]).toEqual([
    status,
    code,
    { header: 'Portico-Reason' },
  ])
  expect(await logOf(ana.id)).toEqual([])
})

test('moving money needs a reason, and a missing right is reported first', async () => {
  const { transactions } = await makePayment(portal.pool, ana.id)
  const refund = (visitor: Visitor) =>
    visitor.call('POST', `${base}/transactions/${transactions}/-actions/refund`, {
      body: { data: { reason: 'A double top-up' } },
      headers: { 'portico-reason': '', 'idempotency-key': crypto.randomUUID() },
    })
  const billing = await refund(portal.staff(await makeAdmin(portal.pool, 'billing')))
  expect([billing.status, billing.errors[0]?.code]).toEqual([422, 'staff_reason_required'])
  expect([403, 404]).toContain((await refund(staff)).status)
  expect(await logOf(ana.id)).toEqual([])
})

test('acts of clients are not in the log, and only administrators read it', async () => {
  await act(portal.as(ana), 'close')
  expect(await logOf(ana.id)).toEqual([])
  await act(staff, 'reopen')
  for (const visitor of [
    portal.nobody,
    portal.as(ana),
    staff,
    portal.staff(await makeAdmin(portal.pool, 'billing')),
  ]) {
    const answer = await visitor.get(`${base}/staff-actions`)
    if (visitor === portal.nobody) expect(answer.status).toBe(401)
    else expect([answer.status, answer.page.total]).toEqual([200, 0])
  }
})

test('the database refuses a write of staff without an action, or with one of another transaction', async () => {
  await act(staff, 'hold')
  const { id } = await db
    .selectFrom('staff_actions')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const change = (action: string) =>
    db.transaction().execute(async (tx) => {
      await sql`select set_config('portico.staff', ${String(support)}, true), set_config('portico.action', ${action}, true)`.execute(
        tx,
      )
      await sql`update tickets set subject = 'Mine' where id = ${ticket}`.execute(tx)
    })
  for (const action of ['', '0', String(id)])
    await expect(change(action)).rejects.toThrow('staff_action_missing')
})

test('the log cannot be changed or deleted', async () => {
  await act(staff, 'hold')
  for (const statement of [
    sql`update staff_actions set reason = 'another'`,
    sql`delete from staff_actions`,
    sql`truncate staff_actions cascade`,
    sql`update staff_action_changes set after = '{}'`,
    sql`delete from staff_action_changes`,
  ])
    await expect(statement.execute(db)).rejects.toThrow('staff_log_closed')
})

test('with the account its words leave the log, and what was done stays', async () => {
  await act(staff, 'hold')
  await sql`update clients set status = 4, closed_at = now() - interval '31 days' where id = ${ana.id}`.execute(
    db,
  )
  await eraseClosed(db, new Date())
  const [done] = await logOf(ana.id)
  expect(done).toMatchObject({ verb: 'hold', changes: [{ table: 'tickets', before: null, after: null }] })
})

test('administrators find entries by person, verb, day and words of the reason', async () => {
  const name = `Cauză ${ticket}`
  await act(staff, 'hold', { 'portico-reason': encodeURIComponent(name) })
  await act(staff, 'setPriority', {}, { priority: 1 })
  const read = async (filters: string) => {
    const { list } = await portal
      .staff(admin)
      .get(`${base}/staff-actions?filter[admin_id]=${support}&${filters}`)
    return list.map(({ attributes }) => attributes?.verb)
  }
  const today = new Date().toISOString().slice(0, 10)
  expect(await read('sort=at')).toEqual(['hold', 'setPriority'])
  expect(await read('filter[verb]=hold')).toEqual(['hold'])
  expect(await read(`filter[search]=${encodeURIComponent(`cauza ${ticket}`)}`)).toEqual(['hold'])
  expect(await read('filter[search]=%25')).toEqual([])
  expect(await read(`filter[from]=${today}&filter[to]=${today}&sort=at`)).toEqual(['hold', 'setPriority'])
  expect(await read('filter[to]=2020-01-01')).toEqual([])
  expect((await logOf(ana.id))[0]?.client_name).toBe('Ana Pop')
})

/** Tables that note nothing of staff, by the reason. */
const unnoted = {
  'follow from rows that are noted': [
    'account_balances',
    'advance_consumptions',
    'billing_logs',
    'debt_set_offs',
    'dispute_parts',
    'document_counts',
    'panel_plans',
    'payment_counts',
    'report_days',
    'report_plans',
    'report_postings',
    'report_sales',
    'report_state',
    'report_stocks',
    'report_vat',
    'ticket_counts',
  ],
  'the ledger, which only grows itself': ['ledger_accounts', 'ledger_entries', 'ledger_transactions'],
  'use, written by engines and jobs': [
    'usages',
    'keyed_usage_events',
    'engine_messages',
    'engine_watermarks',
    'panel_resources',
    'plan_watermark',
  ],
  'of the whole portal, written by its start and its clock': [
    'settings',
    'setup_links',
    'clock',
    'checks',
    'reports',
  ],
  'queues, keys of repetition and what is outside': [
    'automated_billing_decisions',
    'idempotency_keys',
    'mail_inbox',
    'outbox_letters',
    'payment_customers',
    'payment_events',
    'plan_traffic_notices',
    'price_notices',
    'provider_balances',
    'provider_transfers',
    'sandbox_objects',
    'server_powers',
    'share_invitation_mails',
    'tax_office_calls',
    'tax_office_messages',
    'vat_checks',
  ],
  'of clients, which no staff change': [
    'panel_plan_changes',
    'share_permission_domains',
    'share_permission_panels',
    'share_permission_workspaces',
    'terms_acceptances',
  ],
  'the operator’s own, written by commands alone until the desk': ['panel_takeovers'],
  'noted change by change, as rows of plan_changes': [
    'plan_engines',
    'plan_limits',
    'plan_prices',
    'plans',
    'price_lists',
    'prices',
  ],
  'reference data of a release': [
    'counties',
    'countries',
    'currencies',
    'invoice_statuses',
    'languages',
    'meters',
    'public_holidays',
    'schema_functions',
    'schema_migrations',
    'ticket_statuses',
  ],
  'kept by a trigger of a row that is noted': ['former_billing_details'],
  'the log itself': ['staff_action_changes', 'staff_actions', 'staff_looks'],
  'who is writing at a ticket, for some seconds (decision 0227)': ['ticket_writers'],
  'how often staff searched, for its limit': ['staff_searches'],
  'how many clients lists showed to staff, for its limit': ['staff_listings'],
}

test('each table either notes what staff change in it, or says why not', async () => {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not like 'usage\\_%' and c.relname not like 'auth\\_%'
      and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'staff_note')
    order by 1`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(Object.values(unnoted).flat().sort())
})
