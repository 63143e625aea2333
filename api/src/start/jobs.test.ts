import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { releaseLostJobs } from '#platform/jobs/release-jobs.ts'
import { makeAccount } from '#test/support/account.ts'
import { testDatabase } from '#test/support/database.ts'
import { only, server, TestEngine } from '#test/support/engine.ts'
import { testPostOffice } from '#test/support/mail.ts'
import { addPanel, removePanel } from '#workspaces/panels.ts'
import { type JobRunner, restartable, startJobs } from './jobs.ts'

const { pool, connection } = await testDatabase()
const db = pool.kysely
const owner = await makeAccount(pool, { projects: 1, panels: 0 })
const [project_id = 0] = owner.projects
const running: JobRunner[] = []
const logged: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })

afterEach(async () => {
  await Promise.all(running.splice(0).map((runner) => runner.stop()))
})

async function start(engine: TestEngine): Promise<JobRunner> {
  const runner = await startJobs({
    ...testPostOffice(pool),
    connection,
    clock: systemClock,
    engines: only(engine),
    log,
  })
  running.push(runner)
  return runner
}

let named = 0
async function newPanels(many: number): Promise<number[]> {
  const add = (tx: typeof db) =>
    addPanel(tx, { client_id: owner.id, project_id, name: `panel ${++named}`, plan_code: null })
  const made = await db.transaction().execute(async (tx) => {
    const rows: { id: number }[] = []
    for (let i = 0; i < many; i++) rows.push(await add(tx))
    return rows
  })
  return made.map(({ id }) => id)
}

async function statuses(ids: number[]): Promise<string[]> {
  const rows = await db.selectFrom('panels').select('status').where('id', 'in', ids).orderBy('id').execute()
  return rows.map(({ status }) => status)
}

const soon = { timeout: 12_000, interval: 50 }

test('each queued job runs once, with two processes at work', async () => {
  const engine = new TestEngine()
  engine.resources = [server('a')]
  engine.meanwhile = () => sleep(5)
  await Promise.all([start(engine), start(engine)])
  const ids = await newPanels(25)
  await vi.waitFor(async () => expect(new Set(await statuses(ids))).toEqual(new Set(['active'])), soon)
  const created = engine.asked.filter((what) => what.startsWith('create'))
  expect(created.sort()).toEqual(ids.map((id) => `create ${id}`).sort())
})

test('a wish that was rolled back is no wish', async () => {
  const engine = new TestEngine()
  await start(engine)
  let id = 0
  const failed = db.transaction().execute(async (tx) => {
    id = (await addPanel(tx, { client_id: owner.id, project_id, name: 'never', plan_code: null })).id
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  const [next = 0] = await newPanels(1)
  await vi.waitFor(() => expect(engine.asked).toContain(`create ${next}`), soon)
  expect(engine.asked).not.toContain(`create ${id}`)
})

test('a failing job is logged and retried', async () => {
  const engine = new TestEngine()
  let isAway = true
  // Only a creation fails: the schedule asks the engine for other things meanwhile.
  engine.meanwhile = async () => {
    if (!isAway || !engine.asked.at(-1)?.startsWith('create')) return
    isAway = false
    throw new Error('engine is away')
  }
  await start(engine)
  const ids = await newPanels(1)
  await vi.waitFor(async () => expect(await statuses(ids)).toEqual(['active']), soon)
  expect(engine.asked.filter((what) => what === `create ${ids[0]}`)).toHaveLength(2)
  expect(logged.join()).toContain('engine is away')
})

test('deletes at the engine first, then here', async () => {
  const engine = new TestEngine()
  await start(engine)
  const ids = await newPanels(1)
  await vi.waitFor(async () => expect(await statuses(ids)).toEqual(['active']), soon)
  const panel = await db.selectFrom('panels').selectAll().where('id', 'in', ids).executeTakeFirstOrThrow()
  await db.transaction().execute((tx) => removePanel({ tx }, panel))
  await vi.waitFor(async () => expect(await statuses(ids)).toEqual(['deleted']), soon)
  expect(engine.asked.at(-1)).toBe(`delete ${ids[0]}`)
})

test('stops though a job hangs, and the job runs again in another process', async () => {
  const hanging = new TestEngine()
  hanging.meanwhile = () => new Promise(() => undefined)
  const runner = await start(hanging)
  const ids = await newPanels(1)
  await vi.waitFor(() => expect(hanging.asked).toContain(`create ${ids[0]}`), soon)
  await runner.stop()
  const engine = new TestEngine()
  await start(engine)
  await vi.waitFor(async () => expect(await statuses(ids)).toEqual(['active']), soon)
})

test('goes on after the database threw out every connection', async () => {
  const engine = new TestEngine()
  await start(engine)
  const [warm = 0] = await newPanels(1)
  await vi.waitFor(() => expect(engine.asked).toContain(`create ${warm}`), soon)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  const ids = await newPanels(1)
  await vi.waitFor(async () => expect(await statuses(ids)).toEqual(['active']), soon)
})

test('goes on when one outcome could not be written, the next one was, and the last job failed', async () => {
  const engine = new TestEngine()
  let begun = 0
  engine.meanwhile = async () => {
    if (!engine.asked.at(-1)?.startsWith('create')) return
    const nth = ++begun
    if (nth > 3) return
    await sleep(400 * nth)
    if (nth === 3) throw new Error('the engine is away too')
  }
  await start(engine)
  await sql`create sequence outcomes`.execute(db)
  await sql`create function fail_once() returns trigger language plpgsql as
    $$ begin if nextval('outcomes') = 1 then raise 'the outcome is not written'; end if; return old; end $$`.execute(
    db,
  )
  await sql`create trigger fail_once before delete on graphile_worker._private_jobs
    for each row execute function fail_once()`.execute(db)
  onTestFinished(
    async () => void (await sql`drop trigger fail_once on graphile_worker._private_jobs`.execute(db)),
  )
  await newPanels(3)
  await vi.waitFor(() => expect(begun).toBe(3), soon)
  await sleep(1500)
  const ids = await newPanels(1)
  await vi.waitFor(async () => expect(await statuses(ids)).toEqual(['active']), soon)
})

test('a job whose process died is given back', async () => {
  await db
    .transaction()
    .execute((tx) => enqueue(tx, 'panel.sync', { panelId: 0 }, { queue: 'q', key: 'lost' }))
  const lock = (age: string) =>
    sql`with j as (update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - ${age}::interval where key = 'lost')
      update graphile_worker._private_job_queues set locked_by = 'dead', locked_at = now() - ${age}::interval where queue_name = 'q'`.execute(
      db,
    )
  await lock('30 seconds')
  expect(await releaseLostJobs(db)).toBe(0)
  await lock('2 minutes')
  expect(await releaseLostJobs(db)).toBe(1)
  await start(new TestEngine())
  const left = () => sql`select 1 from graphile_worker._private_jobs where key = 'lost'`.execute(db)
  await vi.waitFor(async () => expect((await left()).rows).toEqual([]), soon)
})

test('a queue that cannot begin again, because the database is away, does so once it can', async () => {
  const seen: string[] = []
  let away = 0
  const begin = async () => {
    if (away > 0 && away--) throw new Error('The database is away.')
    seen.push('begun')
    return async () => void seen.push('ended')
  }
  const { again, stop } = await restartable(begin, (error) => seen.push(String(error)))
  away = 2
  await again()
  const failure = 'Error: The database is away.'
  expect(seen, 'who changed the settings does not wait longer').toEqual(['begun', 'ended', failure])
  await vi.waitFor(() => expect(seen).toEqual(['begun', 'ended', failure, failure, 'begun']), soon)
  await again()
  await stop()
  expect(seen.slice(5)).toEqual(['ended', 'begun', 'ended'])
})

test('a queue that could not begin again is not begun after the stop', async () => {
  let begun = 0
  const begin = async () => {
    if (begun++ > 0) throw new Error('The database is away.')
    return async () => undefined
  }
  const { again, stop } = await restartable(begin, () => undefined)
  await again()
  await stop()
  await sleep(1500)
  expect(begun).toBe(2)
})
