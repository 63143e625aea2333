import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { restore } from '#money/invoices/credit-notes.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { reverse } from '#money/ledger/reverse.ts'
import { endDebt, setOffDebts } from '#money/payments/disputes/debts.ts'
import { lockPayment, type Payment, refundableStates } from '#money/payments/payment-rows.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Vault } from '#platform/vault.ts'

type Refund = RowOf<'payment_refunds'>

/** Updates the payment, which is disputed again where its bank has it. */
async function lessRefunded(tx: Database, { payment_id, gross }: Refund): Promise<void> {
  await sql`update payments p set refunded = refunded - ${gross}::numeric,
      status = case when p.status not in ('refunded', 'partially_refunded') then p.status
        when refunded = ${gross}::numeric then 'succeeded' else 'partially_refunded' end
    where p.id = ${payment_id}`.execute(tx)
  await sql`update payments p set status = 'disputed' where p.id = ${payment_id} and status in ${refundableStates}
    and exists (select from payment_disputes d where d.payment_id = p.id and d.status in ('open', 'lost'))`.execute(
    tx,
  )
}

/** A later refund uses the new invoice of what this one credited of the payment's deposit, once the old one has no rest. */
async function follow(
  tx: Database,
  { payment_id, advance_invoice_id: other, credit_note_id: credited }: Refund,
  restored: number,
): Promise<void> {
  // An amount that came back by a debt alone is the deposit of another payment, and one of a bill is no deposit of this payment.
  if (credited === null || other !== null) return
  await sql`update payments p set advance_invoice_id = ${restored} from invoices i
    where p.id = ${payment_id} and i.id = p.advance_invoice_id and i.credited >= i.total`.execute(tx)
}

async function write(
  { tx, vault }: { tx: Database; vault: Vault },
  { client_id, gross }: Refund,
  { currency }: Payment,
  number: string,
): Promise<void> {
  const found = await clientsWithLanguage(tx)
    .select(['c.email', 'c.first_name', 'l.code as language'])
    .where('c.id', '=', client_id)
    .where('c.erased_at', 'is', null)
    .executeTakeFirst()
  // An erased person has no address any more; staff were alerted.
  if (!found) return
  const { email, first_name, language } = found
  const letter = {
    kind: 'refund-returned',
    name: first_name,
    amount: { amount: gross, currency },
    number,
  } as const
  await queueMail({ tx, vault }, { to: email, language: language === 'ro' ? 'ro' : 'en', letter })
}

/**
 * Handles a refund that returned: reverses its posting, so that the money is on the balance again, issues a
 * new invoice, writes to the client, and alerts staff, because the money may have to be sent in another way.
 * For a locked, succeeded refund, once: it becomes failed.
 */
export async function takeReturned(
  parts: { tx: Database; vault: Vault },
  row: Refund,
  failureCode: string | null,
): Promise<void> {
  const { tx } = parts
  const payment = await lockPayment(tx, row.payment_id)
  if (row.ledger_transaction_id === null) throw new Error(`Refund ${row.id} was sent without a posting.`)
  await holdAccounts(tx, row.client_id)
  const reversal = await reverse(tx, row.ledger_transaction_id, `refund:${row.id}:returned`)
  const given = await endDebt(tx, { refund_id: row.id })
  const restored = row.credit_note_id === null ? given : await restore(tx, row.credit_note_id)
  await tx
    .updateTable('payment_refunds')
    .set({
      status: 'failed',
      failure_code: failureCode ?? 'failed',
      // Nothing was credited where a lost dispute had taken the whole deposit before.
      ...(restored && { reversal_id: reversal.id, restored_invoice_id: restored.id }),
    })
    .where('id', '=', row.id)
    .execute()
  await lessRefunded(tx, row)
  await requestEvaluation(tx, row.client_id)
  if (!restored) return
  await follow(tx, row, restored.id)
  await setOffDebts(tx, row.client_id)
  const { id, gross, provider_ref: ref } = row
  await alertStaff(tx, payment.id, `refund_returned_${id}`, { refund: id, ref, gross, failure: failureCode })
  await write(parts, row, payment, restored.fullNumber)
}
