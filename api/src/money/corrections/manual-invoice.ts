import { addDays } from '@portico/contract/time.ts'
import Big from 'big.js'
import { requestEvaluation } from '#money/balance/balances.ts'
import { groupVat, type Issued, issueDocument, type Line } from '#money/invoices/issue-document.ts'
import { billedOf, operatorOf } from '#money/invoices/parties.ts'
import { ruleVat } from '#money/invoices/vat/vat.ts'
import { invoiceIssued, serviceBillIssued } from '#money/ledger/bills.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import type { Context } from '#platform/context.ts'
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

/**
 * The staff action that issues an invoice for something other than usage, which the client owes like a bill. Throws
 * `billing_info_incomplete`, `documents_need_…`, and like `assertWithinLimit`.
 */
export async function manualInvoice(
  context: Context,
  {
    row: { id: clientId },
    input,
  }: { readonly row: { readonly id: number }; readonly input: { readonly lines: readonly Sold[] } },
) {
  const { tx } = context
  await holdAccounts(tx, clientId)
  const operator = await operatorOf(tx)
  const billed = await billedOf(tx, clientId)
  const ruling = await ruleVat(tx, { operator, buyer: billed.buyer, clientId, on: operator.today })
  const lines = input.lines.map(lineOf(ruling.decision))
  const amount = groupVat(lines, billed.currency).reduce(
    (sum, { net, vat }) => sum.plus(net).plus(vat),
    new Big(0),
  )
  await assertWithinLimit(context, { verb: 'manualInvoice', clientId, currency: billed.currency, amount })
  const issued = await issueDocument(tx, {
    clientId,
    kind: 'fiscal',
    reason: 'manual',
    status: 'unpaid',
    operator,
    billed,
    ruling,
    lines,
    taxPoint: operator.today,
    dueDate: addDays(operator.today, operator.dueDays),
    before: (draft) => post(tx, clientId, billed.currency, draft),
  })
  await requestEvaluation(tx, clientId)
  return { invoice_id: issued.id, full_number: issued.fullNumber, total: Number(issued.total) }
}
