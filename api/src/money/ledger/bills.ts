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

/** Posts the net of an invoice for something other than usage: balance −N, revenue +N. */
export async function invoiceIssued(
  tx: Database,
  sold: Movement & { readonly net: string },
): Promise<Posted> {
  const net = amount(sold.net)
  return move(tx, 'service_bill', sold, [
    [clientAccount(sold.clientId, 'balance'), net.neg()],
    [`revenue:other:${sold.currency}`, net],
  ])
}

/**
 * Posts a credit note for a bill: revenue −N, vat −V by rate, to the client what the bill asks for less (balance +O,
 * vat_due +W), and writeoff +L for what had been written off. `revenue` names the account of the revenue.
 */
export async function billCredited(
  tx: Database,
  note: Movement & {
    readonly revenue: 'usage' | 'other'
    readonly net: string
    readonly vat: readonly Vat[]
    readonly balance: string
    readonly vatDue: string
    readonly lost: string
    readonly deposit?: { readonly net: string; readonly vat?: Vat } | undefined
  },
): Promise<Posted> {
  const { clientId, currency, deposit } = note
  const back = vatLine(deposit?.vat, currency)
  const lines = note.vat
    .map((one) => vatLine(one, currency))
    .map(({ account, owed }) => [account, owed.neg()] as const)
  return move(tx, 'correction', note, [
    [`revenue:${note.revenue}:${currency}`, amount(note.net).neg()],
    ...lines,
    [clientAccount(clientId, 'balance'), amount(note.balance).plus(amount(deposit?.net ?? '0'))],
    [clientAccount(clientId, 'vat_due'), amount(note.vatDue)],
    [`writeoff:${currency}`, amount(note.lost)],
    [back.account, back.owed],
  ])
}

/**
 * Posts what two documents of a bill moved between net and VAT by setting one off against the other: balance +N,
 * vat_due −N.
 */
export async function billSetOff(
  tx: Database,
  moved: Movement & { readonly net: string },
): Promise<Posted | null> {
  const net = amount(moved.net)
  if (net.eq(0)) return null
  return move(tx, 'correction', moved, [
    [clientAccount(moved.clientId, 'balance'), net],
    [clientAccount(moved.clientId, 'vat_due'), net.neg()],
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
 * Posts a write-off: balance +O, vat_due +V, writeoff −(O + V). The balance may be above zero before, because a bill is owed
 * next to a deposit that came otherwise. Throws `write_off_most` when no bill asks for so much VAT.
 */
export async function writeOff(
  tx: Database,
  loss: Movement & { readonly net: string; readonly vat: string },
): Promise<Posted> {
  const { key, clientId, currency } = loss
  const net = amount(loss.net)
  const vat = amount(loss.vat)
  if (net.lt(0) || vat.lt(0)) throw refuse('write_off_negative')
  const { vatDue } = await holdAccounts(tx, clientId)
  const isTooMuch = vat.gt(0) && vatDue.plus(vat).gt(0)
  if (isTooMuch && !(await isPosted(tx, key))) throw refuse('write_off_most')
  return move(tx, 'write_off', loss, [
    [clientAccount(clientId, 'balance'), net],
    [clientAccount(clientId, 'vat_due'), vat],
    [`writeoff:${currency}`, net.plus(vat).neg()],
  ])
}

/**
 * Posts that money arrives for what was written off: balance −O, vat_due −V, writeoff +(O + V). The bill asks for it again, and
 * its VAT stays declared as it was.
 */
export async function writeOffTakenBack(
  tx: Database,
  back: Movement & { readonly net: string; readonly vat: string },
): Promise<Posted> {
  const { clientId, currency } = back
  const { net, vat } = owedSum(back)
  return move(tx, 'write_off', back, [
    [clientAccount(clientId, 'balance'), net.neg()],
    [clientAccount(clientId, 'vat_due'), vat.neg()],
    [`writeoff:${currency}`, net.plus(vat)],
  ])
}
