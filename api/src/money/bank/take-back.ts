import { sql } from 'kysely'
import { releaseUnclaimed } from '#money/ledger/suspense.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { proposeMatches } from './propose-matches.ts'
import { alertUnclaimed } from './unclaimed.ts'
import { alertUnseen } from './unseen.ts'

type Statement = RowOf<'bank_statements'>

/** Marks the statement, whose file is unknown from now on. Throws `bank_statement_taken_back`. */
async function markStatement(tx: Database, id: number): Promise<void> {
  const { rows } = await sql`update bank_statements
    set taken_back_at = clock_now(), sha256 = sha256(sha256 || convert_to(id::text, 'UTF8'))
    where id = ${id} and taken_back_at is null returning id`.execute(tx)
  if (rows.length === 0) throw refuse('bank_statement_taken_back')
}

/** Locks the lines of a statement. Returns the sum of the open ones; throws `bank_statement_matched`. */
async function holdLines(tx: Database, id: number): Promise<string> {
  await sql`select from bank_lines where statement_id = ${id} order by id for update`.execute(tx)
  const { rows } = await sql<{ matched: boolean; open: string }>`
    select coalesce(bool_or(state = 'matched'), false) as matched,
      coalesce(sum(amount) filter (where state = 'open'), 0) as open
    from bank_lines where statement_id = ${id}`.execute(tx)
  if (rows[0]?.matched) throw refuse('bank_statement_matched')
  return rows[0]?.open ?? '0'
}

/**
 * Marks the lines, whose references are free from now on. Whoever takes back that a line is no client's has limits for it, also
 * after it was imported again (`addLines`): nobody overrules a colleague alone.
 */
async function markLines(tx: Database, id: number, adminId: number | null): Promise<number> {
  const { numAffectedRows } = await sql`update bank_lines
    set undone_by = case when state = 'open' then undone_by else ${adminId}::bigint end, state = 'taken_back',
      reference = reference || ' / ' || id, problem = null
    where statement_id = ${id}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * The staff action that takes an import back, none of whose lines is matched. Throws `recent_sign_in_required`,
 * `bank_statement_…`.
 */
export async function takeBack(context: Context, { row }: { readonly row: Statement }) {
  const { tx, actor } = context
  assertRecentSignIn(context)
  const { id, currency } = row
  // An import at the same moment would leave out lines that are given up here.
  await sql`lock table bank_statements in share row exclusive mode`.execute(tx)
  await markStatement(tx, id)
  const amount = await holdLines(tx, id)
  const source = { type: 'bank_statement', id }
  if (Number(amount) > 0)
    await releaseUnclaimed(tx, { key: `bank-statement:${id}:taken-back`, currency, amount, source })
  const lines = await markLines(tx, id, actor.staff?.id ?? null)
  await proposeMatches(tx)
  await alertUnclaimed(tx)
  await alertUnseen(tx)
  return { lines }
}
