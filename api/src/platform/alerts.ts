import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'

// Slightly less than a day, so that a daily check raises a daily alert.
const againAfter = sql.lit('23 hours')

/** A detail as the database can keep it: the words of others may be cut within a character. */
const storable = (detail: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(detail, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
  )

/**
 * Alerts staff about a case that a person must decide: once per case, and again after it was resolved or a
 * day has passed. A case is a kind and a subject: a payment by its id, or a constant text. The client
 * concerned is notified once per case. The detail of an open alert is always the newest. Returns whether an alert was
 * raised now.
 */
export async function alertStaff(
  tx: Database,
  about: number | string,
  kind: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const [paymentId, words] = typeof about === 'number' ? [about, `payment ${about}`] : [null, about]
  const { rows } = await sql<{ id: number; notified_at: string | null; raised: boolean }>`
    insert into staff_alerts as a (payment_id, about, kind, detail)
    values (${paymentId}, ${words}, ${kind}, ${storable(detail)})
    on conflict (kind, about) where resolved_at is null do update set detail = excluded.detail,
      told_at = case when a.told_at < now() - ${againAfter}::interval then now() else a.told_at end
      where a.told_at < now() - ${againAfter}::interval or a.detail is distinct from excluded.detail
    returning a.id, a.notified_at, a.told_at = now() as raised`.execute(tx)
  const raised = rows.filter((row) => row.raised)
  for (const { id, notified_at } of raised)
    if (notified_at === null) await enqueue(tx, 'staff.alert', { alertId: id })
  return raised.length > 0
}

/** Corrects the detail of the open alert of a case, if there is one. It is not raised again. */
export async function correctAlert(
  tx: Database,
  about: string,
  kind: string,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await sql`update staff_alerts set detail = ${storable(detail)}
    where kind = ${kind} and about = ${about} and resolved_at is null`.execute(tx)
}

/** Resolves the open alerts of a kind except those of ongoing cases. */
export async function resolveOthers(tx: Database, kind: string, goingOn: readonly string[]): Promise<void> {
  await sql`update staff_alerts set resolved_at = now()
    where kind = ${kind} and resolved_at is null and about <> all(${[...goingOn]}::text[])`.execute(tx)
}

/** Resolves the open alert of a case. */
export async function resolveAlert(tx: Database, about: string, kind: string): Promise<void> {
  await sql`update staff_alerts set resolved_at = now()
    where about = ${about} and kind = ${kind} and resolved_at is null`.execute(tx)
}
