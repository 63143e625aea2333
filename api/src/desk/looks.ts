import { dayMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { alertStaff } from '#platform/alerts.ts'
import type { Context, Staff } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { recentMs } from '#platform/recent-sign-in.ts'

/** The clients that one person opens in an hour and in a UTC day; those who work with money see more of them. */
const mostInHour = 60
const mostInDay = { support: 300, billing: 600, admin: 300, readonly: 300 } as const satisfies Record<
  Staff['role'],
  number
>

/** The role whose lists are counted; those who work with money have lists of everybody. */
export const listedTo = 'support'

/**
 * The rows of clients that lists and searches answer to one person of support: a hundred full pages in an hour, which nobody reads
 * in an hour of work.
 */
const mostListed = { hour: 5000, day: 20_000 } as const

type Looking = Pick<Context, 'tx' | 'actor' | 'now'>

/**
 * Notes that a member of staff opens a client, and alerts administrators when it is one of unusually many. Further ones
 * need a recent sign-in, which a stolen session does not have; what is refused is not counted. Throws `staff_looks_most`.
 */
export async function noteLook(
  { tx, actor: { staff, authenticatedAt }, now }: Looking,
  client: number,
): Promise<void> {
  if (staff === undefined) return
  const at = now.toISOString()
  // Concurrent looks of the same person are counted one after the other.
  await tx.selectFrom('admins').select('id').where('id', '=', staff.id).forNoKeyUpdate().execute()
  await sql`insert into staff_looks as k (admin_id, hour, client_id)
    values (${staff.id}, date_trunc('hour', ${at}::timestamptz, 'utc'), ${client})
    on conflict (admin_id, hour, client_id) do update set looks = k.looks + 1`.execute(tx)
  const { rows } = await sql<{ hour: number; day: number; name: string }>`
    select count(distinct k.client_id) filter (where k.hour = date_trunc('hour', ${at}::timestamptz, 'utc'))::int as hour,
      count(distinct k.client_id)::int as day, (select display_name from admins where id = ${staff.id}) as name
    from staff_looks k where k.admin_id = ${staff.id} and k.hour >= date_trunc('day', ${at}::timestamptz, 'utc')`.execute(
    tx,
  )
  const [{ hour, day, name } = { hour: 0, day: 0, name: '' }] = rows
  const most = mostInDay[staff.role]
  if (hour >= mostInHour || day >= most)
    await alertStaff(tx, `${name} (${staff.id})`, 'staff_looks', { hour, day })
  if ((hour > mostInHour || day > most) && !isRecent(authenticatedAt, now))
    throw refuse('staff_looks_most', { hour: mostInHour, day: most })
}

const isRecent = (authenticatedAt: string | undefined, now: Date) =>
  authenticatedAt !== undefined && Date.parse(authenticatedAt) + recentMs > now.getTime()

/**
 * Notes the rows of clients that a list or search answers to support, and alerts administrators when they are unusually many. Further
 * ones need a recent sign-in, as for `noteLook`. Throws `staff_listed_most`.
 */
export async function noteListed(
  { tx, actor: { staff, authenticatedAt }, now }: Looking,
  count: number,
): Promise<void> {
  if (staff?.role !== listedTo) return
  const at = now.toISOString()
  // The row is locked until the end, so concurrent lists of the same person are counted one after the other.
  await sql`insert into staff_listings as l (admin_id, hour, listed)
    values (${staff.id}, date_trunc('hour', ${at}::timestamptz, 'utc'), ${count})
    on conflict (admin_id, hour) do update set listed = l.listed + excluded.listed`.execute(tx)
  const { rows } = await sql<{ hour: number; day: number; name: string }>`
    select coalesce(sum(l.listed) filter (where l.hour = date_trunc('hour', ${at}::timestamptz, 'utc')), 0)::int as hour,
      coalesce(sum(l.listed), 0)::int as day, (select display_name from admins where id = ${staff.id}) as name
    from staff_listings l where l.admin_id = ${staff.id} and l.hour >= date_trunc('day', ${at}::timestamptz, 'utc')`.execute(
    tx,
  )
  const [{ hour, day, name } = { hour: 0, day: 0, name: '' }] = rows
  if (hour < mostListed.hour && day < mostListed.day) return
  await alertStaff(tx, `${name} (${staff.id})`, 'staff_looks_listed', { hour, day })
  const before = { hour: hour - count, day: day - count }
  const isAbove = before.hour >= mostListed.hour || before.day >= mostListed.day
  if (isAbove && !isRecent(authenticatedAt, now)) throw refuse('staff_listed_most', mostListed)
}

// Longer than anyone asks who read what; the log keeps what was done.
const keptDays = 400

/** Deletes looks of more than a year ago, and views of accounts, which ended then. */
export async function pruneLooks(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs).toISOString()
  await db.deleteFrom('staff_looks').where('hour', '<', before).execute()
  await db.deleteFrom('staff_listings').where('hour', '<', before).execute()
  await db.deleteFrom('client_views').where('until', '<', before).execute()
}
