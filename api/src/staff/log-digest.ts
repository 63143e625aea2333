import { dayMs } from '@portico/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { setForTransaction } from '#platform/db/settings.ts'
import { transact } from '#platform/db/transact.ts'

/** What the log of staff holds of a UTC day: its rows, and a SHA-256 of them in hexadecimal. */
export type LogDay = {
  readonly day: string
  readonly actions: number
  readonly actions_sha256: string
  /** Rows of what the actions changed. Values that are erased with an account change this digest, and no other. */
  readonly changes: number
  readonly changes_sha256: string
}

// The columns are named, so that a later one changes no digest of before: the last two are those of writes without a person.
const action = sql`jsonb_build_array(a.id, extract(epoch from a.at), a.admin_id, a.approved_by, a.verb, a.type, a.ref, a.client_id,
  a.reason, a.request_id, host(a.ip), a.amount)
  || case when a.origin = 'desk' then '[]'::jsonb else jsonb_build_array(a.origin, a.caller) end`
const change = sql`jsonb_build_array(c.id, c.action_id, c.table_name, c.row_id, c.op, c.before, c.after)`

// Each row is hashed by itself: together the rows of a day may be longer than PostgreSQL lets a text be.
const digest = (row: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql`encode(sha256(coalesce(string_agg(sha256(convert_to(${row}::text, 'UTF8')), ''::bytea order by ${id}), '')), 'hex')`

// A member of staff may fill a day with changes.
const longestDay = '2min'

/** A UTC day of the log of staff. */
function logDay(db: Database, day: string): Promise<LogDay> {
  const from = sql`${day}::timestamp at time zone 'utc'`
  const to = sql`(${day}::timestamp + interval '1 day') at time zone 'utc'`
  return transact(db, 'read only', async (tx) => {
    await setForTransaction(tx, 'statement_timeout', longestDay)
    const { rows } =
      await sql<LogDay>`select ${day}::date::text as day, x.actions, x.actions_sha256, y.changes, y.changes_sha256
      from (select count(*)::int as actions, ${digest(action, sql`a.id`)} as actions_sha256
          from staff_actions a where a.at >= ${from} and a.at < ${to}) x,
        (select count(*)::int as changes, ${digest(change, sql`c.id`)} as changes_sha256
          from staff_actions a join staff_action_changes c on c.action_id = a.id where a.at >= ${from} and a.at < ${to}) y`.execute(
        tx,
      )
    const [found] = rows
    if (!found) throw new Error('An aggregate returned no row.')
    return found
  })
}

const onDay = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The days of the log of staff from one UTC day to another, both of them, in their order; of a day without actions too. */
export async function* logDays(db: Database, from: string, to: string): AsyncGenerator<LogDay> {
  for (let day = from; day <= to; day = onDay(day, 1)) yield await logDay(db, day)
}

/** For so many days a digest is told again each night: a night without a portal loses none, and a change shows. */
const toldDays = 7

/** The days that are told at a moment; the present one is not over. */
export function toldLogDays(db: Database, now: Date): AsyncGenerator<LogDay> {
  const today = now.toISOString().slice(0, 10)
  return logDays(db, onDay(today, -toldDays), onDay(today, -1))
}
