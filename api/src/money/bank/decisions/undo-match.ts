import { sql } from 'kysely'
import { doubtfulAgain, holdImports } from '#money/bank/line-states.ts'
import { proposeMatches } from '#money/bank/propose-matches.ts'
import { alertUnclaimed } from '#money/bank/unclaimed.ts'
import { alertUnseen } from '#money/bank/unseen.ts'
import { receiveUnclaimed } from '#money/ledger/suspense.ts'
import { creditTransfer, releaseTransfer, unusedTransfer } from '#money/payments/refunds/undo-transfer.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { holdLine, type Line, postingOf } from './match-line.ts'

/** Reopens the line. Its further decisions count as own ones of the person, unless the decision that ends was their own. */
async function reopenLine(tx: Database, { id, payment_id }: Line, by: number | null): Promise<void> {
  await tx
    .updateTable('bank_lines')
    .set({
      state: 'open',
      client_id: null,
      payment_id: null,
      undone_by: sql<
        number | null
      >`case when exists (select from payments p where p.id = ${payment_id} and p.recorded_by = ${by})
        then undone_by else ${by}::bigint end`,
    })
    .where('id', '=', id)
    .execute()
}

/** Makes the line doubtful again, as before the decision that it was other money; lines that are the same as it too. */
async function doubtAgain(tx: Database, { id }: Line) {
  await sql`update bank_lines l set ${doubtfulAgain} where id = ${id}`.execute(tx)
  await alertUnclaimed(tx)
  return { state: 'doubtful' as const }
}

/**
 * The staff action that takes a decision about a line back. Throws `recent_sign_in_required`, `bank_line_open`,
 * `bank_line_taken_back`, `bank_match_used`.
 */
export async function undoMatch(context: Context, { row }: { readonly row: Line }) {
  const { tx, actor } = context
  assertRecentSignIn(context)
  if (row.state === 'same') await holdImports(tx)
  const line = await holdLine(tx, row.id)
  if (line.state === 'open' || line.state === 'doubtful') throw refuse('bank_line_open')
  if (line.state === 'taken_back') throw refuse('bank_line_taken_back')
  if (line.state === 'same') return doubtAgain(tx, line)
  const unused = line.payment_id === null ? undefined : await unusedTransfer(tx, line.payment_id)
  if (unused) await releaseTransfer(tx, unused.payment)
  else await receiveUnclaimed(tx, await postingOf(tx, line))
  await reopenLine(tx, line, actor.staff?.id ?? null)
  await proposeMatches(tx)
  await alertUnclaimed(tx)
  await alertUnseen(tx)
  // Last: every other document of the series of credit notes waits from its number until the commit.
  if (unused) await creditTransfer(context, unused, { ...(await postingOf(tx, line)), means: 'suspense' })
  return { state: 'open' as const }
}
