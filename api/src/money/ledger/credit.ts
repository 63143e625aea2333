import type { Database } from '#platform/db/pool.ts'
import { amount, positive } from './amount.ts'
import { clientAccount } from './entries.ts'
import { type Movement, move } from './movement.ts'
import type { Posted } from './post.ts'

/** An amount of credit: an exact decimal above zero. */
export type Credit = Movement & { readonly amount: string }

/** Posts promotional credit: promo −A, credit +A. It is spent before money and never paid out. */
export async function grantPromo(tx: Database, credit: Credit): Promise<Posted> {
  const given = positive(credit.amount)
  return move(tx, 'promo', credit, [
    [`promo:${credit.currency}`, given.neg()],
    [clientAccount(credit.clientId, 'credit'), given],
  ])
}

/**
 * Posts the expiry of unspent promotional credit: credit −A, promo +A. Throws `credit_insufficient` when
 * there is less.
 */
export async function expirePromo(tx: Database, credit: Credit): Promise<Posted> {
  const taken = positive(credit.amount)
  return move(tx, 'promo_expiry', credit, [
    [clientAccount(credit.clientId, 'credit'), taken.neg()],
    [`promo:${credit.currency}`, taken],
  ])
}

/** Posts goodwill credit, as compensation: goodwill −A, credit +A. */
export async function grantGoodwill(tx: Database, credit: Credit): Promise<Posted> {
  const given = positive(credit.amount)
  return move(tx, 'goodwill', credit, [
    [`goodwill:${credit.currency}`, given.neg()],
    [clientAccount(credit.clientId, 'credit'), given],
  ])
}

/**
 * Posts a correction of a balance, up or down: adjustment −A, balance +A. It is neither a sale nor a payment, so it has
 * no VAT.
 */
export async function adjustBalance(tx: Database, adjustment: Credit): Promise<Posted> {
  const by = amount(adjustment.amount)
  return move(tx, 'adjustment', adjustment, [
    [`adjustment:${adjustment.currency}`, by.neg()],
    [clientAccount(adjustment.clientId, 'balance'), by],
  ])
}
