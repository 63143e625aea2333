import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { amount, owedSum } from './amount.ts'
import { clientAccount } from './entries.ts'
import { holdAccounts, isPosted } from './held.ts'
import { type Means, type Movement, move, type Vat, vatLine } from './movement.ts'
import type { Posted } from './post.ts'

/**
 * Posts a bill for usage that no deposit covered: vat_due −V, vat +V. The net is already owed as a negative
 * balance. V may be negative when less VAT is owed than was taken before.
 */
export async function serviceBillIssued(
  tx: Database,
  bill: Movement & { readonly vat: Vat },
): Promise<Posted> {
  const { account, owed } = vatLine(bill.vat, bill.currency)
  return move(tx, 'service_bill', bill, [
    [clientAccount(bill.clientId, 'vat_due'), owed.neg()],
    [account, owed],
  ])
}

/**
 * Posts the full or partial payment of such a bill: means −(O + V), balance +O, vat_due +V. It may be of VAT
 * alone.
 */
export async function serviceBillPaid(
  tx: Database,
  payment: Movement & { readonly net: string; readonly vat: string; readonly means: Means },
): Promise<Posted> {
  const { clientId, currency, means } = payment
  const { net, vat } = owedSum(payment)
  return move(tx, 'bill_payment', payment, [
    [`${means}:${currency}`, net.plus(vat).neg()],
    [clientAccount(clientId, 'balance'), net],
    [clientAccount(clientId, 'vat_due'), vat],
  ])
}

/**
 * Posts what a bill below zero gives back as a new deposit: vat_due −B, balance +O + N, vat +V. B is the VAT
 * that was owed back, O the usage that it settles first, and N + V the deposit.
 */
export async function billGivenBack(
  tx: Database,
  given: Movement & {
    readonly back: string
    readonly net: string
    readonly deposit: string
    readonly vat?: Vat
  },
): Promise<Posted> {
  const { account, owed } = vatLine(given.vat, given.currency)
  return move(tx, 'correction', given, [
    [clientAccount(given.clientId, 'vat_due'), amount(given.back).neg()],
    [clientAccount(given.clientId, 'balance'), amount(given.net).plus(amount(given.deposit))],
    [account, owed],
  ])
}

/**
 * Posts a write-off: balance +O, vat_due +V, writeoff −(O + V). Throws `write_off_most` when it exceeds the
 * debt.
 */
export async function writeOff(
  tx: Database,
  loss: Movement & { readonly net: string; readonly vat: string },
): Promise<Posted> {
  const { key, clientId, currency } = loss
  const net = amount(loss.net)
  const vat = amount(loss.vat)
  if (net.lt(0) || vat.lt(0)) throw refuse('write_off_negative')
  const { balance, vatDue } = await holdAccounts(tx, clientId)
  const tooMuch = (net.gt(0) && balance.plus(net).gt(0)) || (vat.gt(0) && vatDue.plus(vat).gt(0))
  if (tooMuch && !(await isPosted(tx, key))) throw refuse('write_off_most')
  return move(tx, 'write_off', loss, [
    [clientAccount(clientId, 'balance'), net],
    [clientAccount(clientId, 'vat_due'), vat],
    [`writeoff:${currency}`, net.plus(vat).neg()],
  ])
}
