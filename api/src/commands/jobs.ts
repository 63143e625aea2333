import { CannotStart, readEnv } from '#config/env.ts'
import type { Pool } from '#platform/db/pool.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { deadJobs, retryJobs } from '#staff/dead-jobs.ts'
import { withDatabase } from './with-database.ts'

const usage = `Jobs that have used all their attempts and are not retried automatically.

  npm run jobs:list
  npm run jobs:retry -- ID      retries one, at once
  npm run jobs:retry -- --all   retries all of them`

type Db = Pool['kysely']

async function list(db: Db, more: string[]): Promise<void> {
  if (more.length > 0) throw new CannotStart(usage)
  const jobs = await deadJobs(db)
  for (const { id, task, attempts, failed_at, last_error } of jobs)
    console.log(
      `${id}  ${task}  failed ${attempts} times, last at ${failed_at}: ${last_error?.split('\n')[0] ?? ''}`,
    )
  if (jobs.length === 0) console.log('There are no dead jobs.')
}

async function retry(db: Db, [which = '', ...more]: string[]): Promise<void> {
  const all = which === '--all'
  if (!(all || /^[1-9][0-9]{0,17}$/.test(which)) || more.length > 0) throw new CannotStart(usage)
  const many = await retryJobs(db, all ? undefined : which)
  if (many === 0 && !all) throw new CannotStart(`There is no dead job with the id ${which}.`)
  console.log(many === 1 ? 'Retrying 1 job.' : `Retrying ${many} jobs.`)
}

function run(db: Db, command: string | undefined, args: string[]): Promise<void> {
  switch (command) {
    case 'list':
      return list(db, args)
    case 'retry':
      return retry(db, args)
    default:
      throw new CannotStart(usage)
  }
}

/** `npm run jobs:list` and `npm run jobs:retry`. */
async function main([command, ...args]: string[]): Promise<void> {
  await withDatabase(readEnv(process.env), `jobs:${command}`, async (pool, _, connection) => {
    await installJobs(connection)
    await run(pool.kysely, command, args)
  })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
