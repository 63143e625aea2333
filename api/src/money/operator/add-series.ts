import type { operatorProfiles } from '@portico/contract/resources/operator-profiles.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Verb = (typeof operatorProfiles.actions)['addSeries']
type Input = z.output<Verb['input']>
type Series = z.input<Verb['output']>

/** SQL: every series of numbers, of proformas too. */
export const seriesInUse = sql<Series>`
  select kind, prefix, next_number::int8 as next_number, last_issue_date, active, legal_decision from invoice_series
  union all
  select 'proforma', prefix, next_number::int8, last_issue_date, active, null from proforma_series`

async function begin(tx: Database, { kind, prefix, legal_decision }: Input): Promise<void> {
  if (kind === 'proforma') {
    await tx.updateTable('proforma_series').set({ active: false }).where('active', '=', true).execute()
    await tx.insertInto('proforma_series').values({ prefix }).execute()
    return
  }
  await tx
    .updateTable('invoice_series')
    .set({ active: false })
    .where('active', '=', true)
    .where('kind', '=', kind)
    .execute()
  await tx
    .insertInto('invoice_series')
    .values({ prefix, kind, legal_decision: legal_decision || null })
    .execute()
}

/**
 * The action of administrators that begins a series of numbers; the active one of its kind ends. The locks wait for documents
 * that are being numbered, which hold them until their commit, and the next ones find the new series. Throws
 * `recent_sign_in_required`, `series_prefix_taken`.
 */
export async function addSeries(context: Context, { input }: { readonly input: Input }): Promise<Series> {
  const { tx } = context
  assertRecentSignIn(context)
  await sql`lock table invoice_series, proforma_series in access exclusive mode`.execute(tx)
  // Proformas and invoices share no prefix either: a client could not tell their numbers apart.
  const { rows: taken } = await sql`select from (${seriesInUse}) s where prefix = ${input.prefix}`.execute(tx)
  if (taken.length > 0)
    throw refuse('series_prefix_taken', { prefix: input.prefix }, { source: { pointer: '/data/prefix' } })
  await begin(tx, input)
  const { rows } = await sql<Series>`select kind, prefix, next_number, last_issue_date, active, legal_decision
    from (${seriesInUse}) s where prefix = ${input.prefix}`.execute(tx)
  const [made] = rows
  if (!made) throw new Error('An insert returned no row.')
  return made
}
