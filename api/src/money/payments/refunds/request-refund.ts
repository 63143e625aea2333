import Big from 'big.js'
import { sql } from 'kysely'
import { ibanOf } from '#money/corrections/iban.ts'
import { assertWithinLimit } from '#money/corrections/limits.ts'
import { amountsOf, assertWithin } from '#money/currency-policies.ts'
import { leftOf, vatOfPart } from '#money/invoices/credit-notes.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { payable, rounded } from '#money/minor-units.ts'
import { followed, least } from '#money/payments/disputes/parts.ts'
import { refundKey } from '#money/payments/job-keys.ts'
import { type Payment, refundableStates } from '#money/payments/payment-rows.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { refundableDeposits } from './refundable-deposits.ts'
import { unclaimed } from './refunds.ts'

/** The number of days in which a person may have a deposit refunded; staff may later. */
const ownDays = 14

/** The maximum number of refunds that a person asks for of one deposit: each uses up a number of the series. */
const mostOwn = 10

type Refundable = { readonly isStaff: boolean; readonly iban: string | null }

type Found = {
  settled: boolean
  fresh: boolean
  transfer: boolean
  room: string
  own: number
}

type Followed = {
  readonly id: number
  readonly number: string | null
  /** The part of it that the payment has, with VAT; null: all. */
  readonly most: string | null
  readonly advanceId?: number
}

/**
 * The invoice from which a locked payment is refunded: that of its deposit while something of it is unused, else one of a part
 * that came back, which the payment follows from now on, else what a credit note took off a bill, which is no deposit of the
 * payment's own and is named as `advanceId`. The caller holds the client's accounts. Throws `deposit_not_paid`.
 */
async function followDeposit(tx: Database, id: number): Promise<Followed> {
  const { rows } = await sql<Followed & { readonly is_own: boolean }>`
    select d.id, d.number, d.is_own, d.most from payments p
      cross join lateral ${refundableDeposits(sql`p`)} d where p.id = ${id}
    order by d.is_unused desc, d.id = p.advance_invoice_id desc, d.is_own desc, d.id limit 1`.execute(tx)
  const [deposit] = rows
  if (!deposit) throw refuse('deposit_not_paid')
  if (!deposit.is_own) return { ...deposit, advanceId: deposit.id }
  await sql`update payments p set ${followed(deposit.id)}
    where p.id = ${id} and p.advance_invoice_id <> ${deposit.id}`.execute(tx)
  return deposit
}

/** The deposit of a payment, which is locked, and what is left of the payment and may be in that deposit, with VAT. */
async function assertRefundable(
  tx: Database,
  { id, client_id }: Pick<Payment, 'id' | 'client_id'>,
  { isStaff, iban }: Refundable,
) {
  const { rows } = await sql<Found>`
    select p.status in ${refundableStates} as settled, p.provider = 'bank' as transfer,
      p.settled_at > clock_now() - make_interval(days => ${ownDays}) as fresh, p.gross - p.refunded as room,
      (select count(*)::int from payment_refunds r where r.payment_id = p.id and r.requested_by is not null) as own
    from payments p where p.id = ${id} for update`.execute(tx)
  const [found] = rows
  if (!found?.settled) throw refuse('deposit_not_paid')
  await holdAccounts(tx, client_id)
  const { id: invoiceId, number, most, advanceId } = await followDeposit(tx, id)
  // No provider can send it, and the portal does not know the source account.
  if (found.transfer && iban === null) throw refuse('transfer_refund_by_hand')
  if (!isStaff && !found.fresh) throw refuse('deposit_refund_late', { days: ownDays })
  if (!isStaff && found.own >= mostOwn) throw refuse('refunds_most', { most: mostOwn })
  return { invoiceId, number, advanceId, room: least(new Big(found.room), new Big(most ?? found.room)) }
}

type NewRefund = {
  readonly payment: Pick<Payment, 'id' | 'client_id'>
  readonly currency: string
  readonly net: string
  readonly vat: string
  readonly gross: string
  readonly reason: string
  /** The account to which staff send it; null: the provider sends it. */
  readonly iban: string | null
  /** The number of the document that it is about, for the alert. */
  readonly number: string | null
  /** The deposit that it credits, where that is not the payment's own. */
  readonly advanceId?: number | undefined
}

/** Stores a refund: a job asks the provider for it, or an alert asks staff for a transfer. Returns its id. */
export async function beginRefund({ tx, actor }: Context, refund: NewRefund): Promise<number> {
  const { payment, currency, net, vat, gross, reason, iban, number, advanceId } = refund
  const { id } = await tx
    .insertInto('payment_refunds')
    .values({
      payment_id: payment.id,
      client_id: payment.client_id,
      net,
      vat,
      gross,
      reason,
      requested_by: actor.staff ? null : actor.id,
      requested_by_admin: actor.staff?.id ?? null,
      advance_invoice_id: advanceId ?? null,
      iban,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (iban === null) await enqueue(tx, 'payment.refund', { refundId: id }, { key: refundKey(id) })
  else
    await alertStaff(tx, payment.id, `transfer_due_${id}`, {
      amount: `${gross} ${currency}`,
      iban,
      number,
      client_id: payment.client_id,
    })
  return id
}

type Parts = { readonly net: Big; readonly vat: Big; readonly gross: Big }

/** The largest net amount that comes to no more than `room` with its VAT, which is rounded. */
function netWithin(most: Parts, room: Big, currency: string, withVat: (net: Big) => Parts): Big {
  if (most.gross.lte(room)) return most.net
  const net = rounded(most.net.times(room).div(most.gross), currency, Big.roundDown)
  const above = withVat(net).gross.minus(room)
  return above.gt(0) ? net.minus(above) : net
}

type Deposit = { readonly invoiceId: number; readonly room: Big }

/**
 * The refunded parts of a deposit: the wanted net amount, or all that is unused, but no more than is left of the payment, whose
 * deposit is larger where another payment paid for what went back of it, or a part of the credited bill. Throws `refund_pending`,
 * `refund_most`, and `insufficient_balance` where nothing can be refunded.
 */
async function refundable(
  tx: Database,
  row: Payment,
  { invoiceId, room }: Deposit,
  wanted: number | undefined,
) {
  const { currency } = row
  const held = await holdAccounts(tx, row.client_id)
  const balance = await unclaimed(tx, row, held.balance)
  const left = await leftOf(tx, invoiceId)
  const rest = { net: new Big(left.net), vat: new Big(left.vat) }
  const withVat = (net: Big): Parts => {
    const vat = vatOfPart(net, rest, { rate: left.rate, currency })
    return { net, vat, gross: net.plus(vat) }
  }
  const unused = rest.net.minus(left.used)
  const most = withVat(balance.lt(unused) ? rounded(balance, currency, Big.roundDown) : unused)
  const all = most.gross.gt(0) ? netWithin(most, room, currency, withVat) : new Big(0)
  if (all.lte(0)) throw refuse('insufficient_balance')
  const parts = withVat(wanted === undefined ? all : payable(wanted.toFixed(2), currency))
  if (parts.net.gt(most.net) || parts.gross.gt(room))
    throw refuse('refund_most', { most: all.toFixed(2), currency }, { source: { pointer: '/data/amount' } })
  return parts
}

type Wanted = {
  readonly amount?: number | undefined
  readonly iban?: string | undefined
  readonly reason: string
}

/**
 * Requests a full or partial refund of a deposit: at most the balance, less other pending refunds. A job
 * sends the money, or staff do by a transfer to an account that they name, and the credit note follows once it has left.
 * Throws `deposit_not_paid`, `transfer_refund_by_hand`, `deposit_refund_late`, `refunds_most`, `refund_pending`, `refund_most`,
 * `insufficient_balance`; for staff `iban_invalid`, `staff_limit_…` and `recent_sign_in_required`, for others `staff_only` with an account.
 */
export async function requestRefund(
  context: Context,
  { row, input }: { readonly row: Payment; readonly input: Wanted },
) {
  const { tx, actor } = context
  const isStaff = actor.staff !== undefined
  // A stolen session could name an account of its own.
  if (input.iban !== undefined && !isStaff) throw refuse('staff_only')
  const iban = input.iban === undefined ? null : ibanOf(input.iban)
  const { deposit_most } = await amountsOf(tx, row.client_id)
  assertWithin([{ pointer: '/data/amount', amount: input.amount, most: deposit_most }])
  const { number, advanceId, ...deposit } = await assertRefundable(tx, row, { isStaff, iban })
  const { net, vat, gross } = await refundable(tx, row, deposit, input.amount)
  const { client_id: clientId, currency } = row
  if (isStaff) await assertWithinLimit(context, { verb: 'refund', clientId, currency, amount: gross })
  const refundId = await beginRefund(context, {
    payment: row,
    currency,
    net: net.toFixed(2),
    vat: vat.toFixed(2),
    gross: gross.toFixed(2),
    reason: input.reason,
    iban,
    number,
    advanceId,
  })
  return {
    refund_id: refundId,
    status: 'pending' as const,
    net: Number(net),
    vat: Number(vat),
    gross: Number(gross),
  }
}
