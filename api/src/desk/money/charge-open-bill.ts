import type { openBill } from '@portico/contract/resources/desk-bill-verbs.ts'
import { addDays } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { assertWithinLimit, leftOf } from '#money/corrections/limits.ts'
import { type Bill, totalsOf } from '#money/invoices/month/bill.ts'
import { issueReady, type ReadyBill, readyBill } from '#money/invoices/month/close.ts'
import type { Month } from '#money/invoices/month/lines.ts'
import { bookedDay } from '#money/invoices/month/open-items.ts'
import type { Context } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { saidDay } from '#platform/errors/said-day.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { openMonth } from './month-preview.ts'

type Of = { readonly row: { readonly id: number } }

/**
 * The month of the last complete day of the operator, up to that day, by `bookedDay`. Throws
 * `open_bill_last_month` while the month before it has no bill.
 */
async function monthSoFar(tx: Context['tx'], clientId: number): Promise<Month> {
  const { rows } = await sql<Month & { waits: boolean }>`
    select date_trunc('month', d.until - 1)::date as from, d.until, date_trunc('month', d.until) <> d.until
      and exists (select from (${openMonth}) o where o.client_id = ${clientId}) as waits
    from (select ${bookedDay} as until from operator_profile p) d`.execute(tx)
  const [month] = rows
  if (!month) throw refuse('documents_need_operator')
  if (month.waits) throw refuse('open_bill_last_month')
  return { from: month.from, until: month.until }
}

/** The bill of the open month. Throws like `monthSoFar` and `readyBill`, `open_bill_nothing`, `open_bill_uncharged`. */
async function billOf({ tx }: Context, clientId: number, hold: boolean): Promise<ReadyBill> {
  const month = await monthSoFar(tx, clientId)
  const ready = await readyBill(tx, clientId, month, { hold })
  if (ready === 'waiting') throw refuse('open_bill_uncharged')
  if (typeof ready === 'string') throw refuse('open_bill_nothing', { day: saidDay(addDays(month.until, -1)) })
  return ready
}

/** The sum of lines of these kinds, above zero. */
const sumOf = ({ lines }: Bill, ...kinds: readonly string[]): number =>
  Number(
    lines
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((all, { quantity, unitPrice }) => all.plus(quantity.times(unitPrice)), new Big(0))
      .abs(),
  )

/** The verb that says what a bill of the open month would be now. Throws like `billOf`. */
export async function previewOpenBill(context: Context, { row }: Of): Promise<z.input<typeof openBill>> {
  const { bill } = await billOf(context, row.id, false)
  const { net, vat } = totalsOf(bill)
  return {
    from_day: bill.month.from,
    to_day: addDays(bill.month.until, -1),
    currency: bill.billed.currency,
    use: sumOf(bill, 'usage', 'manual'),
    from_credit: sumOf(bill, 'discount'),
    from_advances: sumOf(bill, 'advance_regularisation'),
    net: Number(net),
    vat: Number(vat),
    total: Number(net.plus(vat)),
    limit_left: Number(await leftOf(context, 'chargeOpenBill')),
    limit_currency: bill.operator.currency,
  }
}

/**
 * The staff action that bills the open month of a client now. What it asks for counts against the limits; one that is paid
 * already asks for nothing. Throws like `billOf`, and like `assertWithinLimit`.
 */
export async function chargeOpenBill(context: Context, { row }: Of) {
  assertRecentSignIn(context)
  const { tx } = context
  const ready = await billOf(context, row.id, true)
  const { bill } = ready
  const { net, vat } = totalsOf(bill)
  const amount = net.plus(vat).abs()
  const { currency } = bill.billed
  if (!amount.eq(0))
    await assertWithinLimit(context, { verb: 'chargeOpenBill', clientId: row.id, currency, amount })
  const issued = await issueReady(tx, ready)
  return { invoice_id: issued.id, full_number: issued.fullNumber, total: Number(net.plus(vat)) }
}
