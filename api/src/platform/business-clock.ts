import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

/** The UTC day of the business clock, and its lead over the calendar in days. */
export type BusinessDay = { readonly day: string; readonly ahead: number }

export async function businessDay(db: Database): Promise<BusinessDay> {
  const { rows } = await sql<BusinessDay>`select clock_today() as day,
    clock_today() - (now() at time zone 'utc')::date as ahead`.execute(db)
  const [today] = rows
  if (!today) throw new Error('The business clock has no row.')
  return today
}

/** Advances the business clock by a day. Only a demo does that; nothing moves it back. */
export async function moveOnByDay(db: Database): Promise<void> {
  await sql`update clock set ahead = ahead + interval '1 day'`.execute(db)
}
