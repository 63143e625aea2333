import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

const rateBatch = 2500
// Few enough that who looks at today does not wait for a step through earlier days.
const earlierBatch = 1000
const freshDays = 2
// Few enough that a busy machine charges them well within what a statement may take.
const chargeBatch = 100
// The work is the database's, which has a process for each: one alone would leave half of a small machine idle.
const chargersAtOnce = 2
const longestChargeMs = 20_000
// Shorter than a job may take; what is left is taken up by the next one at once.
const longestRunMs = 15_000

const refusedDays = 100
const aheadDays = 7
const lateDays = 35

type Rated = {
  readonly rated: number
  readonly unpriced: number
  readonly last_day: string
  readonly last_panel: number
  readonly last_resource: string
}

/** Where rating goes on: behind the last sum that it came to. */
type Place = Pick<Rated, 'last_day' | 'last_panel' | 'last_resource'>

const before = (day: string): Place => ({ last_day: day, last_panel: 0, last_resource: '' })

/** What a run of rating came to; `unfinished` when its time was over first. */
export type RateRun = { readonly rated: number; readonly unpriced: number; readonly unfinished: boolean }

/** The first of the days that people look at, and whether days before it wait to be rated behind a place. */
async function waiting(db: Database, place: Place): Promise<{ fresh: string; older: boolean }> {
  const { rows } = await sql<{ fresh: string; older: boolean }>`
    select f.day as fresh, exists (select from usage_meter_days d where d.dirty and d.usage_on < f.day
      and (d.usage_on, d.panel_id, d.resource_ref)
        > (${place.last_day}::date, ${place.last_panel}::int8, ${place.last_resource}::text)) as older
    from (select clock_today() - ${freshDays - 1}::int as day) f`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database answered nothing.')
  return row
}

async function rateFrom(db: Database, place: Place, batch: number): Promise<Rated> {
  const { rows } = await sql<Rated>`select rated, unpriced, last_day, last_panel, last_resource
    from usage_rate(${batch}, ${place.last_day}, ${place.last_panel}, ${place.last_resource})`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database answered nothing.')
  return row
}

/**
 * Rates what was counted since the last time, and answers how many sums there were and how many of them have no price:
 * those cost nothing until the operator has set one, and ought to be told. Today and yesterday come first, and again after
 * each small step through earlier days: an engine that sends a month at once keeps nobody from seeing what today costs.
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
    // What is told of again meanwhile comes up at the next run, so that it does not keep this one from the rest.
    for (let last: Rated | undefined; last === undefined || last.rated >= rateBatch; ) {
      last = await step(last ?? before(fresh), rateBatch)
      if (performance.now() >= until) return { ...sum, unfinished: older || last.rated >= rateBatch }
    }
    if (!older) return { ...sum, unfinished: false }
    earlier = await step(earlier, earlierBatch)
  }
}

/** The UTC days that are over and not wholly charged, the oldest first, and whether it is too late to wait for engines. */
async function dueDays(db: Database): Promise<{ day: string; everyone: boolean }[]> {
  const { rows } = await sql<{ day: string; everyone: boolean }>`
    select usage_on as day, clock_now() >= ((usage_on + 1)::timestamp + interval '6 hours') at time zone 'utc' as everyone
    from (select distinct usage_on from usage_client_days where due and usage_on < clock_today()) d order by usage_on`.execute(
    db,
  )
  return rows
}

/** What a run of charging came to; `unfinished` when its time was over first. */
export type ChargeRun = { readonly charged: number; readonly unfinished: boolean }

type DueDay = { readonly day: string; readonly everyone: boolean; readonly batch?: number }

/** Charges those of a day's clients who are not at work elsewhere, one batch after another. */
async function chargeOthers(
  db: Database,
  { day, everyone, batch = chargeBatch }: DueDay,
  followed: (tx: Database) => Promise<void>,
  until: number,
): Promise<ChargeRun> {
  let charged = 0
  for (let after = 0; performance.now() < until; ) {
    const clients = await db.transaction().execute(async (tx) => {
      // Nobody waits for the answer, and a machine that is busy for a moment is no reason to begin again.
      await sql`set local statement_timeout = ${sql.lit(longestChargeMs)}`.execute(tx)
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
 * Charges the clients of one day who are due, in short transactions, each with what `followed` asks for. Any
 * number of processes may do so at once, and be killed at any moment: each client is charged once.
 */
export async function chargeDay(
  db: Database,
  due: DueDay,
  followed: (tx: Database) => Promise<void>,
  until = Number.POSITIVE_INFINITY,
): Promise<ChargeRun> {
  const at = Array.from({ length: chargersAtOnce }, () => chargeOthers(db, due, followed, until))
  // Nothing goes on behind a failure.
  await Promise.allSettled(at)
  const runs = await Promise.all(at)
  return {
    charged: runs.reduce((sum, { charged }) => sum + charged, 0),
    unfinished: runs.some(({ unfinished }) => unfinished),
  }
}

/** Charges all days that are over and due: a day that was missed, or what came late, is found as it stands. */
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

/** Makes the partitions of the days to come, and forgets what was refused long ago. */
export async function tendPartitions(db: Database): Promise<void> {
  await sql`select usage_partitions(array_agg(d::date))
    from generate_series(clock_today() - ${lateDays}::int, clock_today() + ${aheadDays}::int, interval '1 day') d`.execute(
    db,
  )
  await sql`delete from usage_rejections where last_at < clock_today() - ${refusedDays}::int`.execute(db)
}
