import type { Database } from '#platform/db/pool.ts'
import { positive } from './amount.ts'
import { clientAccount } from './entries.ts'
import { type Movement, move } from './movement.ts'
import type { Posted } from './post.ts'

/** An amount of credit: an exact decimal above zero. */
export type Credit = Movement & { readonly amount: string }

/** P2, promotional credit: promo −A, credit +A. It is spent before money, is no money, and is never paid out. */
export async function grantPromo(tx: Database, credit: Credit): Promise<Posted> {
  const given = positive(credit.amount)
  return move(tx, 'promo', credit, [
    [`promo:${credit.currency}`, given.neg()],
    [clientAccount(credit.clientId, 'credit'), given],
  ])
}

/**
 * P2 the other way, credit that ran out before it was spent: credit −A, promo +A. Throws the Problem `credit_insufficient`
 * when there is not so much.
 */
export async function expirePromo(tx: Database, credit: Credit): Promise<Posted> {
  const taken = positive(credit.amount)
  return move(tx, 'promo_expiry', credit, [
    [clientAccount(credit.clientId, 'credit'), taken.neg()],
    [`promo:${credit.currency}`, taken],
  ])
}

/** P10, credit to make up for something: goodwill −A, credit +A. */
export async function grantGoodwill(tx: Database, credit: Credit): Promise<Posted> {
  const given = positive(credit.amount)
  return move(tx, 'goodwill', credit, [
    [`goodwill:${credit.currency}`, given.neg()],
    [clientAccount(credit.clientId, 'credit'), given],
  ])
}
