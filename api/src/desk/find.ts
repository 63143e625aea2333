import type { deskFound, deskHome } from '@portico/contract/resources/desk-home.ts'
import { dayMs, minuteMs } from '@portico/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context, Staff } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { likeFolded } from '#platform/jsonapi/declare/like-folded.ts'
import { notStaff } from '#staff/roles.ts'
import { staffSees } from '#staff/ticket-visibility.ts'
import { noteListed } from './looks.ts'
import { isFound } from './search.ts'

type Found = z.input<typeof deskHome.actions.find.output>
type Asked = { readonly staff: Staff; readonly text: RawBuilder<string> }

const mostOfKind = 5

/** The searches of one person in a minute: nobody types more, and a program must not read all clients. */
const mostInMinute = 60

/**
 * Counts a search in the database, so that replicas do not multiply the limit, and the clients that it may answer. Throws
 * `rate_limited`, and like `noteListed`.
 */
export async function countSearch(context: Pick<Context, 'tx' | 'actor' | 'now'>): Promise<void> {
  const {
    tx,
    actor: { staff },
    now,
  } = context
  if (staff === undefined) return
  const at = now.toISOString()
  const { rows } = await sql`insert into staff_searches as s (admin_id, minute)
    values (${staff.id}, date_trunc('minute', ${at}::timestamptz))
    on conflict (admin_id, minute) do update set searches = s.searches + 1 where s.searches < ${mostInMinute}
    returning searches`.execute(tx)
  if (rows.length > 0) return noteListed(context, mostOfKind)
  const seconds = Math.ceil((minuteMs - (now.getTime() % minuteMs)) / 1000)
  throw refuse(
    'rate_limited',
    { most: mostInMinute, seconds },
    { headers: { 'retry-after': String(seconds) } },
  )
}

/** Deletes the counts of past days. */
export async function pruneSearches(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - dayMs).toISOString()
  await db.deleteFrom('staff_searches').where('minute', '<', before).execute()
}

/** Selects id, client_id and title; the owner is added to all alike. */
const kinds: Record<z.output<typeof deskFound>, (asked: Asked) => RawBuilder<unknown> | undefined> = {
  // It ends at its first five, because a word that all have would otherwise read every client.
  client: ({
    text,
  }) => sql`select c.id, c.id as client_id, coalesce(e.company_name, c.first_name || ' ' || c.last_name) as title
    from clients c left join client_entities e on e.client_id = c.id where c.id = any(array(
      select n.id from clients n where ${isFound('n', text)} and ${notStaff('n')} limit ${sql.lit(mostOfKind)}))`,
  panel: ({ text }) => sql`select p.id, p.client_id, p.name as title from panels p
    where p.deleted_at is null and ${likeFolded(sql`p.name || ' ' || coalesce(p.domain, '')`, text)}`,
  domain: ({ text }) => sql`select r.id, p.client_id, r.name as title from panel_resources r
    join panels p on p.id = r.panel_id and p.deleted_at is null
    where r.kind = 'domain' and r.gone_at is null and ${likeFolded(sql`r.name`, text)}`,
  server: ({ text }) => sql`select r.id, p.client_id, r.name as title from panel_resources r
    join panels p on p.id = r.panel_id and p.deleted_at is null
    where r.kind = 'server' and r.gone_at is null and r.spec ->> 'ipv4' = ${text}`,
  document: ({ text }) => sql`select i.id, i.client_id, i.full_number as title from invoices i
    where upper(i.full_number) = upper(${text}) and i.issued_at is not null`,
  payment: ({ text }) =>
    sql`select y.id, y.client_id, y.provider_ref as title from payments y where y.provider_ref = ${text}`,
  // Support sees no cards.
  card: ({ staff, text }) =>
    staff.role === 'support'
      ? undefined
      : sql`select k.id, k.client_id, k.brand || ' ' || k.last4 as title from cards k
        where k.last4 = ${text} and k.status = 'active'`,
  ticket: ({
    staff: { id, role },
    text,
  }) => sql`select t.id, t.client_id, t.number || ' ' || t.subject as title from tickets t
    where t.number in (upper(${text}), 'T-' || upper(${text}))
      and ${staffSees('t', { id: sql`${id}::int8`, role: sql`${role}::text` })}`,
}

/** Finds a few rows of each kind by name in one statement: the first ones, because sorting would mean reading them all. */
export async function find(
  { tx, actor: { staff } }: Pick<Context, 'tx' | 'actor'>,
  { input: { search } }: { readonly input: { readonly search: string } },
): Promise<Found> {
  if (staff === undefined) throw new Error('The policy lets staff alone through.')
  const asked = { staff, text: sql<string>`${search}::text` }
  const parts = Object.entries(kinds).flatMap(([kind, select]) => {
    const rows = select(asked)
    return rows === undefined
      ? []
      : [
          sql`(select ${kind}::text as found, f.id, f.client_id, f.title from (${rows}) f
            join clients o on o.id = f.client_id where ${notStaff('o')} limit ${sql.lit(mostOfKind)})`,
        ]
  })
  const { rows } = await sql<Found['found'][number]>`
    select f.found, f.id, f.client_id, f.title, case when f.found = 'client' then c.email::text
      else c.first_name || ' ' || c.last_name end as about
    from (${sql.join(parts, sql` union all `)}) f join clients c on c.id = f.client_id
    order by array_position(${Object.keys(kinds)}::text[], f.found), f.title, f.id`.execute(tx)
  return { found: rows }
}
