import { addDays } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { owedStatuses } from '#money/invoice-statuses.ts'
import { issueInvoice } from '#money/invoices/invoices.ts'
import { groupVat, type Issued, issueDocument } from '#money/invoices/issue-document.ts'
import { type Billed, billedOf, type Operator, operatorOf } from '#money/invoices/parties.ts'
import { ruleVat } from '#money/invoices/vat/vat.ts'
import { billGivenBack, serviceBillIssued } from '#money/ledger/bills.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import type { Database } from '#platform/db/pool.ts'
import {
  broughtOver,
  type Consumption,
  consume,
  discountLine,
  type Month,
  openAdvances,
  regularisation,
  unbilledUse,
  usageLines,
} from './lines.ts'

const cents = (value: Big): Big => value.round(2, Big.roundHalfUp)
const atLeast = (least: Big, value: Big): Big => (value.lt(least) ? least : value)
const atMost = (most: Big, value: Big): Big => (value.gt(most) ? most : value)
const nothing = new Big(0)

/** A client's charges up to the end of a month that are on no bill yet. */
type Unbilled = { readonly days: readonly string[]; readonly use: Big; readonly fromCredit: Big }

/**
 * Locks the days in question, in the order of charging, and sums them. Null when there is nothing, when the
 * month is already closed, or when a day is not charged yet: the bill waits for it.
 */
async function unbilled(tx: Database, clientId: number, { from, until }: Month): Promise<Unbilled | null> {
  await sql`select 1 from usage_client_days d where d.client_id = ${clientId} and d.usage_on in (
      select usage_on from usage_charges where client_id = ${clientId} and usage_on < ${until} and service_bill_id is null)
    order by d.usage_on for no key update`.execute(tx)
  const { rows } = await sql<{
    days: string[] | null
    use: string
    credit: string
    closed: boolean
    waiting: boolean
  }>`
    select array_agg(distinct usage_on::text) as days, coalesce(sum(amount), 0) as use,
      coalesce(sum(from_credit), 0) as credit, exists (select from invoices i
        where i.client_id = ${clientId} and i.period = daterange(${from}, ${until}) and i.reason = 'service_bill') as closed, exists (select from usage_client_days d
        where d.client_id = ${clientId} and d.usage_on < ${until} and d.due) as waiting
    from usage_charges where client_id = ${clientId} and usage_on < ${until} and service_bill_id is null`.execute(
    tx,
  )
  const [row] = rows
  if (!row?.days || row.closed || row.waiting) return null
  return { days: row.days, use: new Big(row.use), fromCredit: new Big(row.credit) }
}

/**
 * The usage up to the end of the month that the balance does not cover: the negative balance, without later
 * usage, and without what older bills already request.
 */
async function uncovered(tx: Database, clientId: number, balance: Big, { until }: Month): Promise<Big> {
  const { rows } = await sql<{ later: string; asked: string }>`
    select
      (select coalesce(sum(amount - from_credit), 0) from usage_charges
        where client_id = ${clientId} and usage_on >= ${until}) as later,
      (select coalesce(sum(round((total - paid - credited) * net / nullif(total, 0), 2)), 0) from invoices
        where client_id = ${clientId} and kind = 'fiscal' and reason = 'service_bill'
          and invoice_status_id in ${owedStatuses}) as asked`.execute(tx)
  return balance
    .plus(rows[0]?.later ?? 0)
    .plus(rows[0]?.asked ?? 0)
    .neg()
}

/** The rounding carried over from the last bill. */
async function carried(tx: Database, clientId: number): Promise<{ usage: Big; credit: Big }> {
  const last = await tx
    .selectFrom('invoices')
    .select(['usage_carry', 'credit_carry'])
    .where('client_id', '=', clientId)
    .where('reason', '=', 'service_bill')
    .orderBy('period', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { usage: new Big(last?.usage_carry ?? 0), credit: new Big(last?.credit_carry ?? 0) }
}

/** The parts of a bill, in cents: use = credit + advances + open. */
type Parts = {
  readonly use: Big
  readonly credit: Big
  readonly advances: Big
  readonly carry: { readonly usage: Big; readonly credit: Big }
}

async function partsOf(
  tx: Database,
  clientId: number,
  { use, fromCredit }: Unbilled,
  lacking: Big,
): Promise<Parts | null> {
  const before = await carried(tx, clientId)
  const exact = { use: use.plus(before.usage), credit: fromCredit.plus(before.credit) }
  const billed = cents(exact.use)
  if (billed.lte(0)) return null
  const credit = atLeast(nothing, atMost(billed, cents(exact.credit)))
  const open = atLeast(nothing, atMost(billed.minus(credit), cents(lacking)))
  return {
    use: billed,
    credit,
    advances: billed.minus(credit).minus(open),
    carry: { usage: exact.use.minus(billed), credit: exact.credit.minus(credit) },
  }
}

/** Posts a bill to the books and marks its usage; runs before the series is locked. */
async function follow(
  tx: Database,
  bill: Issued,
  {
    clientId,
    currency,
    month,
    days,
    taken,
  }: {
    readonly clientId: number
    readonly currency: string
    readonly month: Month
    readonly days: readonly string[]
    readonly taken: readonly Consumption[]
  },
): Promise<void> {
  const source = { type: 'invoice', id: bill.id }
  for (const { country, rate, vat } of bill.groups)
    if (!new Big(vat).eq(0))
      await serviceBillIssued(tx, {
        key: `bill:${bill.id}:${country}:${rate}`,
        clientId,
        currency,
        source,
        vat: { amount: vat, country, rate },
      })
  if (taken.length > 0)
    await tx
      .insertInto('advance_consumptions')
      .values(
        taken.map(({ advance, amount }) => ({
          advance_id: advance.id,
          invoice_id: bill.id,
          amount: amount.toFixed(2),
        })),
      )
      .execute()
  await sql`update usage_charges set service_bill_id = ${bill.id}
    where client_id = ${clientId} and usage_on < ${month.until} and service_bill_id is null`.execute(tx)
  await sql`update usages set billed_amount = charged_amount, service_bill_id = ${bill.id},
      status = ${new Big(bill.total).lte(0) ? 'paid' : 'billed'}
    where client_id = ${clientId} and usage_on = any(${[...days]}::date[]) and charged_amount <> billed_amount`.execute(
    tx,
  )
}

/** Puts what a bill below zero gives back on the balance, as a deposit with its own invoice. */
async function giveBack(
  tx: Database,
  bill: Issued,
  { clientId, currency }: { readonly clientId: number; readonly currency: string },
): Promise<void> {
  const gross = new Big(bill.total).neg().toFixed(2)
  const advance = await issueInvoice(tx, { clientId, sum: { gross } })
  const [group] = advance.groups
  await billGivenBack(tx, {
    key: `bill:${bill.id}:given-back`,
    clientId,
    currency,
    back: new Big(bill.vat).neg().toFixed(2),
    net: bill.net,
    deposit: advance.net,
    ...(group && { vat: { amount: group.vat, country: group.country, rate: group.rate } }),
    source: { type: 'invoice', id: bill.id },
  })
  await requestEvaluation(tx, clientId)
}

type Known = { readonly clientId: number; readonly operator: Operator; readonly billed: Billed }

async function issueBill(
  tx: Database,
  { clientId, operator, billed }: Known,
  { days }: Unbilled,
  { parts, month }: { parts: Parts; month: Month },
): Promise<Issued> {
  const taxPoint = addDays(month.until, -1)
  const ruling = await ruleVat(tx, { operator, buyer: billed.buyer, clientId, on: taxPoint })
  const vat = ruling.decision
  const used = await unbilledUse(tx, clientId, days)
  const { taken, missing } = consume(await openAdvances(tx, clientId), parts.advances)
  const lines = [
    ...usageLines(used, parts.use, vat, month),
    ...(parts.credit.gt(0) ? [discountLine(parts.credit, vat)] : []),
    ...taken.map(regularisation),
    ...(missing.gt(0) ? [broughtOver(missing, vat)] : []),
  ]
  const groups = groupVat(lines)
  const total = groups.reduce((all, group) => all.plus(group.net).plus(group.vat), nothing)
  const bill = await issueDocument(tx, {
    clientId,
    // An invoice asks for money; one that gives it back is a credit note.
    kind: total.lt(0) ? 'credit_note' : 'fiscal',
    reason: 'service_bill',
    status: 'unpaid',
    operator,
    billed,
    ruling,
    lines,
    groups,
    taxPoint,
    dueDate: addDays(operator.today, operator.dueDays),
    period: [month.from, month.until],
    carry: parts.carry,
    before: (issued) => follow(tx, issued, { clientId, currency: billed.currency, month, days, taken }),
  })
  if (total.lt(0)) await giveBack(tx, bill, { clientId, currency: billed.currency })
  return bill
}

/**
 * Closes a month of a client: one invoice of all unbilled usage, less credit and advances; the rest is due,
 * with VAT. Idempotent per month. Null when there is nothing to bill. Throws `billing_info_incomplete` and
 * `documents_need_…`; the caller retries later.
 */
export async function closeMonth(tx: Database, clientId: number, month: Month): Promise<Issued | null> {
  const open = await unbilled(tx, clientId, month)
  if (open === null) return null
  const { balance } = await holdAccounts(tx, clientId)
  const operator = await operatorOf(tx)
  const billed = await billedOf(tx, clientId)
  const parts = await partsOf(tx, clientId, open, await uncovered(tx, clientId, balance, month))
  if (parts === null) return null
  return issueBill(tx, { clientId, operator, billed }, open, { parts, month })
}
