import { mostConfirmed, mostConfirmedSingly } from '@portico/contract/rules/money/bank-statements.ts'
import { sql } from 'kysely'
import { statusIds } from '#money/invoice-statuses.ts'
import { targetOf } from '#money/payments/bank-transfers.ts'
import type { Context, OutsideContext } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { isSqlState } from '#platform/db/sql-states.ts'
import { Problem, Problems } from '#platform/errors/problem.ts'
import { settlePlainLines } from './batch/settle-plain.ts'
import { type Line, settleLine } from './decisions/match-line.ts'
import { isNotLeft, limitsToday } from './own-imports.ts'
import { alertUnclaimed } from './unclaimed.ts'

type Input = { readonly statement_id?: number | undefined }

/** The next certain line that nobody took, locked; one that somebody else is deciding is theirs. */
async function nextCertain(
  { tx, actor }: Context,
  { statement_id }: Input,
  taken: Iterable<number>,
): Promise<Line | undefined> {
  return tx
    .selectFrom('bank_lines')
    .select(columns.bank_lines)
    .where('state', '=', 'open')
    .where('match', '=', 'certain')
    .where(isNotLeft(actor.staff?.id ?? null))
    .where(sql<boolean>`id <> all(${[...taken]}::bigint[])`)
    .$if(statement_id !== undefined, (query) => query.where('statement_id', '=', statement_id ?? 0))
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** The proposed document, and why the line does not pay it any more: it was paid meanwhile, in part too, or cancelled. */
async function proposed(tx: Database, { id, amount }: Line) {
  return tx
    .selectFrom('invoices')
    .select(['id', 'client_id', 'kind', 'reason', 'currency'])
    .select(
      sql<string | null>`case when invoice_status_id in ${statusIds('cancelled')} then 'proforma_not_open'
        when total - paid - credited <> ${amount}::numeric then 'bill_overpaid' end`.as('problem'),
    )
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('bank_lines')
        .select(sql<number>`(candidates -> 0 ->> 'invoice')::bigint`.as('invoice'))
        .where('id', '=', id),
    )
    .executeTakeFirstOrThrow()
}

/**
 * A person decides about an open line now. What is only too much for this one is as certain as before for a colleague, and for this
 * one on another day.
 */
async function passOver({ tx, actor }: Context, id: number, problem: string): Promise<void> {
  const isTooMuch = problem === 'bank_line_own_import'
  await tx
    .updateTable('bank_lines')
    .set({
      problem,
      ...(isTooMuch ? { left_under: limitsToday(actor.staff?.id ?? null) } : { match: 'likely' }),
    })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
  await alertUnclaimed(tx)
}

/** One of those who confirm the lines of a call; `line` is the one in hand. */
type Worker = { readonly taken: Set<number>; line?: number }

/** Confirms one line; undefined when none is left, false when its document was paid meanwhile. */
async function confirmNext(context: Context, input: Input, worker: Worker): Promise<boolean | undefined> {
  // A transaction that is repeated begins with the line that it gave up.
  if (worker.line !== undefined) worker.taken.delete(worker.line)
  const line = await nextCertain(context, input, worker.taken)
  if (!line) return undefined
  worker.line = line.id
  worker.taken.add(line.id)
  const { problem, ...document } = await proposed(context.tx, line)
  if (problem === null) await settleLine(context, line, targetOf(document))
  else await passOver(context, line.id, problem)
  return problem === null
}

/** The code of a refusal; undefined for a bug. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof Problems) return error.all[0]?.code
  return error instanceof Problem ? error.code : undefined
}

type Count = { confirmed: number; failed: number; left: number; readonly taken: Set<number> }

/** Confirms one line after another until none is left, or enough were. */
async function confirmMany({ within }: OutsideContext, input: Input, count: Count): Promise<void> {
  while (count.left-- > 0) {
    const worker: Worker = { taken: count.taken }
    try {
      const isConfirmed = await within((context) => confirmNext(context, input, worker))
      if (isConfirmed === undefined) return
      count[isConfirmed ? 'confirmed' : 'failed']++
    } catch (error) {
      const code = codeOf(error)
      const { line } = worker
      if (code === undefined || line === undefined) throw error
      await within((own) => passOver(own, line, code))
      count.failed++
    }
  }
}

// More would hold too many connections for one person, and documents of one series wait for each other anyway.
const atOnce = 4

// Long enough to share the cost of a commit, short enough that others wait little for a client's accounts or the series.
const batch = 100

// Of two banks that use one reference at the same moment, one line waits for the other by itself.
const isLeft = (error: unknown): boolean =>
  codeOf(error) !== undefined || isSqlState(error, 'uniqueViolation')

/**
 * Confirms lines that only pay a proforma, many in a transaction, and passes over the others. A refusal of one leaves the
 * rest to `confirmMany`.
 */
async function confirmPlain({ within }: OutsideContext, input: Input, count: Count): Promise<void> {
  let after = 0
  while (count.left > 0) {
    const most = Math.min(batch, count.left)
    count.left -= most
    let settled = 0
    let last: number | undefined
    try {
      ;({ settled, last } = await within(({ tx, actor }) =>
        settlePlainLines(tx, {
          statementId: input.statement_id,
          adminId: actor.staff?.id ?? null,
          after,
          most,
        }),
      ))
    } catch (error) {
      if (!isLeft(error)) throw error
    }
    count.left += most - settled
    count.confirmed += settled
    if (last === undefined) return
    after = last
  }
}

// Two keep both the database and this process busy; all of them wait for the series at their end.
const plainAtOnce = 2

/**
 * The staff action that records the certain lines. Those that only pay a proforma share transactions; each of the others
 * has one of its own, so that one that cannot be recorded does not stop the others.
 */
export async function confirmCertain(
  context: OutsideContext,
  { input }: { readonly input: Input },
): Promise<{ confirmed: number; failed: number; more: boolean }> {
  const count = { confirmed: 0, failed: 0, left: mostConfirmed, taken: new Set<number>() }
  await Promise.all(Array.from({ length: plainAtOnce }, () => confirmPlain(context, input, count)))
  count.left = Math.min(count.left, mostConfirmedSingly)
  const single = count.left
  await Promise.all(Array.from({ length: atOnce }, () => confirmMany(context, input, count)))
  const { confirmed, failed } = count
  return { confirmed, failed, more: confirmed + failed > 0 && (single === 0 || count.left < 0) }
}
