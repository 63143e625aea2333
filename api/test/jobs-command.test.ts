import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { Pool } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { commandIn } from './support/command.ts'
import { temporaryFolder } from './support/temporary.ts'

const place = temporaryFolder('jobs')
const portal = await startEmbedded({ dataDir: place.folder, durable: false })
await migrate(portal.connection)
await installJobs(portal.connection)
const pool = new Pool(portal.connection, 1, () => undefined)

afterAll(async () => {
  await pool.close()
  await portal.stop()
  place.remove()
})

const command = commandIn(place.folder, 'api/src/commands/jobs.ts')

test('dead jobs are listed and retried by commands while the portal runs', async () => {
  expect(command('list')).toMatchObject({
    status: 0,
    said: expect.stringContaining('There are no dead jobs.'),
  })
  await enqueue(pool.kysely, 'mail.send', { letterId: 1 })
  const { rows } = await sql<{ id: string }>`update graphile_worker._private_jobs set attempts = max_attempts,
    last_error = 'The server hung up' returning id::text`.execute(pool.kysely)
  const id = rows[0]?.id ?? ''
  expect(command('list').said).toMatch(
    new RegExp(`^${id}  mail\\.send  failed 10 times.+The server hung up`, 'm'),
  )
  expect(command('retry', id).said).toContain('Retrying 1 job.')
  expect(command('list').said).toContain('There are no dead jobs.')
  expect(command('retry', '--all').said).toContain('Retrying 0 jobs.')
}, 60_000)

test.each([
  [['retry', '999999'], 'There is no dead job with the id 999999.'],
  [['retry'], 'npm run jobs:retry'],
  [['retry', '1; drop'], 'npm run jobs:retry'],
])(
  '%j is refused with a sentence',
  (args, words) => {
    const { status, said } = command(...args)
    expect([status, said.includes(words), said.includes('    at ')]).toEqual([1, true, false])
  },
  60_000,
)
