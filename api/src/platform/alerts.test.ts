import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { startJobs } from '#start/jobs.ts'
import { makeAccount } from '#test/support/account.ts'
import { scrape, testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, TestEngine, testVault } from '#test/support/engine.ts'
import { testPostOffice } from '#test/support/mail.ts'
import { businessTime } from '#test/support/money.ts'
import { alertUnpriced } from '#usage/alerts.ts'
import { rateUsage } from '#usage/charging.ts'
import { alertStaff } from './alerts.ts'

const { pool, connection } = await testDatabase()
const db = pool.kysely
const { app } = await testApp(pool)
await businessTime(pool, '2026-03-11T12:00:00Z')
const logged: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
const runner = await startJobs({
  ...testPostOffice(pool),
  connection,
  vault: testVault,
  clock: systemClock,
  engines: only(new TestEngine()),
  log,
})
afterAll(() => runner.stop())

beforeEach(async () => {
  await sql`delete from staff_alerts`.execute(db)
})

const alerts = async () =>
  (await db.selectFrom('staff_alerts').select(['kind', 'about', 'detail']).orderBy('id').execute()) as {
    kind: string
    about: string
    // The detail as stored.
    detail: unknown
  }[]
const run = (job: string) => sql`select graphile_worker.add_job(${job}, '{}'::json)`.execute(db)
const soon = { timeout: 20_000, interval: 50 }
/** Until staff has so many alerts; then they are read. */
const raisedAlerts = async (many: number) => {
  await vi.waitFor(async () => expect(await alerts()).toHaveLength(many), soon)
  return alerts()
}
const metric = async (name: string) =>
  (await app.inject(scrape)).body.split('\n').find((line) => line.startsWith(name))

await sql`insert into meters (code, unit) values ('gpu_hours', 'h')`.execute(db)
const ana = await makeAccount(pool, { projects: 1, panels: 1 })
const bogdan = await makeAccount(pool, { projects: 1, panels: 1 })
await sql`with l as (insert into price_lists (code, currency) values ('own', 'USD') returning id)
  insert into client_price_lists select ${bogdan.id}, id, '[2026-01-01,)' from l`.execute(db)
/** Ana and Bogdan, who has a list of his own, use what has no price, on two servers each. */
const use = (day: string) =>
  sql`insert into usage_meter_days (usage_on, panel_id, resource_ref, meter_id, quantity, events)
    select ${day}, panel, ref, m.id, 1, 1 from meters m, unnest(array['server/1', 'server/2']) ref,
      unnest(${[...ana.panels, ...bogdan.panels]}::int8[]) panel where m.code = 'gpu_hours'`.execute(db)

test('a missing price alerts staff by meter and list, and is in the log and the metrics', async () => {
  await use('2026-03-09')
  await use('2026-03-10')
  await run('usage.rate')
  const missing = { meter: 'gpu_hours', currency: 'USD', day: '2026-03-10' }
  expect(await raisedAlerts(2)).toEqual([
    { kind: 'usage_unpriced', about: 'gpu_hours, own', detail: { ...missing, list: 'own' } },
    { kind: 'usage_unpriced', about: 'gpu_hours, standard', detail: { ...missing, list: 'standard' } },
  ])
  expect(logged.filter((line) => line.startsWith('gpu_hours'))).toEqual([
    'gpu_hours has no price in USD on 2026-03-10 (own): usage is free until it has one.',
    'gpu_hours has no price in USD on 2026-03-10 (standard): usage is free until it has one.',
  ])
  expect(await metric('portico_usage_problems{problem="unpriced"}')).toMatch(/ 8$/)
  expect(await metric('portico_staff_alerts')).toBe('portico_staff_alerts 2')
})

test('the alert is raised once while usage is rated, and again when resolved or a day has passed', async () => {
  const sentences: string[] = []
  const look = async () => {
    sentences.length = 0
    await alertUnpriced(db, (sentence) => sentences.push(sentence))
    return sentences.length
  }
  await look()
  await use('2026-03-11')
  await rateUsage(db)
  expect(await look()).toBe(0)
  await sql`update staff_alerts set told_at = now() - interval '1 day' where about = 'gpu_hours, own'`.execute(
    db,
  )
  expect([await look(), sentences[0], (await alerts()).length]).toEqual([
    1,
    expect.stringContaining('2026-03-11 (own)'),
    2,
  ])
  await sql`update staff_alerts set resolved_at = now()`.execute(db)
  expect([await look(), (await alerts()).length]).toEqual([2, 4])
  await sql`insert into prices (price_list_id, meter_id, valid, unit_price) select l.id, m.id, '[2026-01-01,)', 1
    from price_lists l, meters m where l.is_default and m.code = 'gpu_hours'`.execute(db)
  await rateUsage(db)
  await sql`delete from staff_alerts`.execute(db)
  expect(await look()).toBe(0)
  expect(await metric('portico_usage_problems{problem="unpriced"}')).toMatch(/ 0$/)
})

test('concurrent findings of the same problem raise one alert', async () => {
  const found = Array.from({ length: 8 }, () => alertStaff(db, 'case', 'found', {}))
  expect((await Promise.all(found)).filter(Boolean)).toHaveLength(1)
})

test('a billing log that differs from the ledger, and an inconsistent ledger, alert staff', async () => {
  await sql`update billing_logs set net = net + 1 where client_id in (${ana.id}, ${bogdan.id})`.execute(db)
  await run('billing-log.check')
  expect(await raisedAlerts(1)).toMatchObject([
    { kind: 'billing_log_differs', detail: { differences: 4, clients: [ana.id, bogdan.id] } },
  ])
  expect(logged).toContain('The billing log differs from the ledger in 4 rows.')
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update account_balances set account_balance = 99 where client_id = ${ana.id}`.execute(tx)
  })
  await run('ledger.verify')
  await vi.waitFor(
    async () =>
      expect(await alerts()).toContainEqual({
        kind: 'ledger_differs',
        about: 'what a client holds',
        detail: { differences: 1, places: [`client ${ana.id}`] },
      }),
    soon,
  )
  expect(logged.find((line) => line.startsWith(`what a client holds: client ${ana.id} has 99`))).toBeDefined()
})
