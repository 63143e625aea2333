import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { setForTransaction } from '#platform/db/settings.ts'
import { lateDays } from './judged-events.ts'

const rateBatch = 2500
// Small enough that rating today waits only briefly for a step through earlier days.
const earlierBatch = 1000
const freshDays = 2
// Small enough that a busy machine charges them well within the statement timeout.
const chargeBatch = 100
// The database does the work, with a process per connection: one alone would leave half of a small machine
// idle.
const chargersAtOnce = 2
// A background job may wait longer than a request: a busy moment must not restart its batch.
const longestStatement = '20s'
// Shorter than the limit of a job; the next job continues with the rest.
const longestRunMs = 15_000

const refusedDays = 100
const aheadDays = 7

type Rated = {
  readonly rated: number
  readonly unpriced: number
  readonly last_day: string
  readonly last_panel: number
  readonly last_resource: string
}

/** The position after the last rated sum. */
type Place = Pick<Rated, 'last_day' | 'last_panel' | 'last_resource'>

const before = (day: string): Place => ({ last_day: day, last_panel: 0, last_resource: '' })

/** The result of a rating run; `unfinished` when its time limit was reached. */
export type RateRun = { readonly rated: number; readonly unpriced: number; readonly unfinished: boolean }

/** The first of the days that people look at, and whether earlier days wait for rating after a position. */
async function waiting(db: Database, place: Place): Promise<{ fresh: string; older: boolean }> {
  const { rows } = await sql<{ fresh: string; older: boolean }>`
    select f.day as fresh, exists (select from usage_meter_days d where d.dirty and d.usage_on < f.day
      and (d.usage_on, d.panel_id, d.resource_ref)
        > (${place.last_day}::date, ${place.last_panel}::int8, ${place.last_resource}::text)) as older
    from (select clock_today() - ${freshDays - 1}::int as day) f`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database returned no row.')
  return row
}

const ofLongStatement = <T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await setForTransaction(tx, 'statement_timeout', longestStatement)
    return work(tx)
  })

async function rateFrom(db: Database, place: Place, batch: number): Promise<Rated> {
  const { rows } = await ofLongStatement(db, (tx) =>
    sql<Rated>`select rated, unpriced, last_day, last_panel, last_resource
      from usage_rate(${batch}, ${place.last_day}, ${place.last_panel}, ${place.last_resource})`.execute(tx),
  )
  const [row] = rows
  if (!row) throw new Error('The database returned no row.')
  return row
}

/**
 * Rates the usage since the last run; returns the number of sums and of unpriced ones, which cost nothing
 * until the operator sets a price and should be alerted. Today and yesterday come first, and again after each
 * small step through earlier days, so that an engine that sends a month at once does not delay today's costs.
 */
export async function rateUsage(db: Database, until = Number.POSITIVE_INFINITY): Promise<RateRun> {
  const sum = { rated: 0, unpriced: 0 }
  const step = async (place: Place, batch: number) => {
    const done = await rateFrom(db, place, batch)
    sum.rated += done.rated
    sum.unpriced += done.unpriced
    return done
  }
  for (let earlier = before('-infinity'); ; ) {
    const { fresh, older } = await waiting(db, earlier)
    // Usage that changes again meanwhile is left to the next run, so that it cannot starve the rest.
    for (let last: Rated | undefined; last === undefined || last.rated >= rateBatch; ) {
      last = await step(last ?? before(fresh), rateBatch)
      if (performance.now() >= until) return { ...sum, unfinished: older || last.rated >= rateBatch }
    }
    if (!older) return { ...sum, unfinished: false }
    earlier = await step(earlier, earlierBatch)
  }
}

/** The past UTC days that are not fully charged, oldest first, and whether the wait for engines is over. */
async function dueDays(db: Database): Promise<{ day: string; everyone: boolean }[]> {
  const { rows } = await sql<{ day: string; everyone: boolean }>`
    select usage_on as day, clock_now() >= ((usage_on + 1)::timestamp + interval '6 hours') at time zone 'utc' as everyone
    from (select distinct usage_on from usage_client_days where due and usage_on < clock_today()) d order by usage_on`.execute(
    db,
  )
  return rows
}

/** The result of a charging run; `unfinished` when its time limit was reached. */
export type ChargeRun = { readonly charged: number; readonly unfinished: boolean }

type DueDay = { readonly day: string; readonly everyone: boolean; readonly batch?: number }

/** Charges the clients of a day that no other process has locked, in batches. */
async function chargeOthers(
  db: Database,
  { day, everyone, batch = chargeBatch }: DueDay,
  followed: (tx: Database) => Promise<void>,
  until: number,
): Promise<ChargeRun> {
  let charged = 0
  for (let after = 0; performance.now() < until; ) {
    const clients = await ofLongStatement(db, async (tx) => {
      const { rows } = await sql<{ client_id: number }>`
        select client_id from charge_day(${day}, ${after}, ${batch}, ${everyone})`.execute(tx)
      const ids = rows.map(({ client_id }) => client_id)
      if (ids.length > 0) await followed(tx)
      return ids
    })
    const last = clients.at(-1)
    if (last === undefined) return { charged, unfinished: false }
    charged += clients.length
    after = last
  }
  return { charged, unfinished: true }
}

/**
 * Charges the due clients of one day, in short transactions, each with the follow-up of `followed`. Safe
 * under concurrency and interruption: each client is charged once.
 */
export async function chargeDay(
  db: Database,
  due: DueDay,
  followed: (tx: Database) => Promise<void>,
  until = Number.POSITIVE_INFINITY,
): Promise<ChargeRun> {
  const at = Array.from({ length: chargersAtOnce }, () => chargeOthers(db, due, followed, until))
  // Waits for all branches, so that none runs on after a failure.
  await Promise.allSettled(at)
  const runs = await Promise.all(at)
  return {
    charged: runs.reduce((sum, { charged }) => sum + charged, 0),
    unfinished: runs.some(({ unfinished }) => unfinished),
  }
}

/** Charges all past days that are due, including missed days and late usage. */
export async function chargeDueDays(
  db: Database,
  followed: (tx: Database) => Promise<void>,
): Promise<ChargeRun> {
  const until = performance.now() + longestRunMs
  let charged = 0
  for (const day of await dueDays(db)) {
    const run = await chargeDay(db, day, followed, until)
    charged += run.charged
    if (run.unfinished) return { charged, unfinished: true }
  }
  return { charged, unfinished: false }
}

/** Creates the partitions of coming days, and deletes old rejected events. */
export async function maintainPartitions(db: Database): Promise<void> {
  await sql`select usage_partitions(array_agg(d::date))
    from generate_series(clock_today() - ${lateDays}::int, clock_today() + ${aheadDays}::int, interval '1 day') d`.execute(
    db,
  )
  await sql`delete from usage_rejections where last_at < clock_today() - ${refusedDays}::int`.execute(db)
}
