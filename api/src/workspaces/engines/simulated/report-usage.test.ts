import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readEnv } from '#config/env.ts'
import { systemClock } from '#platform/clock.ts'
import { allowedHosts } from '#platform/egress.ts'
import { makeVault } from '#platform/vault.ts'
import { makeAccount } from '#test/support/account.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { businessTime } from '#test/support/money.ts'
import { tokenSecret } from '#test/support/secret.ts'
import { chargeDueDays, rateUsage } from '#usage/charging.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { engineAccess } from '#workspaces/engines/engine-access.ts'
import { ensureBuiltInSecret } from '#workspaces/engines/registry.ts'
import { SimulatedEngine } from './engine.ts'
import { simulateUsage } from './report-usage.ts'
import { type Message, meterOf } from './simulation.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const keys = { db, vault: makeVault(tokenSecret) }
const { app } = await testApp(pool, { env: { rateLimitScale: 1000 } })
await ensureBuiltInSecret(keys)
const access = await engineAccess(keys, { code: 'simulated' })
if (!access) throw new Error('The built-in engine is gone.')
const engine = new SimulatedEngine(systemClock, 'http://localhost:3000/console')
const answers: { accepted?: number; duplicates?: number; rejected?: unknown[] }[] = []
const deliver = async ({ path, headers, body }: Message) => {
  const answer = await app.inject({ method: 'POST', url: path, headers, payload: body })
  answers.push(answer.json())
  return answer.statusCode
}
const simulation = { db, ...meterOf(engine, access, deliver) }
const { id, panels } = await makeAccount(pool, { projects: 1, panels: 1 })
const [panel = 0] = panels
const external = `sim-${panel}-web-3`
await sql`update panels set external_id = ${external}, created_at = '2026-03-10 05:20:00+00' where id = ${panel}`.execute(
  db,
)

const usageLines = async () =>
  (
    await sql<{ line: string }>`select concat_ws(' ', usage_on, resource_ref, m.code, d.events) as line
    from usage_meter_days d join meters m on m.id = d.meter_id order by 1`.execute(db)
  ).rows.map(({ line }) => line)

test('usage is reported by the hour, from the creation of the panel, each once', async () => {
  await businessTime(pool, '2026-03-10T13:05:00Z')
  expect(await simulateUsage(simulation)).toBe(true)
  const lines = await usageLines()
  expect(lines).toContain('2026-03-10 server/s1 cpu_hours 8')
  // The quarters that ended at 6 and at 12.
  expect(lines).toContain('2026-03-10 domain/d1 domain_days 2')
  expect(lines).toContain('2026-03-10 panel panel_hours 2')
  expect(answers.flatMap(({ rejected = [] }) => rejected)).toEqual([])
  expect(await simulateUsage(simulation)).toBe(true)
  expect(await usageLines()).toEqual(lines)
  await businessTime(pool, '2026-03-10T14:30:00Z')
  await simulateUsage(simulation)
  expect(await usageLines()).toContain('2026-03-10 server/s1 cpu_hours 9')
})

test('a lost report is sent again, and a finished day is charged', async () => {
  await businessTime(pool, '2026-03-11T00:00:00Z')
  const lost = { db, ...meterOf(engine, access, async () => 503) }
  expect(await simulateUsage(lost)).toBe(false)
  answers.length = 0
  expect(await simulateUsage(simulation)).toBe(true)
  expect(await usageLines()).toContain('2026-03-10 server/s1 cpu_hours 19')
  expect(await usageLines()).toContain('2026-03-10 panel panel_hours 4')
  await rateUsage(db)
  expect(await chargeDueDays(db, async () => undefined)).toEqual({ charged: 1, unfinished: false })
  const { rows } = await sql<{
    amount: string
  }>`select amount from usage_charges where client_id = ${id}`.execute(db)
  expect(Number(rows[0]?.amount)).toBeGreaterThan(0.3)
})

test('simulated usage of a panel is deterministic, and a suspended one uses only storage', async () => {
  const from = new Date('2026-03-12T00:00:00Z')
  const to = new Date('2026-03-13T00:00:00Z')
  const other = new SimulatedEngine(systemClock, '')
  expect(other.usage(external, from, to)).toEqual(engine.usage(external, from, to))
  await other.suspendPanel(external)
  const meters = new Set(other.usage(external, from, to).map(({ data }) => data.meter))
  expect([...meters].sort()).toEqual(['disk_gb_hours', 'mailbox_days'])
})

test('a speed multiplies what is used, and nothing else of it', async () => {
  const { simSpeed } = readEnv({ SIM_SPEED: '10' })
  const fast = engineAdapters({ clock: systemClock, publicUrl: '', allowed: allowedHosts([]), simSpeed })
  const [from, to] = [new Date('2026-03-12T00:00:00Z'), new Date('2026-03-13T00:00:00Z')]
  const slow = engine.usage(external, from, to)
  const used = fast.simulated.usage(external, from, to)
  for (const [at, { data, ...event }] of used.entries()) {
    const { data: was, ...same } = slow[at] ?? {}
    expect([event, { ...data, quantity: '' }]).toEqual([same, { ...was, quantity: '' }])
    expect(Number(data.quantity)).toBeCloseTo(10 * Number(was?.quantity), 4)
  }
  expect(used.length).toBeGreaterThan(100)
})

test('a day in which an engine starts to report is reported completely once it is over', async () => {
  await sql`delete from engine_watermarks`.execute(db)
  await businessTime(pool, '2026-03-12T00:20:00Z')
  expect(await simulateUsage(simulation)).toBe(true)
  await businessTime(pool, '2026-03-13T00:20:00Z')
  expect(await simulateUsage(simulation)).toBe(true)
  expect(await usageLines()).toContain('2026-03-12 server/s1 cpu_hours 24')
})
