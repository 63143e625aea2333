import { addDays } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import { isOwedBill } from '#money/invoice-statuses.ts'
import type { Issued } from '#money/invoices/issue-document.ts'
import { type BilledNow, type Operator, operatorOf } from '#money/invoices/parties.ts'
import { ruleVat } from '#money/invoices/vat/vat.ts'
import { holdAccounts, readAccounts } from '#money/ledger/held.ts'
import { rounded } from '#money/minor-units.ts'
import type { Database } from '#platform/db/pool.ts'
import { type Bill, issueBill, taxPointOf } from './bill.ts'
import { billedThen } from './billed-then.ts'
import {
  creditDisputed,
  type Disputed,
  disputedLine,
  disputedParts,
  markDisputed,
  waitsForBill,
} from './disputed.ts'
import {
  broughtOver,
  consume,
  discountLine,
  type Month,
  openAdvances,
  regularisation,
  unbilledUse,
  usageLines,
} from './lines.ts'

const atLeast = (least: Big, value: Big): Big => (value.lt(least) ? least : value)
const atMost = (most: Big, value: Big): Big => (value.gt(most) ? most : value)
const nothing = new Big(0)

/** A client's charges up to the end of a month that are on no bill yet. */
type Unbilled = {
  /** The month from here on: a part of it may have a bill already. */
  readonly month: Month
  readonly days: readonly string[]
  readonly use: Big
  readonly fromCredit: Big
}

/** The month has its bill, a day of it is not charged yet, or there is nothing to bill. */
type NoBill = 'closed' | 'waiting' | 'empty'

/** Locks the days in question, in the order of charging. */
async function holdDays(tx: Database, clientId: number, { until }: Month): Promise<void> {
  await sql`select 1 from usage_client_days d where d.client_id = ${clientId} and d.usage_on in (
      select usage_on from usage_charges where client_id = ${clientId} and usage_on < ${until} and service_bill_id is null)
    order by d.usage_on for no key update`.execute(tx)
}

/** Sums the days, or says why they cannot be billed. */
async function unbilled(
  tx: Database,
  clientId: number,
  { from, until }: Month,
): Promise<Unbilled | 'closed' | 'waiting'> {
  const { rows } = await sql<{
    days: string[] | null
    use: string
    credit: string
    from: string
    closed: boolean
    waiting: boolean
  }>`
    select array_agg(distinct usage_on::text) as days, coalesce(sum(amount), 0) as use,
      coalesce(sum(from_credit), 0) as credit, (select coalesce(max(upper(i.period)), ${from}) from invoices i
        where i.client_id = ${clientId} and i.period <@ daterange(${from}, ${until}) and i.reason = 'service_bill') as from,
      exists (select from invoices i where i.client_id = ${clientId} and upper(i.period) = ${until}
        and i.reason = 'service_bill') as closed, exists (select from usage_client_days d
        where d.client_id = ${clientId} and d.usage_on < ${until} and d.due) as waiting
    from usage_charges where client_id = ${clientId} and usage_on < ${until} and service_bill_id is null`.execute(
    tx,
  )
  const [row] = rows
  if (!row || row.closed) return 'closed'
  if (row.waiting) return 'waiting'
  return {
    month: { from: row.from, until },
    days: row.days ?? [],
    use: new Big(row.use),
    fromCredit: new Big(row.credit),
  }
}

/**
 * The usage up to the end of the month that the balance does not cover: the negative balance, without later
 * usage and disputes that no bill has yet, and without what other bills and debts of payments already ask for. Money on its way back to the client covers none.
 */
async function uncovered(tx: Database, clientId: number, balance: Big, { until }: Month): Promise<Big> {
  const { rows } = await sql<{ later: string; asked: string; owed: string; claimed: string }>`
    select
      (select coalesce(sum(amount - from_credit), 0) from usage_charges
        where client_id = ${clientId} and usage_on >= ${until} and service_bill_id is null)
      + (select coalesce(sum(d.net), 0) from dispute_parts d
        where d.client_id = ${clientId} and ${waitsForBill} and d.lost_on >= ${until}) as later,
      (select coalesce(sum(round((total - paid - credited) * net / nullif(total, 0), 2)), 0) from invoices
        where client_id = ${clientId} and ${isOwedBill('invoices')}) as asked,
      (select coalesce(sum(amount - set_off - written_off), 0) from payment_debts
        where client_id = ${clientId} and ended_at is null) as owed,
      (select coalesce(sum(net), 0) from payment_refunds where client_id = ${clientId} and status = 'pending') as claimed`.execute(
    tx,
  )
  return balance
    .minus(rows[0]?.claimed ?? 0)
    .plus(rows[0]?.later ?? 0)
    .plus(rows[0]?.asked ?? 0)
    .plus(rows[0]?.owed ?? 0)
    .neg()
}

/** The rounding carried over from the bill that was issued last, which may be of an earlier month than others. */
async function carried(tx: Database, clientId: number): Promise<{ usage: Big; credit: Big }> {
  const last = await tx
    .selectFrom('invoices')
    .select(['usage_carry', 'credit_carry'])
    .where('client_id', '=', clientId)
    .where('reason', '=', 'service_bill')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { usage: new Big(last?.usage_carry ?? 0), credit: new Big(last?.credit_carry ?? 0) }
}

/** The parts of a bill, in minor units: use + disputed = credit + advances + open. */
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
  {
    currency,
    lacking,
    disputed,
  }: { readonly currency: string; readonly lacking: Big; readonly disputed: Big },
): Promise<Parts | null> {
  const before = await carried(tx, clientId)
  const exact = { use: use.plus(before.usage), credit: fromCredit.plus(before.credit) }
  const billed = atLeast(nothing, rounded(exact.use, currency))
  const asked = billed.plus(disputed)
  if (asked.eq(0)) return null
  const credit = atLeast(nothing, atMost(billed, rounded(exact.credit, currency)))
  const open = atLeast(nothing, atMost(asked.minus(credit), rounded(lacking, currency)))
  return {
    use: billed,
    credit,
    advances: asked.minus(credit).minus(open),
    carry: { usage: exact.use.minus(billed), credit: exact.credit.minus(credit) },
  }
}

type Known = { readonly clientId: number; readonly operator: Operator; readonly billed: BilledNow }

async function billOf(
  tx: Database,
  { clientId, operator, billed }: Known,
  { days, month }: Unbilled,
  { parts, disputed }: { parts: Parts; disputed: readonly Disputed[] },
): Promise<Bill> {
  const taxPoint = addDays(month.until, -1)
  const { buyer, currency } = billed
  // The invoices of deposits have counted what advances pay, and what is disputed: its credit note follows.
  const net = parts.use.minus(parts.credit).minus(parts.advances)
  const sold = { currency, netAt: () => net }
  const ruling = await ruleVat(tx, { operator, buyer, clientId, on: taxPoint, sold })
  const vat = ruling.decision
  const used = await unbilledUse(tx, clientId, days)
  const { taken, missing } = consume(await openAdvances(tx, clientId), parts.advances)
  const lines = [
    ...usageLines(used, parts.use, { vat, month, currency: billed.currency }),
    ...disputed.map(disputedLine),
    ...(parts.credit.gt(0) ? [discountLine(parts.credit, vat)] : []),
    ...taken.map(regularisation),
    ...(missing.gt(0) ? [broughtOver(missing, vat)] : []),
  ]
  return { clientId, operator, billed, ruling, month, days, lines, taken, carry: parts.carry }
}

/** A bill that can be issued now. */
export type ReadyBill = { readonly bill: Bill; readonly disputed: readonly Disputed[] }

/**
 * The bill of a client's usage up to the end of a month, and of what was used of deposits that their bank took back, less
 * credit and advances; or why there is none. With `hold` it stays as it is until the caller commits. Throws
 * `billing_info_incomplete` and `documents_need_…`.
 */
export async function readyBill(
  tx: Database,
  clientId: number,
  month: Month,
  { hold }: { readonly hold: boolean },
): Promise<ReadyBill | NoBill> {
  if (hold) await holdDays(tx, clientId, month)
  // While the accounts are held nothing else of the client is charged.
  const { balance } = hold ? await holdAccounts(tx, clientId) : await readAccounts(tx, clientId)
  const open = await unbilled(tx, clientId, month)
  if (typeof open === 'string') return open
  const disputed = await disputedParts(tx, clientId, month, { hold })
  const operator = await operatorOf(tx)
  const billed = await billedThen(tx, clientId, month.until)
  const parts = await partsOf(tx, clientId, open, {
    currency: billed.currency,
    lacking: await uncovered(tx, clientId, balance, month),
    disputed: disputed.reduce((sum, { net }) => sum.plus(net), nothing),
  })
  if (parts === null) return 'empty'
  return {
    bill: await billOf(tx, { clientId, operator, billed }, open, { parts, disputed }),
    disputed,
  }
}

/** Issues a bill that is held. Returns the document with the usage. */
export async function issueReady(tx: Database, { bill, disputed }: ReadyBill): Promise<Issued> {
  await creditDisputed(tx, bill.clientId, disputed, taxPointOf(bill))
  const issued = await issueBill(tx, bill)
  await markDisputed(tx, disputed)
  return issued
}

/**
 * Closes a month of a client. Idempotent per month. Null when there is nothing to bill, or a day is not charged yet: the
 * bill waits for it. Throws like `readyBill`; the caller retries later.
 */
export async function closeMonth(tx: Database, clientId: number, month: Month): Promise<Issued | null> {
  const ready = await readyBill(tx, clientId, month, { hold: true })
  return typeof ready === 'string' ? null : issueReady(tx, ready)
}

/**
 * As `closeMonth`, for one of several months of a client. It waits too where an older one after `tried`, the end of those that were
 * tried, has something to bill: what is charged meanwhile is of a bill of its own.
 */
export async function closeInTurn(
  tx: Database,
  clientId: number,
  month: Month,
  tried: string | undefined,
): Promise<Issued | NoBill> {
  const ready = await readyBill(tx, clientId, month, { hold: true })
  if (typeof ready === 'string') return ready
  const older = (await openMonths(tx, clientId, month)).slice(0, -1)
  return older.some(({ until }) => tried === undefined || until > tried) ? 'waiting' : issueReady(tx, ready)
}

/**
 * The months of a client that may get a bill, oldest first: the last one, and those before it that have no bill but something to
 * bill, because they could not be closed in time. What was charged late for a month with a bill is for the last one.
 */
export async function openMonths(tx: Database, clientId: number, last: Month): Promise<Month[]> {
  const { rows } = await sql<Month>`
    select m.from::text, m.until::text from (
      select date_trunc('month', o.day)::date as from, (date_trunc('month', o.day) + interval '1 month')::date as until from (
        select usage_on as day from usage_charges where client_id = ${clientId} and service_bill_id is null
        union all select d.lost_on from dispute_parts d where d.client_id = ${clientId} and ${waitsForBill}
      ) o where o.day < ${last.from}::date group by 1, 2
    ) m where not exists (select from invoices i
      where i.client_id = ${clientId} and upper(i.period) = m.until and i.reason = 'service_bill')
    order by 1`.execute(tx)
  return [...rows, last]
}
