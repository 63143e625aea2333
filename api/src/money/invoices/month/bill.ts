import { addDays } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { issueInvoice, recordPayment } from '#money/invoices/invoices.ts'
import {
  type Draft,
  groupVat,
  type Issued,
  issueDocument,
  type Line,
  type VatGroup,
} from '#money/invoices/issue-document.ts'
import { type Billed, type BilledNow, dueDateOf, type Operator } from '#money/invoices/parties.ts'
import type { VatRuling } from '#money/invoices/vat/vat.ts'
import { billGivenBack, billSetOff, serviceBillIssued } from '#money/ledger/bills.ts'
import { rounded } from '#money/minor-units.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Consumption, Month } from './lines.ts'

/** The content of a month's bill, before it is divided into documents. */
export type Bill = {
  readonly clientId: number
  readonly operator: Operator
  readonly billed: BilledNow
  readonly ruling: VatRuling
  readonly month: Month
  /** The UTC days of its usage. */
  readonly days: readonly string[]
  readonly lines: readonly Line[]
  readonly taken: readonly Consumption[]
  readonly carry: { readonly usage: Big; readonly credit: Big }
}

const isOutside = ({ category }: { readonly category: string }): boolean => category === 'O'

const sum = (amounts: readonly string[]): Big => amounts.reduce((all, one) => all.plus(one), new Big(0))

const totalOf = (lines: readonly Line[], currency: string): Big =>
  sum(groupVat(lines, currency).flatMap(({ net, vat }) => [net, vat]))

/** The tax point of a bill: the last day of its period. */
export const taxPointOf = ({ month }: Pick<Bill, 'month'>): string => addDays(month.until, -1)

type Part = { readonly lines: readonly Line[]; readonly number: 1 | 2; readonly total: Big }

/**
 * Divides the lines: those outside the scope of VAT must not share a document with others (EN 16931, BR-O-11). The
 * part with the usage is the first. Credit notes are issued first, so that series are always locked in one order.
 */
function divided({ lines, ruling, billed }: Bill): Part[] {
  const main = isOutside(ruling.decision)
  const same = lines.filter(({ vat }) => isOutside(vat) === main)
  const others = lines.filter(({ vat }) => isOutside(vat) !== main)
  return [same, others]
    .filter((part) => part.length > 0)
    .map((part, at) => ({
      lines: part,
      number: at === 0 ? (1 as const) : (2 as const),
      total: totalOf(part, billed.currency),
    }))
    .sort((a, b) => Number(b.total.lt(0)) - Number(a.total.lt(0)))
}

/** The amounts of the documents of a bill by country, category and rate of VAT. */
export const groupsOf = (bill: Bill): VatGroup[] =>
  divided(bill).flatMap(({ lines }) => groupVat(lines, bill.billed.currency))

/** What the documents of a bill come to together. */
export function totalsOf(bill: Bill): { readonly net: Big; readonly vat: Big } {
  const groups = groupsOf(bill)
  return { net: sum(groups.map(({ net }) => net)), vat: sum(groups.map(({ vat }) => vat)) }
}

/** Posts a document to the books, and marks the advances that it deducts. */
async function post(
  tx: Database,
  { clientId, billed, taken }: Bill,
  part: Part,
  bill: Issued,
): Promise<void> {
  const source = { type: 'invoice', id: bill.id }
  for (const { country, rate, vat } of bill.groups)
    if (!new Big(vat).eq(0))
      await serviceBillIssued(tx, {
        key: `bill:${bill.id}:${country}:${rate}`,
        clientId,
        currency: billed.currency,
        source,
        vat: { amount: vat, country, rate },
      })
  const deducted = new Set(part.lines.map(({ refInvoiceId }) => refInvoiceId))
  const used = taken.filter(({ advance }) => deducted.has(advance.id))
  if (used.length > 0)
    await tx
      .insertInto('advance_consumptions')
      .values(
        used.map(({ advance, amount }) => ({
          advance_id: advance.id,
          invoice_id: bill.id,
          amount: amount.toFixed(2),
        })),
      )
      .execute()
}

/** Marks the usage that a bill is for. */
async function mark(tx: Database, { clientId, month, days }: Bill, bill: Issued): Promise<void> {
  await sql`update usage_charges set service_bill_id = ${bill.id}
    where client_id = ${clientId} and usage_on < ${month.until} and service_bill_id is null`.execute(tx)
  await sql`update usages set billed_amount = charged_amount, service_bill_id = ${bill.id},
      status = ${new Big(bill.total).lte(0) ? 'paid' : 'billed'}
    where client_id = ${clientId} and usage_on = any(${[...days]}::date[]) and charged_amount <> billed_amount`.execute(
    tx,
  )
}

/** The ruling of a part: its usage is taxed as of now, an advance as on its invoice. */
function rulingOf({ ruling }: Bill, { number, lines }: Part): Draft['ruling'] {
  const [line] = lines
  if (number === 1 || line === undefined) return ruling
  const { country, rate, treatment = ruling.decision.treatment } = line.vat
  return { decision: { country, rate, treatment }, evidence: ruling.evidence }
}

const setOffNote = (note: Issued, amount: Big, { currency, locale }: Billed): string =>
  locale === 'ro'
    ? `Din total, ${amount.toFixed(2)} ${currency} se compensează cu nota de credit ${note.fullNumber}.`
    : `Of the total, ${amount.toFixed(2)} ${currency} are set off against credit note ${note.fullNumber}.`

function issuePart(tx: Database, bill: Bill, part: Part, notes: string | undefined): Promise<Issued> {
  const { clientId, operator, billed, month, carry } = bill
  return issueDocument(tx, {
    clientId,
    // An invoice asks for money; one that gives it back is a credit note.
    kind: part.total.lt(0) ? 'credit_note' : 'fiscal',
    reason: 'service_bill',
    status: 'unpaid',
    operator,
    billed,
    ruling: rulingOf(bill, part),
    lines: part.lines,
    taxPoint: taxPointOf(bill),
    dueDate: dueDateOf(operator, billed),
    period: [month.from, month.until],
    billPart: part.number,
    carry,
    notes,
    before: async (issued) => {
      await post(tx, bill, part, issued)
      if (part.number === 1) await mark(tx, bill, issued)
    },
  })
}

/** Puts what bills give back together on the balance, as a deposit with its own invoice. */
async function giveBack(tx: Database, { clientId, billed }: Bill, bills: readonly Issued[]): Promise<void> {
  const [first] = bills
  const gross = sum(bills.map(({ total }) => total)).neg()
  if (first === undefined || gross.lte(0)) return
  const advance = await issueInvoice(tx, { clientId, sum: { gross: gross.toFixed(2) } })
  const [group] = advance.groups
  await billGivenBack(tx, {
    key: `bill:${first.id}:given-back`,
    clientId,
    currency: billed.currency,
    back: sum(bills.map(({ vat }) => vat))
      .neg()
      .toFixed(2),
    net: sum(bills.map(({ net }) => net)).toFixed(2),
    deposit: advance.net,
    ...(group && { vat: { amount: group.vat, country: group.country, rate: group.rate } }),
    source: { type: 'invoice', id: first.id },
  })
  await requestEvaluation(tx, clientId)
}

/**
 * Pays an invoice from a credit note of the same bill. Where the invoice still asks for money, what the two moved
 * between net and VAT is posted, so that the books owe exactly what it asks for.
 */
async function setOff(tx: Database, { clientId, billed }: Bill, asked: Issued, note: Issued): Promise<void> {
  const back = new Big(note.total).neg()
  const amount = back.lt(asked.total) ? back : new Big(asked.total)
  await recordPayment(tx, asked.id, amount.toFixed(2))
  if (back.gte(asked.total)) return
  const paidNet = rounded(amount.times(asked.net).div(asked.total), billed.currency)
  await billSetOff(tx, {
    key: `bill:${asked.id}:set-off`,
    clientId,
    currency: billed.currency,
    net: paidNet.plus(note.net).toFixed(2),
    source: { type: 'invoice', id: asked.id },
  })
}

/**
 * Issues a month's bill: one document, or two where some lines are outside the scope of VAT. A credit note of the two
 * pays the other one; what both give back together is a new deposit. Returns the document with the usage.
 */
export async function issueBill(tx: Database, bill: Bill): Promise<Issued> {
  const parts = divided(bill)
  const issued: { readonly part: Part; readonly document: Issued }[] = []
  for (const part of parts) {
    const [note] = issued.filter(({ part: { total } }) => total.lt(0))
    const asks = note !== undefined && part.total.gt(0)
    const amount = asks && note.part.total.neg().lt(part.total) ? note.part.total.neg() : part.total
    const notes = asks ? setOffNote(note.document, amount, bill.billed) : undefined
    const document = await issuePart(tx, bill, part, notes)
    if (asks) await setOff(tx, bill, document, note.document)
    issued.push({ part, document })
  }
  const documents = issued.map(({ document }) => document)
  await giveBack(tx, bill, documents)
  const main = issued.find(({ part }) => part.number === 1)?.document
  if (main === undefined) throw new Error('A bill has no lines.')
  return main
}
