import type { Env } from '#config/env.ts'
import type { Pool } from '#platform/db/pool.ts'
import { type Finding, good, note, wrong } from './finding.ts'

/** Reads one row of figures. */
async function read<R extends Record<string, unknown>>(pool: Pool, sql: string): Promise<R> {
  const [row] = await pool.run<R>({ sql, values: [] })
  if (row === undefined) throw new Error('The statement always has one row.')
  return row
}

async function operator(pool: Pool): Promise<Finding[]> {
  const found = await read<{ operator: boolean; kinds: string[]; proforma: boolean }>(
    pool,
    `select exists (select from operator_profile) as operator, exists (select from proforma_series) as proforma,
      coalesce((select array_agg(distinct kind) from invoice_series), '{}') as kinds`,
  )
  const missing = ['fiscal', 'credit_note'].filter((kind) => !found.kinds.includes(kind))
  if (!found.proforma) missing.push('proforma')
  const enter = 'an administrator enters it at /desk/company.'
  return [
    found.operator
      ? good('operator', 'its data is entered.')
      : wrong('operator', `its data is missing, so no payment is taken and no document issued; ${enter}`),
    missing.length === 0
      ? good('series', 'documents of every kind have numbers.')
      : wrong('series', `one for ${missing.join(', ')} documents is missing, so none is issued; ${enter}`),
  ]
}

const oldRateDays = 6

async function rates(pool: Pool): Promise<Finding[]> {
  const { all, old } = await read<{ all: string[]; old: string[] }>(
    pool,
    `select coalesce(array_agg(base order by base), '{}') as all, coalesce(array_agg(base order by base)
        filter (where not counts or newest < clock_today() - ${oldRateDays}), '{}') as old from fx_needs`,
  )
  // Which rates are needed depends on the currency of the operator.
  if (all.length === 0) return []
  if (old.length === 0) return [good('rates', `${all.join(', ')} has a recent exchange rate.`)]
  const sentence = `${old.join(', ')} has no recent exchange rate, so no payment in it is taken, or soon none; look for the job fx.fetch in the log, or enter a rate by npm run fx:add.`
  return [wrong('rates', sentence)]
}

async function staff(pool: Pool): Promise<Finding> {
  const { admins } = await read<{ admins: number }>(
    pool,
    `select count(*)::int as admins from admins where role = 'admin' and disabled_at is null and auth_id is not null`,
  )
  return admins > 0
    ? good('staff', `${admins === 1 ? 'one administrator is' : `${admins} administrators are`} active.`)
    : wrong('staff', 'there is no administrator; open the link of npm run setup:link.')
}

const longestDueMinutes = 10

async function jobs(pool: Pool): Promise<Finding[]> {
  const { minutes, dead } = await read<{ minutes: number; dead: number }>(
    pool,
    `select coalesce(extract(epoch from now() - min(run_at) filter (where run_at <= now() and attempts < max_attempts)) / 60, 0)::int
        as minutes, count(*) filter (where attempts >= max_attempts)::int as dead
      from graphile_worker.jobs where locked_at is null`,
  )
  return [
    minutes <= longestDueMinutes
      ? good('jobs', 'none is late.')
      : wrong(
          'jobs',
          `the oldest has been due for ${minutes} minutes; start a replica with WORKERS=1, and look at its log.`,
        ),
    ...(dead === 0
      ? []
      : [
          wrong(
            'jobs',
            `${dead} failed for the last time; npm run jobs:list shows why, npm run jobs:retry -- --all retries them.`,
          ),
        ]),
  ]
}

async function usage(pool: Pool): Promise<Finding[]> {
  const { unpriced } = await read<{ unpriced: number }>(
    pool,
    'select count(*)::int as unpriced from usage_meter_days where unpriced',
  )
  const sentence = `${unpriced} sums of usage have no price and are not charged; add the prices, docs/operations/prices.md.`
  return unpriced === 0 ? [] : [wrong('prices', sentence)]
}

async function backups(pool: Pool, env: Env): Promise<Finding> {
  const { hours } = await read<{ hours: number | null }>(
    pool,
    `select (select floor(extract(epoch from now() - (value #>> '{}')::timestamptz) / 3600)::int
      from settings where key = 'backup_at') as hours`,
  )
  if (hours === null)
    return note(
      'backup',
      'npm run backup was never used here; make sure that the database and the files are backed up.',
    )
  const late = env.seed === 'none' && hours > 26
  return late
    ? wrong('backup', `the last one was made ${hours} hours ago; run npm run backup each night.`)
    : good('backup', `the last one was made ${hours} hours ago.`)
}

/** Checks what the operator has entered, and what is stuck. */
export async function checkSetUp(pool: Pool, env: Env): Promise<Finding[]> {
  return [
    ...(await operator(pool)),
    ...(await rates(pool)),
    await staff(pool),
    ...(await jobs(pool)),
    ...(await usage(pool)),
    await backups(pool, env),
  ]
}
