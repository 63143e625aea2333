import type { Parameter } from '@portico/contract/refusals/refusal.ts'
import { sql } from 'kysely'
import { moneyIn } from '#notifications/letters/words.ts'
import type { Actor, Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Problem, refuse } from '#platform/errors/problem.ts'
import { readsBilling } from './price-view.ts'

/** The missing sum of an account, and the smallest deposit that covers it; exact decimals. */
type Lacking = {
  readonly missing: string
  readonly deposit: string
  readonly currency: string
  /** The days that must be paid for. */
  readonly days: number
}

/** Compares the balance with the cost of the policy's days, with `more` use a day than now; undefined if it suffices. */
export async function lackingFor(
  tx: Database,
  client: number,
  more: string | 0,
): Promise<Lacking | undefined> {
  const { rows } = await sql<Lacking>`
    select m.missing, greatest(m.missing, q.deposit_least) as deposit, u.code as currency, p.days_ahead as days
    from clients c join currencies u on u.id = c.currency_id join currency_policies q on q.currency_id = u.id
    cross join billing_policies p cross join lateral money_missing(c.id, ${more}::numeric) m (missing)
    where c.id = ${client} and m.missing > 0`.execute(tx)
  return rows[0]
}

/** The additional daily cost of a plan for a panel; undefined if the plan costs no more than the present one. */
export async function dearerBy(
  tx: Database,
  { panel, plan }: { readonly panel: number; readonly plan: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ more: string }>`select more from plan_more(${panel}, ${plan}) more
    where more > 0`.execute(tx)
  return rows[0]?.more
}

const inDays = (days: number): Parameter => ({
  en: days === 1 ? 'one day' : `${days} days`,
  ro: days === 1 ? 'o zi' : `${days} ${days % 100 >= 1 && days % 100 < 20 ? '' : 'de '}zile`,
})

/** The refusal for an insufficient balance, without figures for people who do not see the billing. */
export function tooLow(actor: Actor, client: number, lacking: Lacking): Problem {
  if (!readsBilling(actor, client)) return refuse('balance_too_low_for_guest')
  const { missing: amount, deposit, currency, days } = lacking
  return refuse(
    'balance_too_low',
    { days: inDays(days), missing: moneyIn({ amount, currency }) },
    { meta: { missing: Number(amount), deposit: Number(deposit), currency, days } },
  )
}

/** The missing sum on the wire, for people who see the billing. */
export const lacksFor = (actor: Actor, client: number, lacking: Lacking | undefined) =>
  lacking && readsBilling(actor, client)
    ? { missing: Number(lacking.missing), deposit: Number(lacking.deposit) }
    : null

/**
 * Throws `balance_too_low` unless the balance pays for the policy's days of all panels and requested changes, plus `more` a
 * day.
 */
export async function assertMoneyAhead(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  client: number,
  more: string | 0,
): Promise<void> {
  // The lock of all postings, so that the second of two concurrent requests sees the cost of the first.
  await sql`select from ledger_accounts where client_id = ${client} order by id for no key update`.execute(tx)
  const lacking = await lackingFor(tx, client, more)
  if (lacking) throw tooLow(actor, client, lacking)
}
