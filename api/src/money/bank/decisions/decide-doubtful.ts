import { sql } from 'kysely'
import { proposeMatches } from '#money/bank/propose-matches.ts'
import { alertUnclaimed } from '#money/bank/unclaimed.ts'
import { alertUnseen } from '#money/bank/unseen.ts'
import { receiveUnclaimed, releaseUnclaimed } from '#money/ledger/suspense.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { holdLine, type Line, postingOf } from './match-line.ts'

type On = { readonly row: Line }

/** A line that is or was doubtful, and the one whose money it may be, both locked. */
async function holdBoth(tx: Database, id: number, { same_as: other }: Line) {
  if (other === null) throw refuse('bank_line_not_doubtful')
  // In the order of their ids, since a colleague may decide about the other one.
  await sql`select from bank_lines where id in (${id}, ${other}) order by id for update`.execute(tx)
  return { line: await holdLine(tx, id), other: await holdLine(tx, other) }
}

/** Counts the line among those that its file brought, or no more. */
async function count(tx: Database, { statement_id, amount }: Line, by: 1 | -1): Promise<void> {
  await sql`update bank_statements set imported = imported + ${by}, total = total + ${by} * ${amount}::numeric
    where id = ${statement_id}`.execute(tx)
}

async function follow(tx: Database): Promise<void> {
  await proposeMatches(tx)
  await alertUnclaimed(tx)
  await alertUnseen(tx)
}

/**
 * The staff action that says that a line is the money of the other one, so that it is in the books once. Throws
 * `bank_line_not_doubtful`, `bank_line_decided`, `bank_line_other_gone`.
 */
export async function sameMoney({ tx }: Context, { row }: On) {
  const { line, other } = await holdBoth(tx, row.id, row)
  if (line.state !== 'doubtful' && line.state !== 'open') throw refuse('bank_line_decided')
  if (other.state === 'taken_back') throw refuse('bank_line_other_gone')
  if (line.state === 'open') {
    await releaseUnclaimed(tx, await postingOf(tx, line))
    await count(tx, line, -1)
  }
  const money = other.state === 'same' ? other.same_as : other.id
  if (money === line.id) throw refuse('bank_line_other_gone')
  await sql`update bank_lines set state = case when id = ${line.id} then 'same' else state end, same_as = ${money}, problem = null
    where id = ${line.id} or same_as = ${line.id} and id <> ${money}`.execute(tx)
  await follow(tx)
  return { state: 'same' as const }
}

/**
 * The staff action that says that a doubtful line is other money, which is nobody's yet. Whoever says so has the limits of their own
 * imports for it: one person could have it twice otherwise. Throws `bank_line_not_doubtful`, `bank_line_decided`.
 */
export async function otherMoney({ tx, actor }: Context, { row }: On) {
  const line = await holdLine(tx, row.id)
  if (line.state !== 'doubtful')
    throw refuse(line.same_as === null ? 'bank_line_not_doubtful' : 'bank_line_decided')
  await receiveUnclaimed(tx, await postingOf(tx, line))
  await tx
    .updateTable('bank_lines')
    .set({ state: 'open', undone_by: actor.staff?.id ?? null })
    .where('id', '=', line.id)
    .execute()
  await count(tx, line, 1)
  await follow(tx)
  return { state: 'open' as const }
}
