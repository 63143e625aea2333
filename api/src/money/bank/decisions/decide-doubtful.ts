import { sql } from 'kysely'
import { proposeMatches } from '#money/bank/propose-matches.ts'
import { alertUnclaimed } from '#money/bank/unclaimed.ts'
import { alertUnseen } from '#money/bank/unseen.ts'
import { receiveUnclaimed, releaseUnclaimed } from '#money/ledger/suspense.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { holdImports, holdLine, type Line, postingOf } from './match-line.ts'

type On = { readonly row: Line }
type Same = On & { readonly input: { readonly of?: number | undefined } }

/** A line that is or was doubtful, and the one whose money it may be, both locked. */
async function holdBoth(tx: Database, { id, same_as }: Line, of: number | undefined) {
  if (same_as === null) throw refuse('bank_line_not_doubtful')
  const other = of ?? same_as
  const known = await tx.selectFrom('bank_lines').select('id').where('id', '=', other).executeTakeFirst()
  if (!known || other === id) throw refuse('bank_line_other_unfit')
  // In the order of their ids, since a colleague may decide about the other one.
  await sql`select from bank_lines where id in (${id}, ${other}) order by id for update`.execute(tx)
  return { line: await holdLine(tx, id), other: await holdLine(tx, other) }
}

/**
 * Whether a line may be the same as another one that a person chose: the one of which it was doubtful, or one that is in the books, of
 * its amount or where one of the two is of a batch.
 */
function isFit(line: Line, other: Line): boolean {
  const hasBatch = line.batch_entry !== null || other.batch_entry !== null
  const isAlike = line.currency === other.currency && (line.amount === other.amount || hasBatch)
  return other.id === line.same_as || (isAlike && other.state !== 'same' && other.state !== 'doubtful')
}

async function follow(tx: Database): Promise<void> {
  await proposeMatches(tx)
  await alertUnclaimed(tx)
  await alertUnseen(tx)
}

/**
 * The staff action that says that a line is the money of another one, so that it is in the books once: of the one that it was doubtful
 * for, or of one with the same amount. Throws `bank_line_not_doubtful`, `bank_line_decided`, `bank_line_other_gone`,
 * `bank_line_other_unfit`.
 */
export async function sameMoney({ tx }: Context, { row, input }: Same) {
  await holdImports(tx)
  const { line, other } = await holdBoth(tx, row, input.of)
  if (line.state !== 'doubtful' && line.state !== 'open') throw refuse('bank_line_decided')
  if (other.state === 'taken_back') throw refuse('bank_line_other_gone')
  const money = other.state === 'same' ? other.same_as : other.id
  if (money === line.id || !isFit(line, other)) throw refuse('bank_line_other_unfit')
  if (line.state === 'open') await releaseUnclaimed(tx, await postingOf(tx, line))
  await sql`update bank_lines set state = case when id = ${line.id} then 'same' else state end, same_as = ${money}, problem = null
    where id = ${line.id} or same_as = ${line.id} and id <> ${money}`.execute(tx)
  // The other way round it may have been a doubt of this one, which is answered.
  await sql`update bank_lines set same_as = null where id = ${money} and same_as = ${line.id} and state <> 'doubtful'`.execute(
    tx,
  )
  await follow(tx)
  return { state: 'same' as const }
}

/**
 * The staff action that says that a doubtful line is other money, which is nobody's yet. The person who says so has the limits of their own
 * imports for it: one person could have it twice otherwise. Throws `bank_line_not_doubtful`, `bank_line_decided`.
 */
export async function otherMoney({ tx, actor }: Context, { row }: On) {
  const line = await holdLine(tx, row.id)
  if (line.state !== 'doubtful')
    throw refuse(line.same_as === null ? 'bank_line_not_doubtful' : 'bank_line_decided')
  await receiveUnclaimed(tx, await postingOf(tx, line))
  await tx
    .updateTable('bank_lines')
    .set({ state: 'open', opened_by: actor.staff?.id ?? null })
    .where('id', '=', line.id)
    .execute()
  await follow(tx)
  return { state: 'open' as const }
}

type Statement = RowOf<'bank_statements'>

// Each step halves a chain, so that more of them are a circle.
const mostSteps = 20

/** A line may be the same as one that is the same as a third one. Lines that are the same as each other in a circle stay doubtful. */
async function shortenChains(tx: Database, statement: number): Promise<void> {
  for (let step = 0; step < mostSteps; step++) {
    const { numAffectedRows } = await sql`update bank_lines l set same_as = o.same_as from bank_lines o
      where (l.statement_id = ${statement} or o.statement_id = ${statement}) and o.id = l.same_as and o.state = 'same'
        and o.same_as <> l.id`.execute(tx)
    if (Number(numAffectedRows ?? 0) === 0) break
  }
  await sql`update bank_lines l set state = 'doubtful' from bank_lines o
    where l.statement_id = ${statement} and l.state = 'same' and o.id = l.same_as and o.state = 'same'`.execute(
    tx,
  )
}

/**
 * The staff action that says that the doubtful lines of an import are the money of their other lines, except where that one was taken
 * back, and one line of each amount for each: of several that are like one payment a person decides singly. Throws
 * `bank_statement_not_doubtful`.
 */
export async function sameAll({ tx }: Context, { row }: { readonly row: Statement }) {
  await holdImports(tx)
  await sql`select from bank_lines where statement_id = ${row.id} order by id for update`.execute(tx)
  const { numAffectedRows } = await sql`
    with doubts as (
      select l.id, l.amount <> o.amount or not exists (select from bank_lines s
          where s.statement_id = l.statement_id and s.state = 'same' and s.same_as = o.id and s.amount = l.amount)
          and row_number() over (partition by case o.state when 'same' then o.same_as else o.id end, l.amount order by l.id) = 1 as first
      from bank_lines l join bank_lines o on o.id = l.same_as
      where l.statement_id = ${row.id} and l.state = 'doubtful' and o.state <> 'taken_back'
        and o.id <> l.id and o.same_as is distinct from l.id)
    update bank_lines l set state = 'same', problem = null from doubts d where l.id = d.id and d.first`.execute(
    tx,
  )
  const lines = Number(numAffectedRows ?? 0)
  if (lines === 0) throw refuse('bank_statement_not_doubtful')
  await shortenChains(tx, row.id)
  await follow(tx)
  return { lines }
}
