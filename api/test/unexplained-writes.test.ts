import { unexplained } from '@portico/contract/resources/staff-actions.ts'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { checkUnexplained } from '#desk/checks/unexplained.ts'
import { withClient } from '#platform/db/client.ts'
import type { Database } from '#platform/db/pool.ts'
import { because } from '#platform/db/settings.ts'
import { offerSimulated } from '#workspaces/engines/simulated/offered.ts'
import { makeAccount } from './support/account.ts'
import { makeOperator } from './support/documents.ts'
import { testPortal } from './support/portal.ts'
import { makeAdmin } from './support/ticket.ts'

const portal = await testPortal()
const db = portal.pool.kysely
await makeOperator(portal.pool)
const admin = portal.staff(await makeAdmin(portal.pool, 'admin'))

/** The entries that the test made. */
let known = 0
beforeEach(async () => {
  known = (await newest())?.id ?? 0
})

const newest = () =>
  db.selectFrom('staff_actions').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()

async function logged(filter = '') {
  const { list } = await admin.get(`${base}/staff-actions?sort=-at&page[size]=50${filter}`)
  return list.filter(({ id }) => Number(id) > known).map(({ attributes }) => attributes ?? {})
}

const within = (work: (tx: Database) => Promise<unknown>) => db.transaction().execute(work)

const dueDays = (tx: Database, days: number) =>
  sql`update operator_profile set due_days = ${days}`.execute(tx)

test('a write that nobody explains is done, and logged with before and after', async () => {
  await within((tx) => dueDays(tx, 21))
  known = (await newest())?.id ?? 0
  await withClient(portal.connection, (client) => client.query('update operator_profile set due_days = 22'))
  const [done, ...others] = await logged()
  expect(others).toEqual([])
  expect(done).toMatchObject({
    origin: 'sql',
    reason: unexplained,
    admin_id: null,
    admin_name: null,
    caller: expect.stringMatching(/portico$/),
    changes: [{ table: 'operator_profile', op: 'update', before: { due_days: 21 }, after: { due_days: 22 } }],
  })
})

test('all that one transaction writes without a reason is one entry', async () => {
  await within(async (tx) => {
    await sql`insert into price_lists (code, currency) values ('one', 'USD'), ('two', 'USD')`.execute(tx)
    await sql`delete from price_lists where code in ('one', 'two')`.execute(tx)
  })
  const [done, ...others] = await logged()
  expect(others).toEqual([])
  expect(done?.changes).toHaveLength(4)
})

test('what a person explains is logged with the reason, and what it changed of clients and plans too', async () => {
  const { id } = await makeAccount(portal.pool, { projects: 0, panels: 0 })
  known = (await newest())?.id ?? 0
  await within(async (tx) => {
    await sql`select portico_because(${'  The bank wrote a wrong name '})`.execute(tx)
    await sql`update clients set last_name = 'Popescu' where id = ${id}`.execute(tx)
    await sql`update plans set position = position + 1`.execute(tx)
    await dueDays(tx, 23)
  })
  const [done, ...others] = await logged('&filter[origin]=sql')
  expect(others).toEqual([])
  expect(done).toMatchObject({ reason: 'The bank wrote a wrong name', client_id: id })
  expect(done?.changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ table: 'clients', after: expect.objectContaining({ last_name: 'Popescu' }) }),
      expect.objectContaining({ table: 'operator_profile' }),
    ]),
  )
})

test.each(['', '  ', 'ab', 'a'.repeat(301)])('the reason "%s" is refused', async (why) => {
  await expect(sql`select portico_because(${why})`.execute(db)).rejects.toThrow('staff_reason_length')
  await expect(sql`select portico_because(null)`.execute(db)).rejects.toThrow('staff_reason_length')
  expect(await logged()).toEqual([])
})

test('a reason ends with its transaction', async () => {
  await withClient(portal.connection, async (client) => {
    await client.query("begin; select portico_because('For this one'); commit")
    await client.query('update operator_profile set due_days = 24')
  })
  expect((await logged()).map(({ reason }) => reason)).toEqual([unexplained, 'For this one'])
})

test('counters, health and a write that changes nothing leave no entry', async () => {
  for (const statement of [
    sql`update invoice_series set next_number = next_number + 1, last_issue_date = current_date`,
    sql`update proforma_series set next_number = next_number + 1`,
    sql`update panel_engines set health = 'up', health_checked_at = now(), version = '9', capabilities = '{}'`,
    sql`update operator_settings set by_server = true, server_value = 'x'`,
    sql`update tax_offices set searched_at = now(), failures = failures + 1`,
    sql`update operator_profile set due_days = due_days`,
  ]) {
    const { numAffectedRows } = await statement.execute(db)
    expect(numAffectedRows).toBeGreaterThan(0n)
  }
  expect(await logged()).toEqual([])
})

test('another number of a series and its prefix are noted, beside its counter', async () => {
  await sql`update invoice_series set next_number = next_number + 1, legal_decision = 'D9'`.execute(db)
  const [done] = await logged()
  expect(JSON.stringify(done?.changes)).toContain('D9')
})

test('what the portal itself writes is named by it, and only where it writes', async () => {
  await offerSimulated(db, false)
  await offerSimulated(db, false)
  const entries = await logged('&filter[origin]=portal')
  expect(entries.map(({ reason }) => reason)).toEqual(['start of the portal'])
  await offerSimulated(db, true)
  expect(() => because(db, 'start of the portal')).toThrow('none')
})

test('an entry has the first hundred rows of a large change, and says how many there are', async () => {
  await sql`insert into fx_rates (base, quote, published_on, rate, source)
    select 'USD', 'RON', '2030-01-01'::date + n, 4.5, 'test' from generate_series(1, 130) n`.execute(db)
  const [done] = await logged()
  expect(done?.changes_total).toBe(130)
  expect(done?.changes).toHaveLength(100)
})

test('a secret is noted as changed', async () => {
  await sql`update operator_settings set sealed = '\\x00'::bytea where key = 'SMTP_URL'`.execute(db)
  const [done] = await logged()
  expect(done?.changes).toMatchObject([{ after: { sealed: 'changed' } }])
})

test('the checks count what nobody explained in the last seven days', async () => {
  await dueDays(db, 25)
  const [found] = await checkUnexplained(portal.pool)
  expect(found).toMatchObject({ state: 'hint', about: 'log' })
  const { total } = (await admin.get(`${base}/staff-actions?filter[reason]=${unexplained}`)).page
  expect(found?.words.en).toContain(`without a reason: ${total};`)
  await within(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update staff_actions set at = at - interval '8 days'`.execute(tx)
  })
  expect(await checkUnexplained(portal.pool)).toEqual([])
})

/** Tables whose rows lead to no client, sign-in, panel or ticket, and that note only what staff change, by the reason. */
const unguarded = {
  'reference data of a release, which migrations write': [
    'counties',
    'countries',
    'currencies',
    'invoice_statuses',
    'languages',
    'meters',
    'public_holidays',
    'ticket_statuses',
  ],
  'what follows from other rows': [
    'advance_consumptions',
    'debt_set_offs',
    'document_counts',
    'payment_counts',
    'plan_changes',
  ],
  'sums of the nightly reports': [
    'report_days',
    'report_plans',
    'report_postings',
    'report_sales',
    'report_state',
    'report_stocks',
    'report_vat',
    'reports',
  ],
  'parts of what clients have, and the clients themselves': [
    'automated_billing_decisions',
    'clients',
    'payment_disputes',
    'replaced_e_invoices',
    'server_powers',
    'share_permission_domains',
    'share_permissions',
  ],
  'what one person left at the desk, for themselves or to be worked off': [
    'accounting_exports',
    'bank_csv_columns',
    'bank_csv_meanings',
    'bank_statements',
    'client_exports',
    'desk_views',
    'document_archives',
    'ledger_checks',
    'staff_alerts',
    'staff_listings',
    'staff_searches',
  ],
  'what came from outside, and what waits to go there': [
    'engine_messages',
    'engine_watermarks',
    'idempotency_keys',
    'outbox_letters',
    'payment_events',
    'provider_balances',
    'provider_transfers',
    'sandbox_objects',
    'tax_office_calls',
    'tax_office_messages',
  ],
  'state of the portal, its clock, its jobs and its set-up': [
    'checks',
    'clock',
    'plan_watermark',
    'schema_functions',
    'schema_migrations',
    'settings',
    'setup_links',
  ],
  'the log itself': ['staff_action_changes'],
}

test('each table of the operator notes every write, or says why not', async () => {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not like 'usage\\_%' and c.relname not like 'auth\\_%'
      and not exists (select from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
        and a.attname in ('account_id', 'client_id', 'panel_id', 'ticket_id'))
      and (select count(*) from pg_trigger t where t.tgrelid = c.oid and t.tgname in ('own_note', 'own_note_update')) < 2
    order by 1`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(Object.values(unguarded).flat().sort())
})
