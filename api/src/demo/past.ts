import { addDays } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { issueProforma } from '#money/invoices/invoices.ts'
import { closeMonth } from '#money/invoices/month/close.ts'
import type { Month } from '#money/invoices/month/lines.ts'
import { checkedByRecord } from '#money/invoices/vat/vat-checks.ts'
import { recordTransfer, targetOf } from '#money/payments/bank-transfers.ts'
import type { PaymentScope } from '#money/payments/payment-scope.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { payByCard, refundDeposit } from './cards.ts'
import { demoVatNumbers } from './operator/operator.ts'

/** The history of an account: net deposits, exact, by UTC day. */
export type Life = {
  readonly id: number
  readonly topUps: ReadonlyMap<string, string>
  /** The first deposit was paid twice, and the second one refunded. */
  readonly paidTwice: boolean
}

export type OutsideContext = {
  readonly tx: Database
  /** Writes in the same transaction. */
  readonly paymentScope: PaymentScope
  /** The first UTC day of the history, and the day after its last. */
  readonly first: string
  readonly today: string
  readonly signal: AbortSignal | undefined
}

const setClock = (tx: Database, day: string, time: string) =>
  sql`update clock set ahead = ((${day}::date + ${time}::time) at time zone 'utc') - now()`.execute(tx)

/** Charges the uncharged usage before a day. */
async function chargeUntil(tx: Database, lives: readonly Life[], until: string): Promise<void> {
  const ids = lives.map(({ id }) => id)
  await sql`select charge_client_day(client_id, day) from (select client_id, usage_on as day from usage_client_days
    where client_id = any(${ids}::int8[]) and due and usage_on < ${until} order by usage_on, client_id) d`.execute(
    tx,
  )
}

/** The month that ended before the first day of another. */
function monthBefore(day: string): Month {
  return { from: `${addDays(day, -1).slice(0, 7)}-01`, until: day }
}

async function closeAll(tx: Database, month: Month): Promise<void> {
  const { rows } = await sql<{ client_id: number }>`
    select distinct client_id from usage_charges where usage_on < ${month.until} and service_bill_id is null order by 1`.execute(
    tx,
  )
  for (const { client_id } of rows) await closeMonth(tx, client_id, month)
}

/** Pays a proforma by bank transfer, for accounts without a card. */
async function payByBank(tx: Database, clientId: number, net: string, day: string): Promise<void> {
  const { id, fullNumber, total } = await issueProforma(tx, { clientId, sum: { net } })
  const asked = await tx
    .selectFrom('invoices')
    .select(columns.invoices)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const reference = `${day.replaceAll('-', '')} ${fullNumber}`
  await recordTransfer(tx, targetOf(asked), { amount: total, receivedOn: day, reference, recordedBy: null })
}

async function payIn({ tx, paymentScope }: OutsideContext, life: Life, day: string): Promise<void> {
  const net = life.topUps.get(day)
  if (net === undefined) return
  // The usage of the day triggers the deposit, so it is charged first.
  await chargeUntil(tx, [life], addDays(day, 1))
  const card = await tx
    .selectFrom('cards')
    .select('id')
    .where('client_id', '=', life.id)
    .where('is_default', '=', true)
    .executeTakeFirst()
  if (!card) return payByBank(tx, life.id, net, day)
  await payByCard(paymentScope, life, Number(net))
  const [first] = life.topUps.keys()
  if (life.paidTwice && day === first)
    await refundDeposit(paymentScope, life, await payByCard(paymentScope, life, Number(net)))
}

async function liveOn(outsideContext: OutsideContext, lives: readonly Life[], day: string): Promise<void> {
  const { tx, first } = outsideContext
  await setClock(tx, day, '02:00')
  // Day by day, because the age of a debt counts from its booking.
  await chargeUntil(tx, lives, day)
  const monthIsOver = day.endsWith('-01') && day > first
  if (!monthIsOver && !lives.some(({ topUps }) => topUps.has(day))) return
  await checkedByRecord(tx, demoVatNumbers)
  if (monthIsOver) await closeAll(tx, monthBefore(day))
  await setClock(tx, day, '10:00')
  for (const life of lives) await payIn(outsideContext, life, day)
}

/**
 * Replays the demo's history in the order of days, by the regular services: usage is charged, months are
 * closed, and deposits are paid by card or transfer, with their documents. The business clock is set back for
 * it, invisibly before the commit.
 */
export async function liveThrough(outsideContext: OutsideContext, lives: readonly Life[]): Promise<void> {
  const { tx, first, today, signal } = outsideContext
  const { rows } = await sql<{ ahead: string }>`select ahead::text as ahead from clock for update`.execute(tx)
  for (let day = first; day <= today; day = addDays(day, 1)) {
    signal?.throwIfAborted()
    await liveOn(outsideContext, lives, day)
  }
  // Notifications of the history are marked as read at their time.
  await sql`update notifications n set created_at = i.issued_at, read_at = i.issued_at
    from invoices i where n.kind = 'invoice_issued' and n.about_id = i.id`.execute(tx)
  await sql`update clock set ahead = ${rows[0]?.ahead ?? '0'}::interval`.execute(tx)
  await checkedByRecord(tx, demoVatNumbers)
}
