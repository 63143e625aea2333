import { addDays } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { buyer } from '#money/invoices/documents/document.ts'
import { ruleVat, splitGross, type VatRuling, vatOn } from '#money/invoices/vat/vat.ts'
import { positive } from '#money/ledger/amount.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { type Issued, issueDocument, type Line, type VatGroup } from './issue-document.ts'
import { type Billed, billedOf, type Operator, operatorOf } from './parties.ts'

/** An amount in cents; net, or with VAT on top. */
export type Sum = { readonly net: string } | { readonly gross: string }

/** How an advance would be documented at this moment: what is paid of which is VAT, and why. */
export type Advance = {
  readonly operator: Operator
  readonly billed: Billed
  readonly ruling: VatRuling
  /** The operator's local day on which VAT falls due. */
  readonly taxPoint: string
  readonly net: Big
  readonly vat: Big
}

/** Who a proforma was made out to: whoever pays it gets an invoice for the same, though they moved since. */
async function billedBy(tx: Database, clientId: number, proformaId: number | undefined): Promise<Billed> {
  if (proformaId === undefined) return billedOf(tx, clientId)
  const found = await tx
    .selectFrom('invoices')
    .select(['buyer', 'currency', 'locale', 'po_number'])
    .where('id', '=', proformaId)
    .where('client_id', '=', clientId)
    .where('kind', '=', 'proforma')
    .executeTakeFirst()
  if (!found) throw refuse('not_found', { type: 'invoices' })
  return {
    buyer: z.parse(buyer, found.buyer),
    currency: found.currency,
    locale: found.locale === 'ro' ? 'ro' : 'en',
    poNumber: found.po_number,
  }
}

function inCents(text: string): Big {
  const exact = positive(text)
  if (!exact.eq(exact.round(2))) throw refuse('amount_decimals_most', { most: 2 })
  return exact
}

type Wanted = {
  readonly clientId: number
  readonly sum: Sum
  /** invoices.id of the proforma that is paid: its buyer counts. */
  readonly proformaId?: number | undefined
  /** The operator's local day on which the money came, where that is not today: VAT falls due on it. */
  readonly on?: string | undefined
}

/**
 * Works out an advance of a client: VAT on top of a net sum, or within a gross one, by the rates of the day. Changes nothing.
 * Throws `billing_info_incomplete`, `documents_need_…`, `amount_…`.
 */
export async function advanceFor(tx: Database, { clientId, sum, proformaId, on }: Wanted): Promise<Advance> {
  const operator = await operatorOf(tx)
  const billed = await billedBy(tx, clientId, proformaId)
  const taxPoint = on ?? operator.today
  const ruling = await ruleVat(tx, { operator, buyer: billed.buyer, clientId, on: taxPoint })
  const { rate } = ruling.decision
  const known = { operator, billed, ruling, taxPoint }
  if ('gross' in sum) return { ...known, ...splitGross(inCents(sum.gross), rate) }
  const net = inCents(sum.net)
  return { ...known, net, vat: vatOn(net, rate) }
}

const advanceLine = ({ net, ruling }: Advance): Line => ({
  kind: 'advance',
  en: 'Advance payment for hosting services',
  ro: 'Avans pentru servicii de găzduire',
  quantity: new Big(1),
  unitPrice: net,
  vat: ruling.decision,
})

function advanceDraft(clientId: number, advance: Advance) {
  const { operator, billed, ruling, taxPoint, net, vat } = advance
  const { country, category, rate } = ruling.decision
  const groups: VatGroup[] = [{ country, category, rate, net: net.toFixed(2), vat: vat.toFixed(2) }]
  return {
    clientId,
    operator,
    billed,
    ruling,
    groups,
    lines: [advanceLine(advance)],
    taxPoint,
  }
}

/**
 * Asks a client for money: a proforma, which is no fiscal document and can be paid for so many days as the operator says.
 * Throws as `advanceFor`.
 */
export async function issueProforma(
  tx: Database,
  { clientId, sum }: { readonly clientId: number; readonly sum: Sum },
): Promise<Issued> {
  const advance = await advanceFor(tx, { clientId, sum })
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
 * The fiscal invoice of money that was paid ahead, paid as it is issued. It answers what the ledger is to post: net, and VAT
 * in `groups`. The client's accounts are held first, then the series. A proforma has at most one that names it. Throws as
 * `advanceFor`.
 *
 * @param isFurther whether the proforma has its invoice already, and this is for more that came for it.
 */
export async function issueInvoice(
  tx: Database,
  { isFurther = false, ...wanted }: Wanted & { readonly isFurther?: boolean },
): Promise<Issued> {
  await holdAccounts(tx, wanted.clientId)
  const advance = await advanceFor(tx, wanted)
  return issueDocument(tx, {
    ...advanceDraft(wanted.clientId, advance),
    kind: 'fiscal',
    reason: 'advance',
    status: 'paid',
    proformaId: isFurther ? undefined : wanted.proformaId,
  })
}

/**
 * Money for a document: raises what is paid of it, and says what it is then. Throws `not_found`, and `bill_overpaid` when it is
 * more than is open, so that two who pay the same bill do not both.
 *
 * @param gross exact decimal above zero.
 * @param upTo no more than is open is taken of it, and nothing is refused.
 */
export async function recordPayment(
  tx: Database,
  invoiceId: number,
  gross: string,
  { upTo = false } = {},
): Promise<void> {
  const asked = inCents(gross)
  const found = await tx
    .selectFrom('invoices')
    .select(['kind', 'total', 'paid', 'credited'])
    .where('id', '=', invoiceId)
    .where('issued_at', 'is not', null)
    .where('kind', '<>', 'credit_note')
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw refuse('not_found', { type: 'invoices' })
  const open = new Big(found.total).minus(found.paid).minus(found.credited)
  if (asked.gt(open) && !upTo) throw refuse('bill_overpaid')
  const amount = asked.gt(open) ? open : asked
  if (amount.lte(0)) return
  const status = amount.eq(open) ? 'paid' : 'partially_paid'
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
