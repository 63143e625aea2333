import Big from 'big.js'
import { sql } from 'kysely'
import { creditNote, restore } from '#money/invoices/credit-notes.ts'
import type { Issued } from '#money/invoices/issue-document.ts'
import { writeOff, writeOffTakenBack } from '#money/ledger/bills.ts'
import { vatGivenBack } from '#money/ledger/deposits.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { reverse } from '#money/ledger/reverse.ts'
import { type Payment, paymentRow } from '#money/payments/payment-rows.ts'
import type { PaymentScope } from '#money/payments/payment-scope.ts'
import { alertStaff, correctAlert, resolveAlert } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { depositParts, grossOf, least, type Part, shares } from './parts.ts'
import { partsOf } from './payment-parts.ts'

// Money that a client got back twice is a debt on the balance. It is no sale, so it has neither a document nor VAT; but what the
// client pays for it comes as a deposit, with VAT, until it is set off against the debt.

const kind = 'dispute_debt'

type Debt = {
  readonly id: number
  readonly payment: number
  readonly open: string
  readonly currency: string
}

// The first two conditions are those of the index.
const isOpen = sql`d.ended_at is null and d.set_off < d.amount and d.set_off + d.written_off < d.amount`
const open = sql`d.amount - d.set_off - d.written_off`

const setOff = {
  en: 'set off against money that was given back twice',
  ro: 'compensat cu bani restituiți de două ori',
}

const backAgain = (number: string | null) => ({
  en: `the deposit set off by ${number} came back`,
  ro: `avansul compensat prin ${number} a revenit`,
})

/** The client's deposits that hold something which is not on its way back, oldest first. */
async function depositsOf(tx: Database, clientId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select i.id from invoices i
    where i.client_id = ${clientId} and i.kind = 'fiscal' and i.reason = 'advance' and i.credited < i.total
      and not exists (select from payment_refunds r join payments p on p.id = r.payment_id
        where r.client_id = i.client_id and r.status = 'pending' and coalesce(r.advance_invoice_id, p.advance_invoice_id) = i.id)
    order by i.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Credits a deposit up to what is left of a debt, whose VAT is the client's again. Returns the amount. */
async function setOffFrom(
  tx: Database,
  clientId: number,
  { id, open, currency }: Debt,
  invoiceId: number,
): Promise<Big> {
  const unused = (await depositParts(tx, invoiceId, currency)).filter((part) => part.kind === 'unused')
  const [part] = shares(unused, new Big(open), currency)
  if (!part || part.net.lte(0)) return new Big(0)
  const [net, vat] = [part.net.toFixed(2), part.vat.toFixed(2)]
  const note = await creditNote(tx, { invoiceId, net, vat, reason: setOff })
  const [group] = note.groups
  const posted =
    group && part.vat.gt(0)
      ? await vatGivenBack(tx, {
          key: `set-off:${note.id}`,
          clientId,
          currency,
          vat: { amount: vat, country: group.country, rate: group.rate },
          source: { type: 'invoice', id: note.id },
        })
      : null
  await tx
    .insertInto('debt_set_offs')
    .values({ debt_id: id, credit_note_id: note.id, ledger_transaction_id: posted?.id ?? null })
    .execute()
  return grossOf([part])
}

/** The sum of the open debts of a payment, as an alert says it; undefined when there is none. */
async function owedFor(tx: Database, paymentId: number): Promise<{ amount: string } | undefined> {
  const { rows } = await sql<{ amount: string }>`select sum(${open}) || ' ' || p.currency as amount
    from payment_debts d join payments p on p.id = d.payment_id
    where d.payment_id = ${paymentId} and ${isOpen} group by p.currency`.execute(tx)
  return rows[0]
}

/** Lets the alert of a payment say what is still owed, or resolves it. */
async function followDebts(tx: Database, paymentId: number): Promise<void> {
  const owed = await owedFor(tx, paymentId)
  const about = `payment ${paymentId}`
  await (owed ? correctAlert(tx, about, kind, owed) : resolveAlert(tx, about, kind))
}

/** The open debts of a client, or of one of the client's payments, oldest first. The caller holds the client's accounts. */
export async function openDebts(tx: Database, clientId: number, paymentId?: number): Promise<Debt[]> {
  const { rows } = await sql<Debt>`
    select d.id, d.payment_id as payment, ${open} as open, p.currency
    from payment_debts d join payments p on p.id = d.payment_id
    where d.client_id = ${clientId} and d.payment_id = coalesce(${paymentId ?? null}::int8, d.payment_id) and ${isOpen}
    order by d.id for no key update of d`.execute(tx)
  return rows
}

type OfPayment = Pick<Debt, 'id' | 'payment' | 'currency'>
type Lost = OfPayment & { readonly client: number; readonly lost: string }

/** Writes off so much more of a debt, or takes so much back if it is below zero. A debt has no VAT. */
async function lose(
  tx: Database,
  clientId: number,
  { id, payment, currency }: OfPayment,
  by: Big,
): Promise<void> {
  if (by.eq(0)) return
  const { rows } = await sql<{ turns: number }>`update payment_debts
    set written_off = written_off + ${by.toFixed(2)}::numeric, turns = turns + 1 where id = ${id} returning turns`.execute(
    tx,
  )
  const source = { type: 'payment', id: payment }
  const moved = { key: `debt:${id}:write-off:${rows[0]?.turns}`, clientId, currency, source, vat: '0' }
  if (by.gt(0)) await writeOff(tx, { ...moved, net: by.toFixed(2) })
  else await writeOffTakenBack(tx, { ...moved, net: by.neg().toFixed(2) })
}

/** What the deposits of a payment hold that is not on its way back. */
async function unusedOf(tx: Database, paymentId: number): Promise<Part[]> {
  const payment = await paymentRow(tx, paymentId)
  const free = await depositsOf(tx, payment.client_id)
  const parts = await partsOf(tx, payment)
  return parts.filter(({ kind: is, invoiceId }) => is === 'unused' && free.includes(invoiceId))
}

/** Sets what is open of a debt off against deposits, in this order. The rest stays open. */
async function setOffDebt(tx: Database, clientId: number, debt: Debt, deposits: readonly number[]) {
  let rest = new Big(debt.open)
  for (const invoiceId of deposits) {
    if (rest.lte(0)) break
    rest = rest.minus(await setOffFrom(tx, clientId, { ...debt, open: rest.toFixed(2) }, invoiceId))
  }
  await sql`update payment_debts set set_off = amount - written_off - ${rest.toFixed(2)}::numeric
    where id = ${debt.id}`.execute(tx)
  await followDebts(tx, debt.payment)
}

/**
 * Sets written-off debts off where their payment has a deposit again, as after another dispute was won: the client would have
 * that money and the loss. Two debts, or two payments of one credited bill, may have the same deposit, so each is looked up
 * after the one before it. While a debt is open, no deposit is free.
 */
async function setOffWrittenOff(tx: Database, clientId: number): Promise<void> {
  const { rows } = await sql<Lost>`
    select d.id, d.payment_id as payment, d.client_id as client, d.written_off as lost, p.currency
    from payment_debts d join payments p on p.id = d.payment_id
    where d.client_id = ${clientId} and d.ended_at is null and d.written_off > 0 order by d.id for no key update of d`.execute(
    tx,
  )
  for (const debt of rows) {
    const unused = await unusedOf(tx, debt.payment)
    const back = least(new Big(debt.lost), grossOf(unused))
    if (back.lte(0)) continue
    await lose(tx, clientId, debt, back.neg())
    const deposits = unused.map(({ invoiceId }) => invoiceId)
    await setOffDebt(tx, clientId, { ...debt, open: back.toFixed(2) }, deposits)
  }
}

/**
 * Sets a client's debts off against deposits, oldest first: a credit note takes the deposit back with its VAT, and its money
 * pays the debt. What was written off follows where its own payment has a deposit. The caller holds the client's accounts.
 */
export async function setOffDebts(tx: Database, clientId: number): Promise<void> {
  for (const debt of await openDebts(tx, clientId))
    await setOffDebt(tx, clientId, debt, await depositsOf(tx, clientId))
  await setOffWrittenOff(tx, clientId)
}

/** Whether a client owes money that went back twice. */
export async function hasOpenDebt(tx: Database, clientId: number): Promise<boolean> {
  const { rows } =
    await sql`select from payment_debts d where d.client_id = ${clientId} and ${isOpen} limit 1`.execute(tx)
  return rows.length > 0
}

/** Gives up the open debts of a payment as a loss. */
export async function writeOffDebts(
  tx: Database,
  { id: paymentId, client_id: clientId }: Payment,
  debts: readonly Debt[],
): Promise<void> {
  for (const debt of debts) await lose(tx, clientId, debt, new Big(debt.open))
  await followDebts(tx, paymentId)
}

type Cause = { readonly dispute_part_id: number } | { readonly refund_id: number }

/** Keeps a debt that was posted, sets deposits off against it, and alerts staff to the rest. The caller holds the client's accounts. */
export async function addDebt(
  tx: Database,
  { id: payment_id, client_id }: Payment,
  cause: Cause,
  amount: string,
): Promise<void> {
  await tx
    .insertInto('payment_debts')
    .values({ client_id, payment_id, amount, ...cause })
    .execute()
  await setOffDebts(tx, client_id)
  const owed = await owedFor(tx, payment_id)
  if (owed) await alertStaff(tx, payment_id, kind, owed)
}

/** Issues an invoice for a deposit that was set off, from which its payment is refunded again. */
async function giveBack(tx: Database, noteId: number): Promise<Issued> {
  const restored = await restore(tx, noteId, backAgain)
  await sql`update payments p set advance_invoice_id = ${restored.id} from invoices n join invoices i on i.id = n.corrects_id
    where n.id = ${noteId} and p.advance_invoice_id = i.id and i.credited >= i.total`.execute(tx)
  return restored
}

/** Ends the debt of a cause, whose write-off is a loss no longer. */
async function end(tx: Database, cause: Cause) {
  const { rows } = await sql<Lost>`
    select d.id, d.payment_id as payment, d.client_id as client, d.written_off as lost, p.currency
    from payment_debts d join payments p on p.id = d.payment_id
    where ${'refund_id' in cause ? sql`d.refund_id = ${cause.refund_id}` : sql`d.dispute_part_id = ${cause.dispute_part_id}`}
      and d.ended_at is null for no key update of d`.execute(tx)
  const [debt] = rows
  if (debt === undefined) return undefined
  await lose(tx, debt.client, debt, new Big(debt.lost).neg())
  await sql`update payment_debts set ended_at = clock_now() where id = ${debt.id}`.execute(tx)
  return debt
}

/**
 * Ends a debt whose posting was reversed: takes back what was written off of it, and gives back the deposits that were set off
 * against it. Returns the last of their new invoices. The caller holds the client's accounts.
 */
export async function endDebt(tx: Database, cause: Cause): Promise<Issued | undefined> {
  const debt = await end(tx, cause)
  if (debt === undefined) return undefined
  const { rows } = await sql<{ note: number; posted: number | null }>`
    select credit_note_id as note, ledger_transaction_id as posted from debt_set_offs
    where debt_id = ${debt.id} order by id`.execute(tx)
  let restored: Issued | undefined
  for (const { note, posted } of rows) {
    if (posted !== null) await reverse(tx, posted, `set-off:${note}:back`)
    restored = await giveBack(tx, note)
  }
  await followDebts(tx, debt.payment)
  return restored
}

/** Sets open debts off against deposits that came since, each client by itself; one that fails is reported and tried again. */
export async function setOffAllDebts({ within, report }: PaymentScope): Promise<void> {
  const clients = await within(async (tx) => {
    const { rows } = await sql<{
      id: number
    }>`select distinct d.client_id as id from payment_debts d join payments p on p.id = d.payment_id
      where d.ended_at is null and exists (select from invoices i where i.client_id = d.client_id and i.kind = 'fiscal'
        and i.reason = 'advance' and i.credited < i.total and (${isOpen} or d.written_off > 0 and i.id = p.advance_invoice_id)
        and i.net > (select coalesce(sum(c.amount), 0) from advance_consumptions c where c.advance_id = i.id))`.execute(
      tx,
    )
    return rows
  })
  for (const { id } of clients)
    await within(async (tx) => {
      await holdAccounts(tx, id)
      await setOffDebts(tx, id)
    }).catch((error: unknown) => report?.(error))
}
