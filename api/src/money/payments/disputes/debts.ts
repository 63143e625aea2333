import Big from 'big.js'
import { sql } from 'kysely'
import { creditNote, restore } from '#money/invoices/credit-notes.ts'
import type { Issued } from '#money/invoices/issue-document.ts'
import { vatGivenBack } from '#money/ledger/deposits.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { reverse } from '#money/ledger/reverse.ts'
import type { Payment } from '#money/payments/payment-rows.ts'
import type { PaymentScope } from '#money/payments/payment-scope.ts'
import { alertStaff, resolveAlert } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { depositParts, grossOf, shares } from './parts.ts'

// Money that a client got back twice is a debt on the balance. It is no sale, so it has neither a document nor VAT; but what the
// client pays for it comes as a deposit, with VAT, until it is set off against the debt.

const kind = 'dispute_debt'

type Debt = {
  readonly id: number
  readonly payment: number
  readonly open: string
  readonly currency: string
}

const isOpen = sql`d.ended_at is null and d.set_off < d.amount`

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

/** Resolves the alert of a payment that has no open debt any more. */
async function resolveDebts(tx: Database, paymentId: number): Promise<void> {
  const { rows } =
    await sql`select from payment_debts d where d.payment_id = ${paymentId} and ${isOpen}`.execute(tx)
  if (rows.length === 0) await resolveAlert(tx, `payment ${paymentId}`, kind)
}

/**
 * Sets a client's debts off against deposits, oldest first: a credit note takes the deposit back with its VAT, and its money
 * pays the debt. The caller holds the client's accounts.
 */
export async function setOffDebts(tx: Database, clientId: number): Promise<void> {
  const { rows: debts } = await sql<Debt>`
    select d.id, d.payment_id as payment, d.amount - d.set_off as open, p.currency
    from payment_debts d join payments p on p.id = d.payment_id
    where d.client_id = ${clientId} and ${isOpen} order by d.id for no key update of d`.execute(tx)
  for (const debt of debts) {
    let open = new Big(debt.open)
    for (const invoiceId of await depositsOf(tx, clientId)) {
      if (open.lte(0)) break
      open = open.minus(await setOffFrom(tx, clientId, { ...debt, open: open.toFixed(2) }, invoiceId))
    }
    await sql`update payment_debts set set_off = amount - ${open.toFixed(2)}::numeric where id = ${debt.id}`.execute(
      tx,
    )
    await resolveDebts(tx, debt.payment)
  }
}

type Cause = { readonly dispute_part_id: number } | { readonly refund_id: number }

/** Keeps a debt that was posted, sets deposits off against it, and alerts staff to the rest. The caller holds the client's accounts. */
export async function addDebt(
  tx: Database,
  { id: payment_id, client_id, currency }: Payment,
  cause: Cause,
  amount: string,
): Promise<void> {
  await tx
    .insertInto('payment_debts')
    .values({ client_id, payment_id, amount, ...cause })
    .execute()
  await setOffDebts(tx, client_id)
  const { rows } = await sql<{ open: string | null }>`select sum(d.amount - d.set_off) as open
    from payment_debts d where d.payment_id = ${payment_id} and ${isOpen}`.execute(tx)
  const open = rows[0]?.open ?? null
  if (open !== null) await alertStaff(tx, payment_id, kind, { amount: `${open} ${currency}` })
}

/** Issues an invoice for a deposit that was set off, from which its payment is refunded again. */
async function giveBack(tx: Database, noteId: number): Promise<Issued> {
  const restored = await restore(tx, noteId, backAgain)
  await sql`update payments p set advance_invoice_id = ${restored.id} from invoices n join invoices i on i.id = n.corrects_id
    where n.id = ${noteId} and p.advance_invoice_id = i.id and i.credited >= i.total`.execute(tx)
  return restored
}

/**
 * Ends a debt whose posting was reversed, and gives back the deposits that were set off against it. Returns the last of their new
 * invoices. The caller holds the client's accounts.
 */
export async function endDebt(tx: Database, cause: Cause): Promise<Issued | undefined> {
  const { rows } = await sql<{ payment: number; note: number | null; posted: number | null }>`
    with ended as (update payment_debts set ended_at = clock_now()
      where ${'refund_id' in cause ? sql`refund_id = ${cause.refund_id}` : sql`dispute_part_id = ${cause.dispute_part_id}`}
        and ended_at is null returning id, payment_id)
    select e.payment_id as payment, s.credit_note_id as note, s.ledger_transaction_id as posted
    from ended e left join debt_set_offs s on s.debt_id = e.id order by s.id`.execute(tx)
  let restored: Issued | undefined
  for (const { note, posted } of rows) {
    if (note === null) continue
    if (posted !== null) await reverse(tx, posted, `set-off:${note}:back`)
    restored = await giveBack(tx, note)
  }
  if (rows[0]) await resolveDebts(tx, rows[0].payment)
  return restored
}

/** Sets open debts off against deposits that came since, each client by itself; one that fails is reported and tried again. */
export async function setOffAllDebts({ within, report }: PaymentScope): Promise<void> {
  const clients = await within(async (tx) => {
    const { rows } = await sql<{
      id: number
    }>`select distinct d.client_id as id from payment_debts d where ${isOpen}
      and exists (select from invoices i where i.client_id = d.client_id and i.kind = 'fiscal' and i.reason = 'advance'
        and i.credited < i.total and i.net > (select coalesce(sum(c.amount), 0) from advance_consumptions c
          where c.advance_id = i.id))`.execute(tx)
    return rows
  })
  for (const { id } of clients)
    await within(async (tx) => {
      await holdAccounts(tx, id)
      await setOffDebts(tx, id)
    }).catch((error: unknown) => report?.(error))
}
