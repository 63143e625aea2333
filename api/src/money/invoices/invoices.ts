import { type VatSeller, type VatTreatment, vatTreatments } from '@portico/contract/rules/vat.ts'
import { addDays } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { statusIds } from '#money/invoice-statuses.ts'
import { buyer } from '#money/invoices/documents/document.ts'
import type { FxRate } from '#money/invoices/rates/fx.ts'
import { ruleVat, ruleVatAs, splitGross, type VatRuling, vatOn } from '#money/invoices/vat/vat.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { payable } from '#money/minor-units.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { type Issued, issueDocument, type Line, type VatGroup, vatKind } from './issue-document.ts'
import { type Billed, billedOf, type Operator, operatorOf } from './parties.ts'

/** An amount in cents; net, or with VAT included. */
export type Sum = { readonly net: string } | { readonly gross: string }

/** The VAT treatment of an advance at this moment: its amounts and the ruling. */
export type Advance = {
  readonly operator: Operator
  readonly billed: Billed
  readonly ruling: VatRuling
  /** The operator's local day on which VAT becomes due. */
  readonly taxPoint: string
  readonly net: Big
  readonly vat: Big
}

/** The buyer as a document states it. */
export const billedAs = (document: {
  readonly buyer: unknown
  readonly currency: string
  readonly locale: string
  readonly po_number: string | null
}): Billed => ({
  buyer: z.parse(buyer, document.buyer),
  currency: document.currency,
  locale: document.locale === 'ro' ? 'ro' : 'en',
  poNumber: document.po_number,
})

type Asked = { readonly billed: Billed; readonly quoted?: VatTreatment | undefined }

/**
 * The buyer of a proforma, and the treatment by which it asked for money: its payer gets an invoice for the same buyer, even after a
 * change of address.
 */
async function askedBy(tx: Database, clientId: number, proformaId: number | undefined): Promise<Asked> {
  if (proformaId === undefined) return { billed: await billedOf(tx, clientId) }
  const found = await tx
    .selectFrom('invoices')
    .select(['buyer', 'currency', 'locale', 'po_number', 'vat_treatment'])
    .where('id', '=', proformaId)
    .where('client_id', '=', clientId)
    .where('kind', '=', 'proforma')
    .executeTakeFirst()
  if (!found) throw refuse('not_found', { type: 'invoices' })
  return { billed: billedAs(found), quoted: treatmentOf(found.vat_treatment) }
}

/** A stored treatment. */
export const treatmentOf = (text: string): VatTreatment | undefined =>
  vatTreatments.find((treatment) => treatment === text)

/** The part of an amount with VAT that is a sale, where the rest pays bills, and how its price was quoted. */
export type Part = { readonly gross: string; readonly quoted?: VatTreatment | undefined }

type Wanted = {
  readonly clientId: number
  readonly sum: Sum
  /** invoices.id of the paid proforma, whose buyer applies. */
  readonly proformaId?: number | undefined
  /** The operator's local day of receipt, where it is not today: VAT becomes due on it. */
  readonly on?: string | undefined
  /** The credit note of a paid bill, whose money is a deposit from now on. */
  readonly creditNoteId?: number | undefined
  /** The seller by which the document was decided whose place it takes. */
  readonly seller?: VatSeller | undefined
  /** The exchange rate of the document whose place it takes. */
  readonly fx?: FxRate | null | undefined
  /** By default all of it, as its proforma quoted it. */
  readonly sale?: Part | undefined
}

/** The net amount of a sale at a rate. */
const netAt =
  (sum: Sum, sale: Part | undefined, currency: string) =>
  (rate: string): Big =>
    'net' in sum ? new Big(sum.net) : splitGross(new Big(sale?.gross ?? sum.gross), rate, currency).net

/** The amounts of an advance whose treatment is decided. Throws `amount_…`. */
export function advanceOf(known: Omit<Advance, 'net' | 'vat'>, sum: Sum): Advance {
  const { ruling, billed } = known
  const { rate } = ruling.decision
  if ('gross' in sum)
    return { ...known, ...splitGross(payable(sum.gross, billed.currency), rate, billed.currency) }
  const net = payable(sum.net, billed.currency)
  return { ...known, net, vat: vatOn(net, rate, billed.currency) }
}

/**
 * Calculates an advance of a client: VAT added to a net amount, or included in a gross one, by the rates of
 * the day. Changes nothing. Throws `billing_info_incomplete`, `documents_need_…`, `amount_…`.
 */
export async function advanceFor(tx: Database, wanted: Wanted): Promise<Advance> {
  const { clientId, sum, proformaId, on, seller, sale: part } = wanted
  const operator = await operatorOf(tx)
  const { billed, quoted } = await askedBy(tx, clientId, proformaId)
  const { buyer: bought, currency } = billed
  const taxPoint = on ?? operator.today
  const sold = { currency, netAt: netAt(sum, part, currency), quoted: part?.quoted ?? quoted }
  const sale = { operator, buyer: bought, clientId, on: taxPoint, sold }
  const ruling = seller ? await ruleVatAs(tx, seller, sale) : await ruleVat(tx, sale)
  return advanceOf({ operator, billed, ruling, taxPoint }, sum)
}

const advanceLine = ({ net, ruling }: Advance, creditNoteId: number | undefined): Line => ({
  kind: 'advance',
  en: 'Advance payment for hosting services',
  ro: 'Avans pentru servicii de găzduire',
  quantity: new Big(1),
  unitPrice: net,
  vat: ruling.decision,
  refInvoiceId: creditNoteId,
})

/**
 * The content of a document about an advance.
 *
 * @param creditNoteId the credit note of a paid bill whose money the advance is.
 */
export function advanceDraft(clientId: number, advance: Advance, creditNoteId?: number) {
  const { operator, billed, ruling, taxPoint, net, vat } = advance
  const groups: VatGroup[] = [{ ...vatKind(ruling.decision), net: net.toFixed(2), vat: vat.toFixed(2) }]
  return {
    clientId,
    operator,
    billed,
    ruling,
    groups,
    lines: [advanceLine(advance, creditNoteId)],
    taxPoint,
  }
}

/**
 * Issues a proforma, a non-fiscal request for payment, payable for the number of days that the operator sets.
 * Throws like `advanceFor`.
 */
export async function issueProforma(
  tx: Database,
  { clientId, sum, sale }: { readonly clientId: number; readonly sum: Sum; readonly sale?: Part | undefined },
): Promise<Issued> {
  const advance = await advanceFor(tx, { clientId, sum, sale })
  const { today, proformaDays } = advance.operator
  return issueDocument(tx, {
    ...advanceDraft(clientId, advance),
    kind: 'proforma',
    reason: 'advance',
    status: 'unpaid',
    dueDate: addDays(today, proformaDays),
  })
}

/**
 * Issues the fiscal invoice of a prepayment, paid on issue. Returns what the ledger has to post: net, and VAT
 * in `groups`. Locks the client's accounts first, then the series. At most one invoice references a proforma.
 * Throws like `advanceFor`.
 *
 * @param isFurther whether the proforma already has its invoice, and this is for a further payment of it.
 */
export async function issueInvoice(
  tx: Database,
  { isFurther = false, ...wanted }: Wanted & { readonly isFurther?: boolean },
): Promise<Issued> {
  await holdAccounts(tx, wanted.clientId)
  const advance = await advanceFor(tx, wanted)
  return issueDocument(tx, {
    ...advanceDraft(wanted.clientId, advance, wanted.creditNoteId),
    fx: wanted.fx,
    kind: 'fiscal',
    reason: 'advance',
    status: 'paid',
    proformaId: isFurther ? undefined : wanted.proformaId,
  })
}

/**
 * Records a payment for a document and updates its status; a cancelled proforma stays cancelled. Throws `not_found`, and `bill_overpaid` when it
 * exceeds the open amount, so that a bill is not paid twice.
 *
 * @param gross exact decimal above zero.
 * @param upTo caps the amount at the open one instead of throwing.
 */
export async function recordPayment(
  tx: Database,
  invoiceId: number,
  gross: string,
  { upTo = false } = {},
): Promise<void> {
  const found = await tx
    .selectFrom('invoices')
    .select(['kind', 'total', 'paid', 'credited', 'currency'])
    .select(sql<boolean>`invoice_status_id in ${statusIds('cancelled')}`.as('isCancelled'))
    .where('id', '=', invoiceId)
    .where('issued_at', 'is not', null)
    .where('kind', '<>', 'credit_note')
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw refuse('not_found', { type: 'invoices' })
  const asked = payable(gross, found.currency)
  const open = new Big(found.total).minus(found.paid).minus(found.credited)
  if (asked.gt(open) && !upTo) throw refuse('bill_overpaid')
  const amount = asked.gt(open) ? open : asked
  if (amount.lte(0)) return
  const settled = amount.eq(open) ? 'paid' : 'partially_paid'
  // Its file says that it is cancelled, and the money is on the balance.
  const status = found.isCancelled ? 'cancelled' : settled
  await tx
    .updateTable('invoices')
    .set(({ eb, fn }) => ({
      paid: eb('paid', '+', amount.toFixed()),
      invoice_status_id: fn<number>('invoice_status', [eb.val(status)]),
    }))
    .where('id', '=', invoiceId)
    .execute()
  if (status === 'paid')
    await sql`update usages set status = 'paid' where service_bill_id = ${invoiceId} and status = 'billed'`.execute(
      tx,
    )
}

/**
 * Takes back a payment of a bill that its bank took back: the bill is open again by this amount. What of its payments was
 * credited is a deposit, and no payment of it any more.
 *
 * @param gross exact decimal above zero, at most what was paid.
 */
export async function reopenBill(tx: Database, invoiceId: number, gross: string): Promise<void> {
  await sql`update invoices i set paid = x.paid, invoice_status_id = case when i.total - i.credited - x.paid <= 0
      then i.invoice_status_id else invoice_status(case when i.due_date < operator_today() then 'overdue'
        when x.paid > 0 then 'partially_paid' else 'unpaid' end) end
    from (select id, greatest(least(paid, total - credited) - ${gross}::numeric, 0) as paid from invoices
      where id = ${invoiceId}) x
    where i.id = x.id`.execute(tx)
  await sql`update usages set status = 'billed' where service_bill_id = ${invoiceId} and status = 'paid'`.execute(
    tx,
  )
}
