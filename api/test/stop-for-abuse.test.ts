import { setTimeout as sleep } from 'node:timers/promises'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { deposit } from '#money/ledger/deposits.ts'
import { systemClock } from '#platform/clock.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { startJobs } from '#start/jobs.ts'
import { ensureBuiltInSecret } from '#workspaces/engines/registry.ts'
import { makeAccount } from './support/account.ts'
import { only, TestEngine } from './support/engine.ts'
import { testPostOffice, testVault } from './support/mail.ts'
import { testPortal } from './support/portal.ts'
import { makeMember } from './support/staff.ts'

const portal = await testPortal({ poolSize: 8 })
const { pool, connection } = portal
const db = pool.kysely
await ensureBuiltInSecret({ db, vault: testVault })
const support = portal.staff((await makeMember(pool, 'support')).admin)

/** How long each call of the engine takes, as one over a network may. */
const callMs = 100
const engine = new TestEngine()
engine.meanwhile = () => sleep(callMs)

const runner = await startJobs({
  ...testPostOffice(pool),
  connection,
  clock: systemClock,
  engines: only(engine),
  log: pino({ level: 'silent' }),
})
afterAll(runner.stop)

const stops = () => engine.asked.filter((what) => what.startsWith('suspend')).length

/** Presses the stop at the desk; returns the milliseconds until the engine is asked. */
async function stop(client: number, panel: number): Promise<number> {
  const before = stops()
  const begun = performance.now()
  const answer = await support.post(`${base}/desk-clients/${client}/-actions/suspendPanel`, {
    data: { panel_id: panel, kind: 'abuse' },
  })
  expect(answer.status).toBe(200)
  await expect.poll(stops, { interval: 10 }).toBe(before + 1)
  return performance.now() - begun
}

test('a stop for abuse is at the engine within five seconds, also before 200 readings, and a payment does not end it', async () => {
  const spammer = await makeAccount(pool, { projects: 1, panels: 2 })
  const [first = 0, second = 0] = spammer.panels
  const quiet = await stop(spammer.id, first)

  // The readings that a minute may queue (`readAtOnce`), with three at work.
  const others = await makeAccount(pool, { projects: 1, panels: 200 })
  for (const panelId of others.panels) await enqueue(db, 'panel.sync', { panelId })
  const busy = await stop(spammer.id, second)
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from graphile_worker.jobs
    where task_identifier = 'panel.sync'`.execute(db)
  console.info(`A stop for abuse is at the engine in ${Math.round(quiet)} ms, and before
    ${rows[0]?.waiting} waiting readings in ${Math.round(busy)} ms.`)
  expect(rows[0]?.waiting).toBeGreaterThan(100)
  expect(Math.max(quiet, busy)).toBeLessThan(5000)

  const next = await portal.as(spammer).post(`${base}/panels/${first}/-actions/connect`, {})
  expect(next.faults).toEqual(['409 panel_suspended'])
  await db.transaction().execute((tx) =>
    deposit(tx, {
      key: `paid:${spammer.id}`,
      clientId: spammer.id,
      currency: 'USD',
      means: 'bank',
      net: '60',
    }),
  )
  engine.meanwhile = async () => undefined
  await enqueue(db, 'balance.evaluate', { clientId: spammer.id })
  const isDue = async () => {
    const { rows: balances } = await sql<{ due: boolean }>`select evaluate_due as due from account_balances
      where client_id = ${spammer.id}`.execute(db)
    return balances[0]?.due
  }
  await expect.poll(isDue).toBe(false)
  expect(engine.asked.filter((what) => what.startsWith('unsuspend'))).toEqual([])
  const { rows: panels } = await sql`select status, suspend_reason as cause from panels
    where client_id = ${spammer.id}`.execute(db)
  expect(panels).toEqual(Array(2).fill({ status: 'suspended', cause: 'abuse' }))
})
