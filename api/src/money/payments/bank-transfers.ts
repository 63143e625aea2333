import { randomUUID } from 'node:crypto'
import Big from 'big.js'
import { sql } from 'kysely'
import { holdTyped } from '#money/bank/by-hand.ts'
import { assertWithinLimit } from '#money/corrections/limits.ts'
import { isBill } from '#money/invoice-statuses.ts'
import { advanceFor } from '#money/invoices/invoices.ts'
import { currencyOf } from '#money/ledger/entries.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { allocate, openBills, sumOf } from './payment-price.ts'
import { openPaymentStates, type Payment } from './payment-rows.ts'
import { settleWithin } from './settle-payment.ts'

type Invoice = RowOf<'invoices'>

/** A line of the bank statement. */
export type Transfer = {
  /** In the currency of the document, with VAT; exact, above zero. */
  readonly amount: string
  /** The operator's local day of receipt. */
  readonly receivedOn: string
  /** The bank's reference of the line; null where it gave none. */
  readonly reference: string | null
  /** admins.id of the staff member who recorded it; null in seeded history. */
  readonly recordedBy: number | null
  /** bank_lines.id, where the money stands in the suspense account. */
  readonly lineId?: number
}

/** The target of a transfer: a document, or the balance of a client. */
export type TransferTarget = {
  readonly clientId: number
  readonly currency: string
  readonly bill: number | null
  readonly proforma: number | null
}

/** The target of a transfer for a document. Throws `transfer_document_unfit`. */
export function targetOf(
  invoice: Pick<Invoice, 'id' | 'client_id' | 'kind' | 'reason' | 'currency'>,
): TransferTarget {
  const { id, client_id: clientId, kind, currency } = invoice
  if (kind !== 'proforma' && !isBill(invoice)) throw refuse('transfer_document_unfit')
  const isProforma = kind === 'proforma'
  return { clientId, currency, bill: isProforma ? null : id, proforma: isProforma ? id : null }
}

/** The payment that is this transfer already: of the typed reference, or, for a line, the one that was typed for it. */
async function recordedBefore(tx: Database, transfer: Transfer): Promise<Payment | undefined> {
  const { reference, lineId } = transfer
  if (lineId !== undefined) return holdTyped(tx, transfer)
  return tx
    .selectFrom('payments')
    .select(columns.payments)
    .where('provider', '=', 'bank')
    .where('provider_ref', '=', reference ?? '')
    .executeTakeFirst()
}

/** A payment of a line has the bank's reference, or, where another payment has that, one with the id of the line. */
async function nameOf(tx: Database, { reference, lineId }: Transfer): Promise<string> {
  if (lineId === undefined) return reference ?? ''
  const first = reference ?? `#${lineId}`
  const { rows } = await sql<{ name: string }>`
    select n.name from unnest(array[${first}, ${`${first} / ${lineId}`}, ${`${first} / ${randomUUID()}`}]) with ordinality n (name, place)
    where not exists (select from payments p where p.provider = 'bank' and p.provider_ref = n.name)
    order by n.place limit 1`.execute(tx)
  return rows[0]?.name ?? first
}

const pointed = (field: string) => ({ source: { pointer: `/data/${field}` } })

/**
 * Checks that a repeated reference has the same data; different data is a mistake. Throws
 * `transfer_recorded_otherwise`.
 */
function assertSame(known: Payment, target: TransferTarget, { amount, receivedOn }: Transfer): Payment {
  const isSame =
    known.client_id === target.clientId &&
    known.invoice_id === target.bill &&
    known.proforma_id === target.proforma
  if (isSame && known.received_on === receivedOn && new Big(known.gross).eq(amount)) return known
  throw refuse('transfer_recorded_otherwise', { payment: known.id }, pointed('reference'))
}

/** Throws `bill_payment_pending` while a card payment for the same bill is pending. */
async function assertNotBeingPaid(tx: Database, billId: number): Promise<void> {
  const found = await tx
    .selectFrom('payments')
    .select('id')
    .where('invoice_id', '=', billId)
    .where('status', 'in', openPaymentStates)
    .executeTakeFirst()
  if (found) throw refuse('bill_payment_pending')
}

/** Throws `transfer_currency_changed` where the account has left the currency of its document. The caller holds the accounts, so that it stays. */
async function assertKeptIn(tx: Database, { clientId, currency }: TransferTarget): Promise<void> {
  const wanted = await currencyOf(tx, clientId)
  if (currency !== wanted) throw refuse('transfer_currency_changed', { currency, wanted })
}

/** The columns of the payment's parts: bills first, then net and VAT as of the day of receipt. */
async function priced(
  tx: Database,
  { clientId, currency, bill, proforma }: TransferTarget,
  { amount, receivedOn }: Transfer,
) {
  const arrived = { invoiceId: bill, gross: amount }
  const bills = await openBills(tx, clientId, { arrived, held: true })
  if (bill !== null) await assertNotBeingPaid(tx, bill)
  const due = bills.reduce((sum, bill) => sum.plus(bill.due), new Big(0))
  const rest = due.gt(amount) ? new Big(0) : new Big(amount).minus(due)
  const advance = await advanceFor(tx, {
    clientId,
    sum: { gross: amount },
    sale: { gross: rest.toFixed(2) },
    proformaId: proforma ?? undefined,
    on: receivedOn,
  })
  const { treatment, country, rate } = advance.ruling.decision
  return {
    ...sumOf(allocate(amount, bills, { rate, currency, invoiceId: bill })),
    vat_treatment: treatment,
    vat_country: country,
    vat_rate: rate,
    invoice_id: bill,
    proforma_id: proforma,
  }
}

/**
 * Records a bank transfer for a proforma, a bill or a balance, whatever its amount and however late: the received amount
 * is booked and taxed. It is settled like every payment (money/payments/settle-payment.ts). One by hand is idempotent by its
 * reference; that of a line is the one that was typed for it, if there is one. Throws `transfer_recorded_otherwise`,
 * `transfer_currency_changed`, `bill_payment_pending`, and like `advanceFor`.
 */
export async function recordTransfer(
  tx: Database,
  target: TransferTarget,
  transfer: Transfer,
): Promise<Payment> {
  const { amount, receivedOn, recordedBy, lineId } = transfer
  const { clientId, currency } = target
  // A concurrent recording for the same client waits here, and then finds this one.
  await holdAccounts(tx, clientId)
  const known = await recordedBefore(tx, transfer)
  if (known) return assertSame(known, target, transfer)
  await assertKeptIn(tx, target)
  const reference = await nameOf(tx, transfer)
  const made = await tx
    .insertInto('payments')
    .values({
      ...(await priced(tx, target, transfer)),
      client_id: clientId,
      purpose: 'bank_transfer',
      provider: 'bank',
      method: 'bank_transfer',
      provider_ref: reference,
      currency,
      received_on: receivedOn,
      recorded_by: recordedBy,
      bank_line_id: lineId ?? null,
      // The outcome is known.
      next_look_at: null,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'provider_ref']).doNothing())
    .returning('id')
    .executeTakeFirst()
  // Recorded concurrently for another client.
  if (!made) return recordTransfer(tx, target, transfer)
  await settleWithin(tx, made.id, { ref: reference, amountReceived: amount, currency })
  return tx
    .selectFrom('payments')
    .select(columns.payments)
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
}

type Input = {
  readonly amount: number
  readonly received_on: string
  readonly reference: string
}

/** An earlier day is a typing mistake, and its VAT rates may be unknown. */
export async function assertArrived(tx: Database, receivedOn: string, field = 'received_on'): Promise<void> {
  const { rows } = await sql<{ ahead: boolean | null; old: boolean | null }>`
    select ${receivedOn}::date > operator_today() as ahead, ${receivedOn}::date < operator_today() - interval '1 year' as old`.execute(
    tx,
  )
  if (rows[0]?.ahead) throw refuse('transfer_ahead', {}, pointed(field))
  if (rows[0]?.old) throw refuse('transfer_too_old', {}, pointed(field))
}

/** The staff action that records a line of the bank statement. Throws like `recordTransfer` and `assertWithinLimit`. */
export async function recordBankTransfer(
  context: Context,
  { row, input }: { readonly row: Invoice; readonly input: Input },
) {
  const { tx, actor } = context
  const target = targetOf(row)
  await assertArrived(tx, input.received_on)
  const { clientId, currency } = target
  await assertWithinLimit(context, {
    verb: 'recordBankTransfer',
    clientId,
    currency,
    amount: new Big(input.amount),
  })
  const payment = await recordTransfer(tx, target, {
    amount: input.amount.toFixed(2),
    receivedOn: input.received_on,
    reference: input.reference,
    recordedBy: actor.staff?.id ?? null,
  })
  return {
    transaction_id: payment.id,
    // The invoice of the part for the balance; none when bills took all of it.
    invoice_id: payment.advance_invoice_id,
    net: Number(payment.net),
    vat: Number(payment.vat),
    gross: Number(payment.gross),
  }
}
