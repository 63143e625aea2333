import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

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

const digest = (row: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql`encode(sha256(convert_to(coalesce(string_agg(${row}::text, chr(10) order by ${id}), ''), 'UTF8')), 'hex')`

/** The days of the log of staff from one UTC day to another, both of them, in their order; of a day without actions too. */
export async function logDays(db: Database, from: string, to: string): Promise<LogDay[]> {
  const { rows } = await sql<LogDay>`
    select d.day::date::text as day, x.actions, x.actions_sha256, y.changes, y.changes_sha256
    from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') d (day)
      cross join lateral (select count(*)::int as actions, ${digest(action, sql`a.id`)} as actions_sha256
        from staff_actions a where a.at >= d.day at time zone 'utc' and a.at < (d.day + interval '1 day') at time zone 'utc') x
      cross join lateral (select count(*)::int as changes, ${digest(change, sql`c.id`)} as changes_sha256
        from staff_actions a join staff_action_changes c on c.action_id = a.id
        where a.at >= d.day at time zone 'utc' and a.at < (d.day + interval '1 day') at time zone 'utc') y
    order by 1`.execute(db)
  return rows
}

/** For so many days a digest is told again each night: a night without a portal loses none, and a change shows. */
const toldDays = 7

/** The days that are told at a moment; the present one is not over. */
export function toldLogDays(db: Database, now: Date): Promise<LogDay[]> {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10)
  return logDays(db, before(toldDays), before(1))
}
