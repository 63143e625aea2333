import { sql } from 'kysely'
import { requestEvaluation } from '#money/balance/balances.ts'
import { adjustBalance, grantGoodwill } from '#money/ledger/credit.ts'
import { currencyOf } from '#money/ledger/entries.ts'
import { holdAccounts } from '#money/ledger/held.ts'
import { payable } from '#money/minor-units.ts'
import { hasOpenDebt } from '#money/payments/disputes/debts.ts'
import type { Context } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { readStaffAction } from '#platform/db/settings.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertWithinLimit } from './limits.ts'

type Client = { readonly id: number }
type Given = { readonly amount: number; readonly message?: string | undefined }

/** The action of staff in the log, which is the source of the posting, and its key. */
async function movementOf(tx: Database, clientId: number) {
  const id = await readStaffAction(tx)
  const source = { type: 'staff_action', id }
  return { key: `staff:${id}`, clientId, currency: await currencyOf(tx, clientId), source }
}

async function heldAfter(tx: Database, clientId: number) {
  await requestEvaluation(tx, clientId)
  const { balance, credit } = await holdAccounts(tx, clientId)
  return { account_balance: Number(balance), credit_balance: Number(credit) }
}

/** Keeps what the client reads about a movement. Throws `client_erased_unreachable`. */
async function keepMessage(
  tx: Database,
  { client, movement, message }: { client: number; movement: number; message: string | undefined },
): Promise<void> {
  if (message === undefined) return
  const { numAffectedRows: kept } =
    await sql`insert into balance_messages (ledger_transaction_id, client_id, message)
    select ${movement}, id, ${message} from clients where id = ${client} and erased_at is null for share`.execute(
      tx,
    )
  // What is written after the erasure would stay for ever.
  if (!kept) throw refuse('client_erased_unreachable', {}, { source: { pointer: '/message' } })
}

/**
 * The staff action that gives credit as compensation. Throws `amount_decimals_most`, and like `keepMessage` and
 * `assertWithinLimit`.
 */
export async function goodwill(
  context: Context,
  { row: { id }, input }: { readonly row: Client; readonly input: Given },
) {
  const { tx } = context
  const movement = await movementOf(tx, id)
  const amount = payable(String(input.amount), movement.currency)
  await assertWithinLimit(context, { verb: 'goodwill', clientId: id, currency: movement.currency, amount })
  const given = await grantGoodwill(tx, { ...movement, amount: amount.toFixed(2) })
  await keepMessage(tx, { client: id, movement: given.id, message: input.message })
  return heldAfter(tx, id)
}

type Adjustment = Given & { readonly direction: 'up' | 'down' }

/**
 * The staff action that corrects a balance. Throws `amount_decimals_most`, `adjust_debt_open`, and like `keepMessage` and
 * `assertWithinLimit`.
 */
export async function adjust(
  context: Context,
  { row: { id }, input }: { readonly row: Client; readonly input: Adjustment },
) {
  const { tx } = context
  const movement = await movementOf(tx, id)
  const amount = payable(String(input.amount), movement.currency)
  await holdAccounts(tx, id)
  // The next deposit would be set off against a debt that an adjustment was to forgive.
  if (input.direction === 'up' && (await hasOpenDebt(tx, id))) throw refuse('adjust_debt_open')
  await assertWithinLimit(context, { verb: 'adjust', clientId: id, currency: movement.currency, amount })
  const by = input.direction === 'up' ? amount : amount.neg()
  const moved = await adjustBalance(tx, { ...movement, amount: by.toFixed(2) })
  await keepMessage(tx, { client: id, movement: moved.id, message: input.message })
  return heldAfter(tx, id)
}
