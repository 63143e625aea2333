import { sql } from 'kysely'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'

type Rule = RowOf<'automated_billing_rules'>

/** The card of a rule that is charged next, if it is active: the other one after a decline of the first. */
export async function cardOf(tx: Database, rule: Rule) {
  const wanted = rule.use_fallback
    ? [rule.fallback_card_id, rule.card_id]
    : [rule.card_id, rule.fallback_card_id]
  const cards = await tx
    .selectFrom('cards')
    .select(['id', 'provider'])
    .where('id', 'in', [0, ...wanted.filter((id) => id !== null)])
    .where('status', '=', 'active')
    .execute()
  return wanted.map((id) => cards.find((card) => card.id === id)).find((card) => card !== undefined)
}

/**
 * Whether a card was declined today, by the business clock: it is charged at most once a day, by any trigger.
 */
export async function refusedToday(tx: Database, cardId: number): Promise<boolean> {
  const { rows } = await sql`select from payments p
    where card_id = ${cardId} and purpose = 'auto_recharge' and payment_declined(p)
      and created_at >= clock_today()::timestamp at time zone 'utc' limit 1`.execute(tx)
  return rows.length > 0
}
