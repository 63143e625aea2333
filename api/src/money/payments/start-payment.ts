import { accountMoney } from '@portico/contract/fields.ts'
import * as z from 'zod/mini'
import { amountsOf, assertWithin } from '#money/currency-policies.ts'
import { issueProforma } from '#money/invoices/invoices.ts'
import type { Context, OutsideContext, Related } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse, refuseValue } from '#platform/errors/problem.ts'
import { openBills, priceOf, quotePayment, type Wish } from './payment-price.ts'
import type { Payment } from './payment-rows.ts'
import { billedAccount, paymentScopeOf } from './payment-scope.ts'
import { advancePaymentInTime, assertNotTryingOut, cancelPayment, goingOn, stateOf } from './payments.ts'

type Sent = {
  readonly client_id?: number | undefined
  readonly purpose?: string
  readonly net?: number | undefined
  readonly invoice_id?: number | null
}

const at = (field: string) => ({ source: { pointer: `/data/attributes/${field}` } })

/** The payment that a person requests: exactly one of an amount for the balance, a proforma, or a bill. */
async function wishOf(tx: Database, clientId: number, { purpose, net, invoice_id }: Sent): Promise<Wish> {
  if (purpose === 'deposit') {
    if (net === undefined && typeof invoice_id === 'number') return { clientId, proformaId: invoice_id }
    if (net === undefined) throw refuse('deposit_amount_required', {}, at('net'))
    const { error } = z.safeParse(accountMoney, net)
    if (error) throw refuseValue(error.issues[0]?.message, at('net'))
    const { deposit_least: least, deposit_most: most } = await amountsOf(tx, clientId)
    assertWithin([{ ...at('net').source, amount: net, least, most }])
    if (typeof invoice_id === 'number') throw refuse('deposit_with_bill', {}, at('invoice_id'))
    return { clientId, net: net.toFixed(2) }
  }
  if (purpose !== 'service_bill') throw refuse('purpose_not_offered', {}, at('purpose'))
  if (typeof invoice_id !== 'number') throw refuse('bill_required', {}, at('invoice_id'))
  if (net !== undefined) throw refuse('bill_with_amount', {}, at('net'))
  return { clientId, invoiceId: invoice_id }
}

type Card = { readonly id: number; readonly provider: string }

/** The card to charge: the named one, or the default of the account. Throws `no_card`. */
async function cardFor(tx: Database, clientId: number, named: Related[string] | undefined): Promise<Card> {
  const found = await tx
    .selectFrom('cards')
    .select(['id', 'provider'])
    .where('client_id', '=', clientId)
    .where('status', '=', 'active')
    .where((eb) => (named ? eb('id', '=', Number(named.id)) : eb('is_default', '=', true)))
    .executeTakeFirst()
  if (!found) throw refuse('no_card')
  return found
}

/** Locks a proforma of the account, and no document of another. */
async function holdProforma(tx: Database, clientId: number, id: number): Promise<void> {
  await tx
    .selectFrom('invoices')
    .select('id')
    .where('id', '=', id)
    .where('client_id', '=', clientId)
    .where('kind', '=', 'proforma')
    .forShare()
    .execute()
}

/**
 * A person's new payment, priced, with its proforma. Nothing is charged yet. Throws
 * `billing_info_incomplete`, `no_card`, `payments_refused_often`, `billing_not_open`, and refusals of the
 * amount or the bill.
 */
export async function newPayment(
  context: Pick<Context, 'tx' | 'actor'> & { readonly related: Related; readonly sent: Sent },
) {
  const { tx, actor, related, sent } = context
  const clientId = billedAccount(actor, sent.client_id)
  const wish = await wishOf(tx, clientId, sent)
  await assertNotTryingOut(context, clientId)
  const card = await cardFor(tx, clientId, related.card)
  // Locked until the payment is written: the open amount is read after this, and the bill cannot be settled
  // in between, so that it is not paid twice.
  if (wish.invoiceId !== undefined) await openBills(tx, clientId, { only: wish.invoiceId, held: true })
  // So is a proforma: it is not cancelled in between.
  if (wish.proformaId !== undefined) await holdProforma(tx, clientId, wish.proformaId)
  return { ...(await pricedRow(tx, wish)), card_id: card.id, provider: card.provider, initiated_by: actor.id }
}

/** The columns of a payment's price. */
export async function pricedRow(tx: Database, wish: Wish) {
  const { clientId, net, invoiceId } = wish
  const priced = await priceOf(tx, wish)
  const sale = { gross: priced.sale ?? priced.gross, quoted: priced.treatment }
  const proforma =
    net === undefined ? undefined : await issueProforma(tx, { clientId, sum: { gross: priced.gross }, sale })
  const asked = wish.proformaId
  return {
    client_id: clientId,
    currency: priced.currency,
    net: priced.net,
    vat: priced.vat,
    gross: priced.gross,
    vat_treatment: priced.treatment,
    vat_country: priced.country,
    vat_rate: priced.rate,
    invoice_id: invoiceId ?? null,
    proforma_id: asked ?? proforma?.id ?? null,
    keeps_proforma: asked !== undefined,
  }
}

/** Charges a payment that was just committed; returns the data with which the browser continues. */
export async function beginPayment(
  outsideContext: OutsideContext,
  row: Payment,
): Promise<Record<string, unknown>> {
  const paymentScope = paymentScopeOf(outsideContext)
  return goingOn(paymentScope, row, await advancePaymentInTime(paymentScope, row.id))
}

export async function confirmPayment(outsideContext: OutsideContext, { row }: { readonly row: Payment }) {
  const paymentScope = paymentScopeOf(outsideContext)
  return stateOf(paymentScope, row.id, await advancePaymentInTime(paymentScope, row.id))
}

export async function cancelByPerson(outsideContext: OutsideContext, { row }: { readonly row: Payment }) {
  const paymentScope = paymentScopeOf(outsideContext)
  return stateOf(paymentScope, row.id, await cancelPayment(paymentScope, row.id))
}

type Question = {
  readonly client_id?: number | undefined
  readonly purpose: 'deposit' | 'service_bill'
  readonly amount?: number | undefined
  readonly invoice_id?: number | undefined
}

/** Quotes a payment for a person. */
export async function quoteForPerson({ tx, actor }: Context, { input }: { readonly input: Question }) {
  const clientId = billedAccount(actor, input.client_id)
  const { purpose, amount, invoice_id = null } = input
  return quotePayment(tx, await wishOf(tx, clientId, { purpose, net: amount, invoice_id }))
}
