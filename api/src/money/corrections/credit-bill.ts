import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { asOn, lockOriginal, type Original } from '#money/invoices/credit-notes.ts'
import { issueInvoice, treatmentOf } from '#money/invoices/invoices.ts'
import { type Issued, issueDocument } from '#money/invoices/issue-document.ts'
import { operatorOf } from '#money/invoices/parties.ts'
import { billCredited } from '#money/ledger/bills.ts'
import { rounded } from '#money/minor-units.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { type Content, creditContent, type Wish } from './credit-content.ts'
import { assertWithinLimit } from './limits.ts'
import { lockPayments, payBack, type Way } from './pay-back.ts'

const least = (a: Big, b: Big): Big => (a.lt(b) ? a : b)

/** The net part of what a bill still asks for; its parts add up to the bill's own net. */
function openNet({ net, total, paid, currency }: Original, open: Big): Big {
  const until = (sum: Big) => rounded(sum.times(net).div(total), currency)
  return open.eq(0) ? open : until(open.plus(paid)).minus(until(new Big(paid)))
}

/** The parts of a credit note, VAT included: what the bill still asks for, then what was written off, then what was paid. */
export function partsOf(bill: Original, gross: Big) {
  const due = new Big(bill.total).minus(bill.paid).minus(bill.credited)
  const asked = least(gross, due.gt(0) ? due : new Big(0))
  const lost = least(gross.minus(asked), new Big(bill.written_off))
  return { asked, lost, paid: gross.minus(asked).minus(lost) }
}

/**
 * Gives back the advances that a bill deducted, on the day of its credit note. The row of the bill stays: the accounts of its month
 * are closed.
 */
async function returnAdvances(tx: Database, bill: Original, note: Issued): Promise<void> {
  await sql`insert into advance_consumptions (advance_id, invoice_id, amount)
    select advance_id, ${note.id}, -amount from advance_consumptions where invoice_id = ${bill.id}`.execute(
    tx,
  )
}

/** Updates what the bill asks for. */
async function follow(tx: Database, bill: Original, gross: Big, isLast: boolean): Promise<void> {
  const { lost } = partsOf(bill, gross)
  const credited = least(new Big(bill.total), gross.plus(bill.credited))
  const paid = new Big(bill.paid).minus(lost)
  const open = new Big(bill.total).minus(paid).minus(credited)
  const whole = paid.gt(0) ? 'refunded' : 'cancelled'
  const settled = isLast ? whole : 'paid'
  await sql`update invoices set credited = ${credited.toFixed(2)}, paid = ${paid.toFixed(2)},
      written_off = written_off - ${lost.toFixed(2)}::numeric, invoice_status_id = case
      when ${open.lte(0)} then invoice_status(${settled}) else invoice_status_id end
    where id = ${bill.id}`.execute(tx)
}

/** Posts the credit note; what was paid becomes a deposit with its invoice, which is returned. */
async function post(
  tx: Database,
  bill: Original,
  note: Issued,
  { returned }: Content,
): Promise<Issued | null> {
  const { asked, lost, paid } = partsOf(bill, new Big(note.total).neg())
  const due = new Big(bill.total).minus(bill.paid).minus(bill.credited)
  const open = due.gt(0) ? due : new Big(0)
  const lessNet = openNet(bill, open).minus(openNet(bill, open.minus(asked)))
  const { client_id: clientId, currency } = bill
  const sum = { gross: paid.toFixed(2) }
  const sale = { ...sum, quoted: treatmentOf(bill.vat_treatment) }
  const advance = paid.gt(0) ? await issueInvoice(tx, { clientId, sum, sale, creditNoteId: note.id }) : null
  const [group] = advance?.groups ?? []
  await billCredited(tx, {
    key: `credit:${note.id}`,
    clientId,
    currency,
    revenue: bill.reason === 'manual' ? 'other' : 'usage',
    net: new Big(note.net).neg().plus(returned).toFixed(2),
    vat: note.groups.map(({ country, rate, vat }) => ({
      country,
      rate,
      amount: new Big(vat).neg().toFixed(2),
    })),
    balance: lessNet.plus(returned).toFixed(2),
    vatDue: asked.minus(lessNet).toFixed(2),
    lost: lost.toFixed(2),
    deposit: advance
      ? {
          net: advance.net,
          ...(group && { vat: { amount: group.vat, country: group.country, rate: group.rate } }),
        }
      : undefined,
    source: { type: 'invoice', id: note.id },
  })
  return advance
}

type Given = { readonly row: RowOf<'invoices'>; readonly input: Wish & Way & { readonly reason: string } }

/**
 * The staff action that credits a bill or a manual invoice: whole, by lines, or by an amount. Throws like `payBack`, `credit_note_…`,
 * `credited_…`, `invoice_several_rates`, `documents_need_…`, and like `assertWithinLimit`.
 */
export async function creditBill(context: Context, { row, input }: Given) {
  const { tx } = context
  if (row.kind !== 'fiscal' || row.reason === 'advance') throw refuse('credit_note_deposit')
  await lockPayments(tx, row, input)
  const bill = await lockOriginal(tx, row.id)
  const content = await creditContent(tx, bill, input)
  const gross = content.groups.reduce((sum, { net, vat }) => sum.minus(net).minus(vat), new Big(0))
  if (gross.lt(0)) throw refuse('credited_already')
  await assertWithinLimit(context, {
    verb: 'creditNote',
    clientId: bill.client_id,
    currency: bill.currency,
    amount: gross.plus(content.returned),
  })
  const operator = await operatorOf(tx)
  const note = await issueDocument(tx, {
    ...asOn(bill, operator),
    clientId: bill.client_id,
    kind: 'credit_note',
    reason: 'storno',
    status: 'paid',
    lines: content.lines,
    groups: content.groups,
    taxPoint: operator.today,
    correctsId: bill.id,
    notes: input.reason,
  })
  const advance = await post(tx, bill, note, content)
  await follow(tx, bill, gross, content.isLast)
  if (content.isWhole) await returnAdvances(tx, bill, note)
  const refundId = await payBack(context, bill, { advance, isWhole: content.isWhole }, input)
  await requestEvaluation(tx, bill.client_id)
  return {
    credit_note_id: note.id,
    full_number: note.fullNumber,
    total: Number(note.total),
    deposit_id: advance?.id ?? null,
    refund_id: refundId,
  }
}
