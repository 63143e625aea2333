import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Pool } from '#platform/db/pool.ts'
import { makeAccount } from '#test/support/account.ts'
import { scrape, testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { businessTime, used } from '#test/support/money.ts'
import { makePayment } from '#test/support/payment.ts'
import { makeAdmin, makeTicket } from '#test/support/ticket.ts'

const { pool, connection } = await testDatabase()
const db = pool.kysely
const { app } = await testApp(pool)
const { app: other } = await testApp(pool)

/** The samples of one metric, as read over HTTP. */
const samples = async (name: string, from = app) =>
  (await from.inject(scrape)).body.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line))

test('one replica measures the portal, and another one once that one is not scraped any more', async () => {
  expect(await samples('portico_staff_alerts')).toEqual(['portico_staff_alerts 0'])
  expect(await samples('portico_staff_alerts', other)).toEqual([])
  expect((await other.inject(scrape)).body).toContain('# TYPE portico_staff_alerts gauge')
  await sql`update settings set value = jsonb_set(value, '{until}', to_jsonb(now() - interval '1 second'))
    where key = 'measured_by'`.execute(db)
  expect(await samples('portico_staff_alerts', other)).toEqual(['portico_staff_alerts 0'])
  expect(await samples('portico_staff_alerts')).toEqual([])
  await sql`delete from settings where key = 'measured_by'`.execute(db)
})

test('a replica says whether its database takes writes, and measures nothing where it does not', async () => {
  expect(await samples('portico_writable')).toEqual(['portico_writable 1'])
  const name = sql.id(connection.database)
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(db)
  // The setting holds for new connections.
  const standby = new Pool(connection, 1, () => undefined)
  const { app: reading } = await testApp(standby)
  expect(await samples('portico_writable', reading)).toEqual(['portico_writable 0'])
  expect(await samples('portico_staff_alerts', reading)).toEqual([])
  await sql`alter database ${name} reset default_transaction_read_only`.execute(db)
  await standby.close()
})

test('the retention of usage is that of the setting', async () => {
  const { app: long } = await testApp(pool, { env: { usageKeptDays: 200 } })
  expect(await samples('portico_usage_retention_seconds', long)).toEqual([
    'portico_usage_retention_seconds 17280000',
  ])
})

test('clients, panels and tickets are counted', async () => {
  const ana = await makeAccount(pool, { projects: 1, panels: 2 })
  await makeAdmin(pool, 'admin')
  await sql`update panels set status = 'suspended' where id = ${ana.panels[0]}`.execute(db)
  const { ticket } = await makeTicket(pool, { client: ana.id })
  await sql`update tickets set ticket_status_id = 2, first_response_due = now() - interval '1 hour'
    where id = ${ticket}`.execute(db)
  expect(await samples('portico_signups')).toEqual(['portico_signups 1'])
  expect(await samples('portico_panels')).toEqual([
    'portico_panels{status="active"} 1',
    'portico_panels{status="suspended"} 1',
  ])
  expect(await samples('portico_tickets')).toEqual([
    'portico_tickets{state="waiting"} 1',
    'portico_tickets{state="unassigned"} 1',
    'portico_tickets{state="overdue"} 1',
  ])
})

test('a deadline passes by the real clock, which a demo does not move', async () => {
  const overdue = 'portico_tickets{state="overdue"} 1'
  expect(await samples('portico_tickets')).toContain(overdue)
  await businessTime(pool, '2020-01-01T10:00:00Z')
  expect(await samples('portico_tickets')).toContain(overdue)
  await sql`update clock set ahead = '0'`.execute(db)
})

test('charges, payments, refunds and debts are in the currency of the client', async () => {
  const { rows } = await sql<{ yesterday: string; long_ago: string }>`
    select clock_today() - 1 as yesterday, clock_today() - 100 as long_ago`.execute(db)
  const { yesterday = '', long_ago: on = '' } = rows[0] ?? {}
  const owing = { balance: '-20', credit: '0', on }
  const bob = await makeAccount(pool, { projects: 1, panels: 1, opening: owing })
  await makeAccount(pool, { projects: 0, panels: 0, opening: { ...owing, on: yesterday }, currency: 'EUR' })
  expect(await samples('portico_debt')).toEqual([
    'portico_debt{currency="EUR",days="0-7"} 20',
    'portico_debt{currency="USD",days="over 90"} 20',
  ])
  await used(db, bob, [yesterday], '2.5')
  expect(await samples('portico_charged')).toEqual(['portico_charged{currency="USD"} 2.5'])
  const { transactions } = await makePayment(pool, bob.id)
  expect(await samples('portico_payments')).toEqual(['portico_payments{state="requires_action"} 1'])
  await sql`insert into payment_refunds (payment_id, client_id, net, vat, gross, reason, status)
    values (${transactions}, ${bob.id}, 3, 0, 3, 'asked', 'succeeded')`.execute(db)
  expect(await samples('portico_refunded')).toEqual(['portico_refunded{currency="USD"} 3'])
})

test('the ages of usage, of its archive and of the last backup are measured', async () => {
  expect(await samples('portico_backup_age_seconds')).toEqual([])
  await sql`insert into settings (key, value) values ('backup_at', to_jsonb(now() - interval '2 hours'))`.execute(
    db,
  )
  await sql`insert into engine_watermarks (panel_engine_id, through)
    select id, clock_now() - interval '3 hours' from panel_engines`.execute(db)
  const seconds = async (name: string) => Number((await samples(name))[0]?.split(' ').at(-1))
  expect(await seconds('portico_backup_age_seconds')).toBeGreaterThanOrEqual(7200)
  expect(await seconds('portico_usage_lag_seconds')).toBeGreaterThanOrEqual(10_800)
  expect(await seconds('portico_job_age_seconds')).toBeGreaterThanOrEqual(0)
})

test('each check is measured by its worst result', async () => {
  await sql`insert into checks (about, state, words_en, words_ro, checked_at)
    values ('mail', 'good', 'a', 'b', now()), ('mail', 'stop', 'a', 'b', now()), ('jobs', 'hint', 'a', 'b', now())`.execute(
    db,
  )
  expect((await samples('portico_check')).sort()).toEqual([
    'portico_check{check="jobs"} 1',
    'portico_check{check="mail"} 3',
  ])
})
