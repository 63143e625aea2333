import Big from 'big.js'
import { type RawBuilder, sql } from 'kysely'
import { creditNote } from '#money/invoices/credit-notes.ts'
import { reopenBill } from '#money/invoices/invoices.ts'
import { vatOn } from '#money/invoices/vat/vat.ts'
import { depositDisputed, disputeLost } from '#money/ledger/deposits.ts'
import { rounded } from '#money/minor-units.ts'
import type { Dispute, Payment } from '#money/payments/payment-rows.ts'
import type { ProviderDispute } from '#money/payments/providers/payment-provider.ts'
import { leftOf } from '#money/payments/refunds.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'

/** A part of a payment: what a deposit still holds, what was used of it, or what a bill got. */
type Part = {
  readonly kind: 'unused' | 'used' | 'bill'
  readonly invoiceId: number
  readonly net: Big
  readonly vat: Big
}

const least = (a: Big, b: Big): Big => (a.lt(b) ? a : b)

/** SQL: the ids of an invoice and of those that took the place of what credit notes took off it, newest first, as JSON. */
const withReplacements = (id: RawBuilder<unknown>) => sql`(with recursive replaced as (
    select ${id} as id
    union
    select x.id from replaced r join invoices n on n.corrects_id = r.id
      join invoice_lines l on l.ref_invoice_id = n.id and l.kind = 'advance'
      join invoices x on x.id = l.invoice_id and x.kind = 'fiscal' and x.reason = 'advance')
  select jsonb_agg(id order by id desc) from replaced)`

/** The parts of a deposit's invoice. */
async function depositParts(tx: Database, invoiceId: number, currency: string): Promise<Part[]> {
  const left = await leftOf(tx, invoiceId)
  const whole = { net: new Big(left.net), vat: new Big(left.vat) }
  const free = whole.net.minus(left.used)
  const net = free.gt(0) ? free : new Big(0)
  const vat = net.eq(whole.net) ? whole.vat : vatOn(net, left.rate, currency)
  const waiting = await waitingFor(tx, invoiceId)
  const used = { net: whole.net.minus(net).minus(waiting.net), vat: whole.vat.minus(vat).minus(waiting.vat) }
  return [
    { kind: 'unused', invoiceId, net, vat },
    { kind: 'used', invoiceId, ...used },
  ]
}

/** The amount of a deposit's used part that was lost before, to be credited at the next close. */
async function waitingFor(tx: Database, invoiceId: number) {
  const { rows } = await sql<{ net: string; vat: string }>`
    select coalesce(sum(net), 0) as net, coalesce(sum(vat), 0) as vat from dispute_parts
    where invoice_id = ${invoiceId} and kind = 'used' and returned_at is null and credit_note_id is null`.execute(
    tx,
  )
  return rows[0] ?? { net: '0', vat: '0' }
}

type PaidBill = {
  readonly invoice: number
  readonly net: string
  readonly vat: string
  readonly counted: string
  /** The bill, and the invoices of what credit notes took off it. */
  readonly ids: readonly number[]
}

/**
 * The parts of a payment that went to bills, less the disputed amounts, and the paid amount of each bill. Its deposits are the
 * invoices of what credit notes took off it, and those that took the place of such an invoice later.
 */
async function paidBills(tx: Database, paymentId: number): Promise<PaidBill[]> {
  const { rows } = await sql<PaidBill>`
    select b.invoice, b.net - coalesce(sum(d.net), 0) as net, b.vat - coalesce(sum(d.vat), 0) as vat,
      greatest(least(i.paid, i.total - i.credited), 0) as counted, c.ids
    from (
      select substring(t.idempotency_key from ':bill:([0-9]+)$')::bigint as invoice,
        coalesce(sum(e.amount) filter (where a.kind = 'client_balance'), 0) as net,
        coalesce(sum(e.amount) filter (where a.kind = 'client_vat_due'), 0) as vat
      from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
        join ledger_accounts a on a.id = e.account_id
      where t.kind = 'bill_payment' and t.source_type = 'payment' and t.source_id = ${paymentId} group by t.id
    ) b
    join invoices i on i.id = b.invoice
    cross join lateral (select ${withReplacements(sql`b.invoice`)} as ids) c
    left join dispute_parts d on c.ids @> to_jsonb(d.invoice_id) and d.returned_at is null
      and d.dispute_id in (select id from payment_disputes where payment_id = ${paymentId})
    group by b.invoice, b.net, b.vat, i.id, c.ids order by b.invoice desc`.execute(tx)
  return rows
}

/**
 * The parts of a payment that bills got. What a credit note took off a paid bill is a deposit, which counts before the
 * bill is open again.
 */
async function billParts(tx: Database, bills: readonly PaidBill[], currency: string): Promise<Part[]> {
  const parts: Part[] = []
  for (const { invoice, net, vat, counted, ids } of bills) {
    const whole: Part = { kind: 'bill', invoiceId: invoice, net: new Big(net), vat: new Big(vat) }
    const gross = whole.net.plus(whole.vat)
    const returned: Part[] = []
    for (const id of ids) if (id !== invoice) returned.push(...(await depositParts(tx, id, currency)))
    const ofDeposits = shares(returned, gross.minus(least(gross, new Big(counted))), currency)
    const rest = gross.minus(grossOf(ofDeposits))
    parts.push(...ofDeposits, ...shares([whole], rest, currency))
  }
  return parts
}

/**
 * The invoices of what a payment paid ahead: its deposit, and those that took the place of what was taken off it. What a credit
 * note took off a bill may have become the payment's deposit since, and counts as the bill's.
 */
async function ownDeposits(
  tx: Database,
  { advance_invoice_id: deposit }: Payment,
  bills: readonly PaidBill[],
): Promise<number[]> {
  if (deposit === null) return []
  const { rows } = await sql<{
    ids: number[]
  }>`select ${withReplacements(sql`${deposit}::int8`)} as ids`.execute(tx)
  const ofBills = new Set(bills.flatMap(({ ids }) => ids))
  return (rows[0]?.ids ?? []).filter((id) => !ofBills.has(id))
}

const grossOf = (parts: readonly Part[]): Big =>
  parts.reduce((sum, { net, vat }) => sum.plus(net).plus(vat), new Big(0))

/** At most so much of the parts, in their order. */
function shares(parts: readonly Part[], most: Big, currency: string): Part[] {
  let rest = most
  const found: Part[] = []
  for (const part of parts) {
    const gross = grossOf([part])
    const share = least(rest, gross)
    if (share.lte(0)) continue
    const net = share.eq(gross) ? part.net : rounded(share.times(part.net).div(gross), currency)
    found.push({ ...part, net, vat: share.minus(net) })
    rest = rest.minus(share)
  }
  return found
}

/** The parts that an amount takes, in this order; undefined when they hold less. */
function taken(parts: readonly Part[], amount: string, currency: string): Part[] | undefined {
  const order = ['unused', 'bill', 'used'] as const
  const lost = shares(
    order.flatMap((kind) => parts.filter((part) => part.kind === kind)),
    new Big(amount),
    currency,
  )
  return grossOf(lost).eq(amount) ? lost : undefined
}

const why = { en: 'payment taken back by the bank', ro: 'plată retrasă de bancă' }

type Lost = { readonly payment: Payment; readonly part: Part; readonly id: number }

/** Credits the unused part of a deposit, whose VAT is not owed. */
async function loseUnused(tx: Database, { payment, part, id }: Lost) {
  const [net, vat] = [part.net.toFixed(2), part.vat.toFixed(2)]
  const note = await creditNote(tx, { invoiceId: part.invoiceId, net, vat, reason: why })
  const [group] = note.groups
  const posted = await depositDisputed(tx, {
    ...movement(payment, id),
    net,
    ...(group && part.vat.gt(0) && { vat: { amount: vat, country: group.country, rate: group.rate } }),
  })
  return { credit_note_id: note.id, ledger_transaction_id: posted.id }
}

/** Makes a debt of what was used, or of a bill that was paid by it. */
async function loseUsed(tx: Database, { payment, part, id }: Lost) {
  const [net, vat] = [part.net.toFixed(2), part.vat.toFixed(2)]
  if (part.kind === 'bill') await reopenBill(tx, part.invoiceId, part.net.plus(part.vat).toFixed(2))
  const posted = await disputeLost(tx, { ...movement(payment, id), net, vat })
  return { credit_note_id: null, ledger_transaction_id: posted.id }
}

const movement = ({ client_id: clientId, currency, provider }: Payment, id: number) => ({
  key: `dispute-part:${id}`,
  clientId,
  currency,
  means: `psp:${provider}` as const,
  source: { type: 'dispute_part', id },
})

/**
 * Takes back a payment that its bank took back: the unused part of a deposit is credited, a bill that it paid is open
 * again, and what was used of the deposit is a debt on the next bill. An amount in another currency, or above the rest of
 * the payment, is not posted but alerted to staff. The caller holds the client's accounts.
 */
export async function loseDispute(
  tx: Database,
  payment: Payment,
  { id: disputeId }: Dispute,
  { ref, amount, currency }: ProviderDispute,
): Promise<void> {
  const bills = await paidBills(tx, payment.id)
  const parts: Part[] = []
  for (const id of await ownDeposits(tx, payment, bills))
    parts.push(...(await depositParts(tx, id, currency)))
  parts.push(...(await billParts(tx, bills, currency)))
  const lost = currency === payment.currency ? taken(parts, amount, currency) : undefined
  if (lost === undefined)
    return void (await alertStaff(tx, payment.id, 'dispute_differs', { ref, amount, currency }))
  for (const part of lost) {
    const { id } = await tx
      .insertInto('dispute_parts')
      .values({
        dispute_id: disputeId,
        client_id: payment.client_id,
        kind: part.kind,
        invoice_id: part.invoiceId,
        net: part.net.toFixed(2),
        vat: part.vat.toFixed(2),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const done = await (part.kind === 'unused' ? loseUnused : loseUsed)(tx, { payment, part, id })
    await tx.updateTable('dispute_parts').set(done).where('id', '=', id).execute()
  }
}
