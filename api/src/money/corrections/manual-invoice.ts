import { soldLines } from '@portico/contract/resources/invoice-drafts.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { requestEvaluation } from '#money/balance/balances.ts'
import {
  groupVat,
  type Issued,
  issueDocument,
  type Line,
  type VatGroup,
} from '#money/invoices/issue-document.ts'
import { billedOf, dueDateOf, operatorOf } from '#money/invoices/parties.ts'
import { ruleVat } from '#money/invoices/vat/vat.ts'
import { invoiceIssued, serviceBillIssued } from '#money/ledger/bills.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { payable, rounded } from '#money/minor-units.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertWithinLimit } from './limits.ts'

type Sold = {
  readonly description_en: string
  readonly description_ro?: string | undefined
  readonly quantity: number
  readonly unit_price: number
}

const lineOf =
  (vat: Line['vat']) =>
  ({ description_en: en, description_ro: ro = en, quantity, unit_price }: Sold): Line => ({
    kind: 'manual',
    en,
    ro,
    quantity: new Big(quantity),
    unitPrice: new Big(unit_price),
    vat,
  })

/** Posts what the client owes by the invoice. */
async function post(tx: Context['tx'], clientId: number, currency: string, issued: Issued): Promise<void> {
  const known = { clientId, currency, source: { type: 'invoice', id: issued.id } }
  await invoiceIssued(tx, { ...known, key: `bill:${issued.id}:net`, net: issued.net })
  for (const { country, rate, vat } of issued.groups)
    if (!new Big(vat).eq(0))
      await serviceBillIssued(tx, {
        ...known,
        key: `bill:${issued.id}:${country}:${rate}`,
        vat: { amount: vat, country, rate },
      })
}

/** The content of an invoice that is issued today. Throws `amount_decimals_most`, `billing_info_incomplete`, `documents_need_…`. */
async function contentOf(tx: Context['tx'], clientId: number, sold: readonly Sold[]) {
  const operator = await operatorOf(tx)
  const billed = await billedOf(tx, clientId)
  // A line is its quantity times its price, which a rounded one would not be.
  for (const { unit_price } of sold) payable(String(unit_price), billed.currency)
  const net = sold.reduce(
    (sum, { quantity, unit_price: price }) =>
      sum.plus(rounded(new Big(quantity).times(price), billed.currency)),
    new Big(0),
  )
  const counted = { currency: billed.currency, netAt: () => net }
  const ruling = await ruleVat(tx, {
    operator,
    buyer: billed.buyer,
    clientId,
    on: operator.today,
    sold: counted,
  })
  const lines = sold.map(lineOf(ruling.decision))
  const groups = groupVat(lines, billed.currency)
  const vat = sumOf(groups, 'vat')
  return { operator, billed, ruling, lines, net, vat }
}

const sumOf = (groups: readonly VatGroup[], part: 'net' | 'vat'): Big =>
  groups.reduce((sum, group) => sum.plus(group[part]), new Big(0))

type Draft = RowOf<'invoice_drafts'>

/** The verb that says what a draft would be if it were issued now. Throws like `contentOf`. */
export async function previewDraft({ tx }: Context, { row: { client_id, lines } }: { readonly row: Draft }) {
  const { net, vat, billed, ruling } = await contentOf(tx, client_id, z.parse(soldLines, lines))
  const { treatment, rate } = ruling.decision
  return {
    net: Number(net),
    vat: Number(vat),
    total: Number(net.plus(vat)),
    currency: billed.currency,
    vat_treatment: treatment,
    vat_rate: Number(rate),
  }
}

type Asked = { readonly lines: readonly Sold[]; readonly draft_id?: number | undefined }

/** Ends the draft that is issued. Throws `draft_changed` when it is gone, or somebody changed it. */
async function endDraft(tx: Context['tx'], clientId: number, { lines, draft_id }: Asked): Promise<void> {
  if (draft_id === undefined) return
  const { rows } = await sql`delete from invoice_drafts where id = ${draft_id} and client_id = ${clientId}
    and lines = ${JSON.stringify(lines)}::jsonb returning id`.execute(tx)
  if (rows.length === 0) throw refuse('draft_changed')
}

/**
 * The staff action that issues an invoice for something other than usage, which the client owes like a bill. Throws
 * like `contentOf` and `assertWithinLimit`, and `draft_changed`.
 */
export async function manualInvoice(
  context: Context,
  { row: { id: clientId }, input }: { readonly row: { readonly id: number }; readonly input: Asked },
) {
  const { tx } = context
  await holdAccounts(tx, clientId)
  await endDraft(tx, clientId, input)
  const { net, vat, ...content } = await contentOf(tx, clientId, input.lines)
  const { operator, billed } = content
  const { currency } = billed
  await assertWithinLimit(context, { verb: 'manualInvoice', clientId, currency, amount: net.plus(vat) })
  const issued = await issueDocument(tx, {
    clientId,
    kind: 'fiscal',
    reason: 'manual',
    status: 'unpaid',
    ...content,
    taxPoint: operator.today,
    dueDate: dueDateOf(operator, billed),
    before: (draft) => post(tx, clientId, currency, draft),
  })
  await requestEvaluation(tx, clientId)
  return { invoice_id: issued.id, full_number: issued.fullNumber, total: Number(issued.total) }
}
