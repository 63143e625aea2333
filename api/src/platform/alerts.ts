import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'

// A little less than a day, so that what is looked at once a day is told once a day.
const againAfter = sql.lit('23 hours')

/**
 * Tells staff of something that only a person can decide: once for each case, and again when it was resolved or a day has
 * passed. A case is a kind and what it is about: a payment by its id, or words that are the same each time. Whom it concerns is
 * notified once for each case. Returns whether it was told now.
 */
export async function alertStaff(
  tx: Database,
  about: number | string,
  kind: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const [paymentId, words] = typeof about === 'number' ? [about, `payment ${about}`] : [null, about]
  const { rows } = await sql<{ id: number; notified_at: string | null }>`
    insert into staff_alerts as a (payment_id, about, kind, detail)
    values (${paymentId}, ${words}, ${kind}, ${JSON.stringify(detail)})
    on conflict (kind, about) where resolved_at is null do update set detail = excluded.detail, told_at = now()
      where a.told_at < now() - ${againAfter}::interval
    returning a.id, a.notified_at`.execute(tx)
  for (const { id, notified_at } of rows)
    if (notified_at === null) await enqueue(tx, 'staff.alert', { alertId: id })
  return rows.length > 0
}

/** Resolves the open alert of a case that is over. */
export async function resolveCase(tx: Database, about: string, kind: string): Promise<void> {
  await sql`update staff_alerts set resolved_at = now()
    where kind = ${kind} and about = ${about} and resolved_at is null`.execute(tx)
}

/** Resolves the open alerts of a kind whose case is over: all but those about what goes on. */
export async function resolveOthers(tx: Database, kind: string, goingOn: readonly string[]): Promise<void> {
  await sql`update staff_alerts set resolved_at = now()
    where kind = ${kind} and resolved_at is null and about <> all(${[...goingOn]}::text[])`.execute(tx)
}

/** Closes the open case of a kind that was repaired without a person. */
export async function resolveAlert(tx: Database, about: string, kind: string): Promise<void> {
  await sql`update staff_alerts set resolved_at = now()
    where about = ${about} and kind = ${kind} and resolved_at is null`.execute(tx)
}
