import Big from 'big.js'
import { sql } from 'kysely'
import { holdLimit, inBase } from '#money/corrections/limits.ts'
import type { Database } from '#platform/db/pool.ts'
import { staffAction } from '#platform/db/settings.ts'
import { refuse } from '#platform/errors/problem.ts'

/** SQL: a person, the day, and the limits of their role that day for transfers by hand. */
export const limitsToday = (adminId: number | null) => sql<string | null>`(
  select concat_ws(' ', a.id, operator_today(), l.per_action, l.per_day) from admins a
    join staff_limits l on l.role = a.role and l.verb = 'recordBankTransfer' where a.id = ${adminId})`

/** SQL: whether a certain line of `bank_lines` was not too much for this person before, under the limits of today. */
export const isNotLeft = (adminId: number | null) =>
  sql<boolean>`not coalesce(problem = 'bank_line_own_import' and left_under = ${limitsToday(adminId)}, false)`

type Own = { readonly currency: string; readonly largest: string; readonly sum: string }

/**
 * Counts those of the lines whose statement the same person imported against their limits for transfers by hand, which a forged
 * file would get around. Lines of a colleague's statement have no limit, because two people decide about them, unless the same
 * person took a decision about them back, since a colleague may have said that they are no client's, or said that they are other money
 * than known one. Throws `bank_line_own_import`.
 */
export async function countOwnImports(
  tx: Database,
  adminId: number | null,
  lineIds: readonly number[],
): Promise<void> {
  if (adminId === null) return
  const { rows } = await sql<Own>`
    select l.currency, max(l.amount) as largest, sum(l.amount) as sum from bank_lines l
      join bank_statements s on s.id = l.statement_id and ${adminId} in (s.admin_id, l.undone_by, l.opened_by)
    where l.id = any(${[...lineIds]}::bigint[]) group by l.currency`.execute(tx)
  if (rows.length === 0) return
  const { perAction, left } = await holdLimit(tx, adminId, 'recordBankTransfer')
  let moved = new Big(0)
  for (const { currency, largest, sum } of rows) {
    const { base } = await inBase(tx, { currency, amount: new Big(largest) })
    if (base.gt(perAction)) throw refuse('bank_line_own_import')
    moved = moved.plus((await inBase(tx, { currency, amount: new Big(sum) })).base)
  }
  if (moved.gt(left)) throw refuse('bank_line_own_import')
  await sql`update staff_actions set amount = ${moved.toFixed(2)}, counted_on = operator_today()
    where id = ${staffAction}`.execute(tx)
}
