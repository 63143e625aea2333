import { assertNoOtherLine, holdByHand } from '#money/bank/by-hand.ts'
import { countOwnImports } from '#money/bank/own-imports.ts'
import { referenceOf } from '#money/bank/references.ts'
import { alertUnclaimed } from '#money/bank/unclaimed.ts'
import { alertUnseen } from '#money/bank/unseen.ts'
import { currencyOf } from '#money/ledger/entries.ts'
import { releaseUnclaimed, type Unclaimed } from '#money/ledger/suspense.ts'
import {
  assertArrived,
  recordTransfer,
  type TransferTarget,
  targetOf,
} from '#money/payments/bank-transfers.ts'
import type { Payment } from '#money/payments/payment-rows.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { readStaffAction } from '#platform/db/settings.ts'
import { refuse } from '#platform/errors/problem.ts'

export type Line = RowOf<'bank_lines'>

/** The row of a line, locked: a concurrent decision about it waits here. */
export async function holdLine(tx: Database, id: number): Promise<Line> {
  return tx
    .selectFrom('bank_lines')
    .select(columns.bank_lines)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** The line, locked. Throws `bank_line_doubtful`, and `bank_line_decided` unless it is open. */
async function holdOpen(tx: Database, id: number): Promise<Line> {
  const line = await holdLine(tx, id)
  if (line.state === 'doubtful') throw refuse('bank_line_doubtful')
  if (line.state !== 'open') throw refuse('bank_line_decided')
  return line
}

/** The key of a posting about something that the staff action decides, and that may be undone and decided again. */
export async function actionKey(tx: Database, about: string): Promise<string> {
  return `${about}:${await readStaffAction(tx)}`
}

/** A posting of the money of a line. */
export async function postingOf(tx: Database, { id, currency, amount }: Line): Promise<Unclaimed> {
  const key = await actionKey(tx, `bank-line:${id}`)
  return { key, currency, amount, source: { type: 'bank_line', id } }
}

/** Notes whose an open line is, and which payment it shows. */
async function markMatched(tx: Database, line: Line, payment: Payment): Promise<void> {
  await tx
    .updateTable('bank_lines')
    .set({ state: 'matched', client_id: payment.client_id, payment_id: payment.id, problem: null })
    .where('id', '=', line.id)
    .execute()
}

/**
 * Records an open line, which the caller holds, as a transfer for its target: the money leaves the suspense account. Throws
 * `bank_line_currency`, `bank_line_own_import`, `bank_payment_matched`, and like `recordTransfer`.
 */
export async function settleLine(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  line: Line,
  target: TransferTarget,
): Promise<void> {
  if (line.currency !== target.currency)
    throw refuse('bank_line_currency', { currency: line.currency, wanted: target.currency })
  await assertArrived(tx, line.booked_on)
  const payment = await recordTransfer(tx, target, {
    amount: line.amount,
    receivedOn: line.booked_on,
    reference: referenceOf(line),
    recordedBy: actor.staff?.id ?? null,
    lineId: line.id,
  })
  await assertNoOtherLine(tx, payment.id)
  if (payment.bank_line_id === line.id) await countOwnImports(tx, actor.staff?.id ?? null, [line.id])
  // Staff recorded it from the paper after the import, so that it came out of the bank account itself.
  else await releaseUnclaimed(tx, await postingOf(tx, line))
  await markMatched(tx, line, payment)
}

/**
 * Ties an open line, which the caller holds, to a transfer that was recorded by hand and came out of the bank account itself: its
 * day and reference stay as they were typed, since documents have them. Throws `not_found`, and like `holdByHand`.
 */
async function showTransfer({ tx, see }: Context, line: Line, paymentId: number): Promise<void> {
  await see('transactions', paymentId)
  const payment = await holdByHand(tx, paymentId, line)
  await releaseUnclaimed(tx, await postingOf(tx, line))
  await markMatched(tx, line, payment)
}

/** The target of a line: a document that the actor sees, or the balance of a client. */
async function wanted({ tx, see }: Context, { invoice_id, client_id }: Wanted): Promise<TransferTarget> {
  if (invoice_id === undefined) {
    const client = await see('desk-clients', client_id ?? 0)
    const clientId = Number(client.id)
    return { clientId, currency: await currencyOf(tx, clientId), bill: null, proforma: null }
  }
  await see('invoices', invoice_id)
  const invoice = await tx
    .selectFrom('invoices')
    .select(['id', 'client_id', 'kind', 'reason', 'currency'])
    .where('id', '=', invoice_id)
    .executeTakeFirstOrThrow()
  return targetOf(invoice)
}

type Wanted = {
  readonly invoice_id?: number | undefined
  readonly client_id?: number | undefined
  readonly payment_id?: number | undefined
}
type On<I> = { readonly row: Line; readonly input: I }

/**
 * The staff action that decides whose a line is. Throws `bank_line_decided`, `bank_line_target`, `not_found`, and
 * like `settleLine` and `showTransfer`.
 */
export async function matchLine(context: Context, { row, input }: On<Wanted>) {
  const { tx } = context
  const line = await holdOpen(tx, row.id)
  const { invoice_id, client_id, payment_id } = input
  if ([invoice_id, client_id, payment_id].filter((id) => id !== undefined).length !== 1)
    throw refuse('bank_line_target')
  if (payment_id !== undefined) await showTransfer(context, line, payment_id)
  else await settleLine(context, line, await wanted(context, input))
  await alertUnclaimed(tx)
  await alertUnseen(tx)
  return { state: 'matched' as const }
}

/** Takes the money of an open line out of the suspense account, since it is no client's. */
async function leave(tx: Database, id: number, state: 'ignored' | 'returned') {
  const line = await holdOpen(tx, id)
  await releaseUnclaimed(tx, await postingOf(tx, line))
  await tx.updateTable('bank_lines').set({ state, problem: null }).where('id', '=', id).execute()
  await alertUnclaimed(tx)
  await alertUnseen(tx)
  return { state }
}

/** The staff action for money that is of no client, such as a payout of a card provider. Throws `bank_line_decided`. */
export const ignoreLine = ({ tx }: Context, { row }: On<object>) => leave(tx, row.id, 'ignored')

/** The staff action for money that the bank sent back to its payer. Throws `bank_line_decided`. */
export const returnLine = ({ tx }: Context, { row }: On<object>) => leave(tx, row.id, 'returned')
