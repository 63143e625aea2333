import { sql } from 'kysely'
import { actionKey } from '#money/bank/decisions/match-line.ts'
import { canBeTakenBack, doubtfulAgain, holdImports } from '#money/bank/line-states.ts'
import { proposeMatches } from '#money/bank/propose-matches.ts'
import { bankReference, ownName } from '#money/bank/references.ts'
import { alertUnclaimed } from '#money/bank/unclaimed.ts'
import { alertUnseen } from '#money/bank/unseen.ts'
import { releaseUnclaimed } from '#money/ledger/suspense.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { relinkLines } from './relink-lines.ts'

type Statement = RowOf<'bank_statements'>

/** How many lines are matched, how many others can be taken back, and the sum of the open ones. */
type Held = {
  readonly matched: number
  readonly others: number
  readonly open: string
}

/** The lines of a statement, locked. Throws `bank_statement_…` where none of them can be taken back. */
async function holdLines(tx: Database, { id, taken_back_at }: Statement): Promise<Held> {
  await sql`select from bank_lines where statement_id = ${id} order by id for update`.execute(tx)
  const { rows } = await sql<Held>`
    select count(*) filter (where l.state = 'matched')::int as matched,
      count(*) filter (where ${canBeTakenBack})::int as others,
      coalesce(sum(l.amount) filter (where l.state = 'open'), 0) as open
    from bank_lines l where l.statement_id = ${id}`.execute(tx)
  const [held] = rows
  if (!held) throw new Error('An aggregate returned no row.')
  if (held.others > 0 || (taken_back_at === null && held.matched === 0)) return held
  throw refuse(taken_back_at === null ? 'bank_statement_matched' : 'bank_statement_taken_back')
}

/** Marks the statement, whose file is unknown from now on. */
async function markStatement(tx: Database, id: number): Promise<void> {
  await sql`update bank_statements
    set sha256 = case when taken_back_at is null then sha256(sha256 || convert_to(id::text, 'UTF8')) else sha256 end,
      taken_back_at = clock_now()
    where id = ${id}`.execute(tx)
}

/**
 * Marks the lines that are not matched; their money may be imported again. A person who takes back that a line is no client's has limits
 * for it, also after it was imported again (`addLines`): nobody overrules a colleague alone.
 */
async function markLines(tx: Database, id: number, adminId: number | null): Promise<number> {
  await relinkLines(tx, id)
  const { numAffectedRows } = await sql`update bank_lines l
    set undone_by = case when state in ('open', 'doubtful') then undone_by else ${adminId}::bigint end, state = 'taken_back',
      bank_reference = ${bankReference}, reference = ${ownName}, problem = null
    where statement_id = ${id} and ${canBeTakenBack}`.execute(tx)
  // The total of a batch of which a part is taken back.
  await sql`update bank_lines l set ${doubtfulAgain} from bank_lines o join bank_lines t
      on t.statement_id = o.statement_id and t.batch_entry = o.batch_entry and t.state = 'taken_back'
    where o.statement_id = ${id} and l.same_as = o.id and l.state = 'same' and l.amount <> o.amount`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/**
 * The staff action that takes an import back, except its matched lines: a document was issued for each of them, and some cannot be
 * undone. Throws `recent_sign_in_required`, `bank_statement_…`.
 */
export async function takeBack(context: Context, { row }: { readonly row: Statement }) {
  const { tx, actor } = context
  assertRecentSignIn(context)
  const { id, currency } = row
  // An import at the same moment would leave out lines that are given up here.
  await holdImports(tx)
  const statement = await tx
    .selectFrom('bank_statements')
    .select(columns.bank_statements)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const held = await holdLines(tx, statement)
  await markStatement(tx, id)
  if (Number(held.open) > 0) {
    const key = await actionKey(tx, `bank-statement:${id}`)
    const source = { type: 'bank_statement', id }
    await releaseUnclaimed(tx, { key, currency, amount: held.open, source })
  }
  const lines = await markLines(tx, id, actor.staff?.id ?? null)
  await proposeMatches(tx)
  await alertUnclaimed(tx)
  await alertUnseen(tx)
  return { lines, stayed: held.matched }
}
