import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'

/** The kind of a call. Every call counts towards the minute. */
export type OfficeCall = 'upload' | 'state' | 'download' | 'list' | 'token'

// The office allows 1 000 calls in any minute. Ours begin on the clock, so that two of them may lie within one of its own.
const perMinute = 500

/** The largest file in bytes that the office takes: 10 MB. */
export const mostUploadBytes = 10_485_760

/** Calls a day and message, or a day in all where they are about no message. */
const perDay: { readonly [C in OfficeCall]?: number } = { state: 100, download: 10, list: 100_000 }

const minute = sql`date_trunc('minute', now())`
// The day of the office.
const today = sql`date_trunc('day', now() at time zone 'Europe/Bucharest') at time zone 'Europe/Bucharest'`

type Counted = { readonly kind: string; readonly about: string; readonly most: number }

async function count(
  db: Database,
  since: ReturnType<typeof sql>,
  { kind, about, most }: Counted,
): Promise<boolean> {
  const { rows } = await sql`insert into tax_office_calls as c (kind, about, since, calls)
    values (${kind}, ${about}, ${since}, 1)
    on conflict (kind, about, since) do update set calls = c.calls + 1 where c.calls < ${most}
    returning calls`.execute(db)
  return rows.length > 0
}

/** Counts a call before it is made, in all processes; false where the office would not allow it now. */
export async function mayCall(db: Database, call: OfficeCall, about = ''): Promise<boolean> {
  const most = perDay[call]
  if (most !== undefined && !(await count(db, today, { kind: call, about, most }))) return false
  return count(db, minute, { kind: 'all', about: '', most: perMinute })
}

/** Removes the counts of past days. */
export async function pruneCalls(db: Database): Promise<void> {
  await sql`delete from tax_office_calls where since < now() - interval '2 days'`.execute(db)
}
