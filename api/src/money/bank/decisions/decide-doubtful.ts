import { sql } from 'kysely'
import { holdImports } from '#money/bank/line-states.ts'
import { proposeMatches } from '#money/bank/propose-matches.ts'
import { alertUnclaimed } from '#money/bank/unclaimed.ts'
import { alertUnseen } from '#money/bank/unseen.ts'
import { receiveUnclaimed, releaseUnclaimed } from '#money/ledger/suspense.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { holdLine, type Line, postingOf } from './match-line.ts'

type On = { readonly row: Line }
type Same = On & { readonly input: { readonly of?: number | undefined } }

/**
 * A line that is or was doubtful, and the one of which a person says that it is the same, both locked. That is the one for which it is
 * doubtful, also where they chose the line that has the money of that one: it goes with that one if a decision is undone.
 */
async function holdBoth(tx: Database, id: number, of: number | null) {
  const { rows } = await sql<{ other: number | null; root: number | null }>`
    select o.id as other, bank_line_root(o.id) as root from bank_lines l left join bank_lines o
      on o.id = case when ${of}::bigint <> bank_line_root(l.same_as) then ${of} else l.same_as end
    where l.id = ${id} and l.same_as is not null`.execute(tx)
  const [chosen] = rows
  if (!chosen) throw refuse('bank_line_not_doubtful')
  // The other one may be the same as this one, so that both would be in no book.
  if (chosen.other === null || chosen.root === null || chosen.root === id)
    throw refuse('bank_line_other_unfit')
  // In the order of their ids, since a colleague may decide about the other one.
  await sql`select from bank_lines where id in (${id}, ${chosen.other}) order by id for update`.execute(tx)
  return { line: await holdLine(tx, id), other: await holdLine(tx, chosen.other) }
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
  const { line, other } = await holdBoth(tx, row.id, input.of ?? null)
  if (line.state !== 'doubtful' && line.state !== 'open') throw refuse('bank_line_decided')
  if (other.state === 'taken_back') throw refuse('bank_line_other_gone')
  if (!isFit(line, other)) throw refuse('bank_line_other_unfit')
  if (line.state === 'open') await releaseUnclaimed(tx, await postingOf(tx, line))
  await sql`update bank_lines
    set state = 'same', same_as = ${other.id}, doubt_of = coalesce(doubt_of, nullif(same_as, ${other.id})), problem = null
    where id = ${line.id}`.execute(tx)
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

/**
 * The staff action that says that the doubtful lines of an import are the money of their other lines, except where that one was taken
 * back, and one line of each amount for each: of several that are like one payment a person decides singly. Lines that would be the
 * same as each other in a circle stay doubtful. Throws `bank_statement_not_doubtful`.
 */
export async function sameAll({ tx }: Context, { row }: { readonly row: Statement }) {
  await holdImports(tx)
  await sql`select from bank_lines where statement_id = ${row.id} order by id for update`.execute(tx)
  const { rows: decided } = await sql<{ id: number }>`
    with same as (
      select distinct bank_line_root(id) as root, amount from bank_lines where statement_id = ${row.id} and state = 'same'
    ), doubts as (
      select l.id, l.amount <> r.amount or not exists (select from same s where s.root = r.id and s.amount = l.amount)
          and row_number() over (partition by r.id, l.amount order by l.id) = 1 as first
      from bank_lines l join bank_lines r on r.id = bank_line_root(l.same_as)
      where l.statement_id = ${row.id} and l.state = 'doubtful' and r.state <> 'taken_back' and r.id <> l.id
    ) update bank_lines l set state = 'same', problem = null from doubts d where l.id = d.id and d.first returning l.id`.execute(
    tx,
  )
  const ids = decided.map(({ id }) => id)
  const { numAffectedRows: circular = 0n } = await sql`update bank_lines set state = 'doubtful'
    where id = any(${ids}::bigint[]) and bank_line_root(id) is null`.execute(tx)
  const lines = ids.length - Number(circular)
  if (lines === 0) throw refuse('bank_statement_not_doubtful')
  await follow(tx)
  return { lines }
}
