import { sql } from 'kysely'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { noProblem } from './outcomes.ts'

type EInvoice = RowOf<'e_invoices'>
type On<I> = { readonly row: EInvoice; readonly input: I }

/** A person decides about an unknown outcome after so many days: until then the office may still list the document. */
export const decidableDays = 2

async function hold(
  tx: Database,
  id: number,
): Promise<EInvoice & { readonly old_enough: boolean; readonly searched: boolean }> {
  return tx
    .selectFrom('e_invoices')
    .select(columns.e_invoices)
    .select([
      sql<boolean>`coalesce(begun_at < now() - make_interval(days => ${decidableDays}), false)`.as(
        'old_enough',
      ),
      sql<boolean>`coalesce(searched_at > begun_at + make_interval(days => ${decidableDays}), false)`.as(
        'searched',
      ),
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** A document of unknown outcome that is old enough. Throws `einvoice_not_unknown`, `einvoice_too_early`. */
async function holdUnknown(tx: Database, id: number) {
  const held = await hold(tx, id)
  if (held.state !== 'unknown') throw refuse('einvoice_not_unknown')
  if (!held.old_enough) throw refuse('einvoice_too_early', { days: decidableDays })
  return held
}

/** Whether an index is that of another document, or of a sending that was rejected before. */
async function isTaken(tx: Database, environment: string, index: string): Promise<boolean> {
  const { rows } =
    await sql`select from e_invoices where environment = ${environment} and upload_index = ${index}
    union all select from replaced_e_invoices where environment = ${environment} and upload_index = ${index}`.execute(
      tx,
    )
  return rows.length > 0
}

/**
 * The staff action for a document that the office has: its index is followed, and a signed file of another number undoes the
 * decision. Throws like `holdUnknown`, `einvoice_index_taken`, `recent_sign_in_required`.
 */
export async function wasReceived(context: Context, { row, input }: On<{ readonly upload_index: string }>) {
  const { tx } = context
  assertRecentSignIn(context)
  const { id, environment } = await holdUnknown(tx, row.id)
  if (await isTaken(tx, environment, input.upload_index))
    throw refuse('einvoice_index_taken', {}, { source: { pointer: '/data/attributes/upload_index' } })
  await tx
    .updateTable('e_invoices')
    .set({
      state: 'sent',
      upload_index: input.upload_index,
      is_index_typed: true,
      tries: 0,
      next_at: sql`now()`,
      ...noProblem,
    })
    .where('id', '=', id)
    .execute()
  return { state: 'sent' as const }
}

/**
 * The staff action for a document that the office does not have, by its own lists: it waits again. Throws like `holdUnknown`,
 * `einvoice_not_searched`, `recent_sign_in_required`.
 */
export async function wasNotReceived(context: Context, { row }: On<object>) {
  const { tx } = context
  assertRecentSignIn(context)
  const { id, searched } = await holdUnknown(tx, row.id)
  if (!searched) throw refuse('einvoice_not_searched')
  await tx
    .updateTable('e_invoices')
    .set({ state: 'waiting', owner: null, lease_until: null, tries: 0, next_at: sql`now()`, ...noProblem })
    .where('id', '=', id)
    .execute()
  return { state: 'waiting' as const }
}

/**
 * The staff action for a document that the office refuses at each sending for what it says: it counts as rejected, and is corrected
 * like one. Throws `recent_sign_in_required`, `einvoice_not_refused`.
 */
export async function correctInstead(context: Context, { row }: On<object>) {
  const { tx } = context
  assertRecentSignIn(context)
  const { id, state, problem } = await hold(tx, row.id)
  if (state !== 'waiting' || problem !== 'refused') throw refuse('einvoice_not_refused')
  const rejected = { state: 'rejected', settled_at: sql<string>`now()` } as const
  await tx.updateTable('e_invoices').set(rejected).where('id', '=', id).execute()
  return { state: 'rejected' as const }
}

/** The staff action that sends a waiting document with the next run. Throws `einvoice_not_waiting`. */
export async function retryNow({ tx }: Context, { row }: On<object>) {
  const { id, state } = await hold(tx, row.id)
  if (state !== 'waiting') throw refuse('einvoice_not_waiting')
  await tx.updateTable('e_invoices').set({ next_at: sql`now()` }).where('id', '=', id).execute()
  return { state: 'waiting' as const }
}
