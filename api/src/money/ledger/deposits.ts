import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { owedSum, positive } from './amount.ts'
import { clientAccount, entries } from './entries.ts'
import { holdAccounts, isPosted } from './held.ts'
import { type Means, type Movement, move, type Vat, vatLine } from './movement.ts'
import { type Posted, postAll } from './post.ts'

export type Payment = Movement & {
  /** Exact decimal above zero, without VAT. */
  readonly net: string
  readonly vat?: Vat
  readonly means: Means
}

/** The entries of a prepayment: means −(N + V), balance +N, vat +V. */
function depositLines({ clientId, currency, means, net: exact, vat }: Payment) {
  const net = positive(exact)
  const { account, owed } = vatLine(vat, currency)
  return [
    [`${means}:${currency}`, net.plus(owed).neg()],
    [clientAccount(clientId, 'balance'), net],
    [account, owed],
  ] as const
}

/** Posts a prepayment of a client. */
export async function deposit(tx: Database, payment: Payment): Promise<Posted> {
  return move(tx, 'deposit', payment, depositLines(payment))
}

/** Posts prepayments of several clients, whose currencies the caller has compared with those of their accounts. */
export async function deposits(tx: Database, payments: readonly Payment[]): Promise<readonly Posted[]> {
  const kind = 'deposit' as const
  return postAll(
    tx,
    payments.map((payment) => ({ ...payment, kind, entries: entries(...depositLines(payment)) })),
  )
}

/**
 * Posts the refund of a deposit's rest: balance −R, vat −V, means +(R + V). Throws `insufficient_balance`
 * when it exceeds the unused balance, also under concurrency. Credit is not money and is not refunded.
 *
 * @param left the money has already left: usage in the meantime becomes a debt, and nothing is refused.
 */
export async function refund(tx: Database, payment: Payment, { left = false } = {}): Promise<Posted> {
  const { key, clientId, currency, means } = payment
  const net = positive(payment.net)
  const { account, owed } = vatLine(payment.vat, currency)
  const { balance } = await holdAccounts(tx, clientId)
  // A posting that already exists has already reduced the balance.
  if (!left && balance.lt(net) && !(await isPosted(tx, key))) throw refuse('insufficient_balance')
  return move(tx, 'refund', payment, [
    [clientAccount(clientId, 'balance'), net.neg()],
    [account, owed.neg()],
    [`${means}:${currency}`, net.plus(owed)],
  ])
}

export type Dispute = Movement & { readonly net: string; readonly vat: string; readonly means: Means }

/**
 * Posts a lost dispute, in which the bank took a payment back: balance −N, vat_due −V, means +(N + V). The
 * balance may go below zero: the usage becomes a debt.
 */
export async function disputeLost(tx: Database, dispute: Dispute): Promise<Posted> {
  const { clientId, currency, means } = dispute
  const { net, vat } = owedSum(dispute)
  return move(tx, 'dispute', dispute, [
    [clientAccount(clientId, 'balance'), net.neg()],
    [clientAccount(clientId, 'vat_due'), vat.neg()],
    [`${means}:${currency}`, net.plus(vat)],
  ])
}

/**
 * Posts the part of a lost dispute that a credit note covers: balance −N, vat −V, means +(N + V). It was not used, so
 * its VAT is not owed.
 */
export async function depositDisputed(tx: Database, lost: Payment): Promise<Posted> {
  const { clientId, currency, means } = lost
  const net = positive(lost.net)
  const { account, owed } = vatLine(lost.vat, currency)
  return move(tx, 'dispute', lost, [
    [clientAccount(clientId, 'balance'), net.neg()],
    [account, owed.neg()],
    [`${means}:${currency}`, net.plus(owed)],
  ])
}

/**
 * Posts VAT of a deposit that is not owed after all: vat −V, balance +V. The payment stays, and its VAT
 * becomes net.
 */
export async function vatGivenBack(tx: Database, given: Movement & { readonly vat: Vat }): Promise<Posted> {
  const { account, owed } = vatLine(given.vat, given.currency)
  return move(tx, 'correction', given, [
    [account, owed.neg()],
    [clientAccount(given.clientId, 'balance'), owed],
  ])
}

/**
 * Posts that a deposit has other VAT than its first invoice said: vat −V, other vat +W, balance +(V − W). The payment stays.
 * Posts nothing where both are the same.
 */
export async function vatReplaced(
  tx: Database,
  { from, to, ...movement }: Movement & { readonly from: Vat; readonly to: Vat },
): Promise<void> {
  const { clientId, currency } = movement
  const [before, after] = [vatLine(from, currency), vatLine(to, currency)]
  const more = before.owed.minus(after.owed)
  if (before.account === after.account && more.eq(0)) return
  await move(tx, 'correction', movement, [
    [before.account, before.owed.neg()],
    [after.account, after.owed],
    [clientAccount(clientId, 'balance'), more],
  ])
}
