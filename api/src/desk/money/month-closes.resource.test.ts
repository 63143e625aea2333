import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { type Account, makeAccount } from '#test/support/account.ts'
import { makeBuyer, makeOperator } from '#test/support/documents.ts'
import { businessTime } from '#test/support/money.ts'
import { testPortal, type Visitor } from '#test/support/portal.ts'
import { makeAdmin } from '#test/support/ticket.ts'

const portal = await testPortal()
const { pool } = portal
const db = pool.kysely
const roles = ['support', 'billing', 'admin', 'readonly'] as const
const staff = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, portal.staff(await makeAdmin(pool, role))])),
) as Record<(typeof roles)[number], Visitor>
const month = `${base}/month-closes/1`

beforeAll(async () => {
  await makeOperator(pool)
  await businessTime(pool, '2026-11-03T10:00:00Z')
})
afterEach(() => {
  expect(portal.bugs.splice(0)).toEqual([])
})

/** A client with charges of October. */
async function charged(dollars: number): Promise<Account> {
  const client = await makeAccount(pool, { projects: 1, panels: 1, opening: null })
  await makeBuyer(pool, client)
  await sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select '2026-10-10', ${client.panels[0]}, 'server/server1', m.id, ${String(dollars)}::numeric / p.unit_price, 1
    from meters m join prices p on p.meter_id = m.id where m.code = 'disk_gb_hours'`.execute(db)
  await sql`select usage_rate(5000)`.execute(db)
  await sql`select charge_client_day(${client.id}, '2026-10-10')`.execute(db)
  return client
}

const act = (verb: string, body: object = {}, by = staff.billing) =>
  by.call('POST', `${month}/-actions/${verb}`, { body, headers: { 'portico-reason': 'End of the month' } })
const preview = async () => (await staff.readonly.get(`${month}/-actions/preview`)).json
const counts = async () => {
  const { from_day, to_day, waiting, failed } = (await staff.readonly.get(month)).one.attributes ?? {}
  return { from_day, to_day, waiting, failed }
}

test('staff who see money read the close; billing and administrators alone act on it', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 0 })
  for (const role of ['billing', 'admin', 'readonly'] as const)
    expect((await staff[role].get(month)).status).toBe(200)
  expect((await staff.support.get(month)).status).toBe(404)
  expect((await portal.as(ana).get(month)).status).toBe(404)
  expect((await portal.nobody.get(month)).status).toBe(404)
  for (const verb of ['closeMonth', 'retryClose'])
    expect((await act(verb, { nothing: 1 }, staff.readonly)).status).toBe(403)
  expect((await act('retryClose', { client_id: 'x' })).status).toBe(422)
})

test('a closed month has nothing to close', async () => {
  expect(await counts()).toEqual({ from_day: '2026-10-01', to_day: '2026-10-31', waiting: 0, failed: 0 })
  expect((await act('closeMonth')).faults).toEqual(['409 month_nothing_open'])
  expect((await act('retryClose', { client_id: 1 })).faults).toEqual(['409 month_client_not_open'])
})

test('a bill that lacks an address is named with the reason, and issued once it has one', async () => {
  const ana = await charged(12)
  await sql`update client_entities set city = null where client_id = ${ana.id}`.execute(db)
  await closeDueMonth(db, () => undefined)
  expect(await counts()).toMatchObject({ waiting: 1, failed: 1 })
  expect(await preview()).toEqual({
    sums: [{ currency: 'USD', clients: 1, net: 12 }],
    clients: [
      expect.objectContaining({
        client_id: ana.id,
        net: 12,
        lacks: ['city'],
        reasons: ['billing_info_incomplete'],
        failed_at: expect.stringMatching(/^20/),
      }),
    ],
  })
  expect((await act('retryClose', { client_id: ana.id })).faults).toEqual([
    '422 billing_info_incomplete /data/attributes/city',
  ])
  await makeBuyer(pool, ana)
  expect((await act('retryClose', { client_id: ana.id })).json).toEqual({
    full_number: expect.stringMatching(/^HST-/),
  })
  expect(await counts()).toMatchObject({ waiting: 0, failed: 0 })
  const { rows } = await sql`select verb, reason, client_id from staff_actions where verb = 'retryClose'
    order by id desc limit 1`.execute(db)
  expect(rows).toEqual([{ verb: 'retryClose', reason: 'End of the month', client_id: ana.id }])
})

test('closing the month runs the same job as each hour', async () => {
  const ana = await charged(3)
  expect((await act('closeMonth')).json).toEqual({ status: 'queued' })
  const { rows } = await sql`select task_identifier from graphile_worker.jobs
    where task_identifier = 'invoice.month-close'`.execute(db)
  expect(rows).toHaveLength(1)
  await closeDueMonth(db, () => undefined)
  expect((await act('retryClose', { client_id: ana.id })).faults).toEqual(['409 month_client_not_open'])
})
