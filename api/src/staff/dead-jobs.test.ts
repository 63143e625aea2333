import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { scrape, testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { deadJobs, retryJobs, watchJobs } from './dead-jobs.ts'

const { pool } = await testDatabase()
const db = pool.kysely
const { app } = await testApp(pool)

beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await sql`delete from staff_alerts`.execute(db)
})

/** A job that has failed at its last try, so many minutes ago. */
async function fail(task: 'mail.send' | 'usage.charge-day', minutesAgo = 0, key?: string): Promise<string> {
  if (task === 'mail.send') await enqueue(db, task, { letterId: 1 })
  else await enqueue(db, task, {}, key === undefined ? {} : { key })
  const { rows } = await sql<{ id: string }>`update graphile_worker._private_jobs set attempts = max_attempts,
      last_error = 'The server hung up' || chr(10) || 'at line 1', updated_at = now() - ${minutesAgo} * interval '1 minute'
    where id = (select max(id) from graphile_worker._private_jobs) returning id::text`.execute(db)
  return rows[0]?.id ?? ''
}

const alerts = async () =>
  await db
    .selectFrom('staff_alerts')
    .select(['kind', 'about', 'detail'])
    .where('resolved_at', 'is', null)
    .execute()

const gauge = async () =>
  (await app.inject(scrape)).body.split('\n').filter((line) => line.startsWith('portico_dead_jobs{'))

test('dead jobs are counted by task, and are one case for each', async () => {
  await enqueue(db, 'mail.send', { letterId: 9 })
  await watchJobs(db)
  expect([await gauge(), await alerts()]).toEqual([[], []])
  await fail('mail.send')
  await fail('mail.send')
  await watchJobs(db)
  await watchJobs(db)
  expect(await gauge()).toEqual(['portico_dead_jobs{task="mail.send"} 2'])
  expect(await alerts()).toEqual([
    { kind: 'job_failed', about: 'mail.send', detail: { jobs: 2, last_error: 'The server hung up' } },
  ])
})

test('a failing scheduled job raises an alert after an hour', async () => {
  await fail('usage.charge-day', 5, 'usage.charge-day')
  await watchJobs(db)
  expect(await alerts()).toEqual([])
  await sql`update graphile_worker._private_jobs set updated_at = now() - interval '61 minutes'`.execute(db)
  await watchJobs(db)
  expect(await alerts()).toMatchObject([{ about: 'usage.charge-day' }])
})

test('a dead job is retried by its id, or all are; then the alert is resolved', async () => {
  const first = await fail('mail.send')
  await fail('mail.send')
  await watchJobs(db)
  expect((await deadJobs(db)).map(({ task, attempts }) => [task, attempts])).toEqual([
    ['mail.send', 10],
    ['mail.send', 10],
  ])
  expect(await retryJobs(db, '999999')).toBe(0)
  expect(await retryJobs(db, first)).toBe(1)
  expect(await deadJobs(db)).toHaveLength(1)
  expect(await retryJobs(db)).toBe(1)
  expect(await retryJobs(db)).toBe(0)
  const waiting = await sql`select from graphile_worker.jobs
    where task_identifier = 'mail.send' and attempts = 0 and run_at <= now()`.execute(db)
  expect(waiting.rows).toHaveLength(2)
  await watchJobs(db)
  expect([await alerts(), await gauge()]).toEqual([[], []])
})
