import Big from 'big.js'
import { sql } from 'kysely'
import { isOpenPayment } from '#money/payments/payment-rows.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { isHeld } from './held.ts'

type Rule = RowOf<'automated_billing_rules'>

export type Standing = {
  readonly available: string
  readonly resting: boolean
  readonly cooling: boolean
  readonly open: boolean
  readonly held: boolean
  readonly charged: string
  /** The least deposit, which is also the least that the monthly limit may cap a charge to. */
  readonly least: string
  readonly currency: string
}

/** The inputs of a decision, in one query: by the business clock, and exact. */
export async function standing(tx: Database, rule: Rule): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select b.available, b.currency, q.deposit_least as least, coalesce(r.next_try_at > clock_now(), false) as resting,
      coalesce(r.last_charge_at + make_interval(mins => r.cooldown_minutes) > clock_now(), false) as cooling,
      exists (select from payments p where p.client_id = r.client_id and p.purpose = 'auto_recharge'
        and ${isOpenPayment('p')}) as open, ${isHeld('r.client_id')} as held,
      charged_this_month(r.client_id) as charged
    from automated_billing_rules r join billing_profiles b on b.id = r.client_id join clients c on c.id = r.client_id
    join currency_policies q on q.currency_id = c.currency_id where r.id = ${rule.id}`.execute(tx)
  const [found] = rows
  if (!found) throw new Error(`The account of rule ${rule.id} has no balance.`)
  return found
}

/** The reason against a charge now; undefined when charging is allowed. */
export function objection(rule: Rule, now: Standing): string | undefined {
  if (now.open) return 'payment_open'
  if (rule.status === 'needs_action') return 'needs_action'
  if (rule.status === 'paused_declined') return 'paused'
  if (new Big(now.available).gte(rule.threshold_amount)) return 'balance_suffices'
  if (now.resting) return 'waits_to_try_again'
  if (now.cooling) return 'cooldown'
  if (now.held) return 'charge_unclear'
  return undefined
}
