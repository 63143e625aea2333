import { createHash } from 'node:crypto'
import type { deskDisputes } from '@portico/contract/resources/desk-disputes.ts'
import type * as z from 'zod/mini'
import { answered, type PaymentScope, paymentScopeOf, providerOf } from '#money/payments/payment-scope.ts'
import type { OutsideContext, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'

type Dispute = RowOf<'payment_disputes'>
type Answer = z.output<typeof deskDisputes.actions.answerDispute.input>

/** Keeps the answer before it is sent. Throws `dispute_not_open`, `dispute_answered`, `dispute_answer_late`. */
async function keepAnswer(tx: Database, id: number, text: string, now: Date) {
  const dispute = await tx
    .selectFrom('payment_disputes as d')
    .innerJoin('payments as p', 'p.id', 'd.payment_id')
    .innerJoin('clients as c', 'c.id', 'p.client_id')
    .select(['d.status', 'd.answered_at', 'd.answer_by', 'c.email', 'c.first_name', 'c.last_name'])
    .where('d.id', '=', id)
    .forUpdate('d')
    .executeTakeFirstOrThrow()
  if (dispute.status !== 'open') throw refuse('dispute_not_open')
  if (dispute.answered_at !== null) throw refuse('dispute_answered')
  if (dispute.answer_by !== null && Date.parse(dispute.answer_by) <= now.getTime())
    throw refuse('dispute_answer_late')
  await tx.updateTable('payment_disputes').set({ answer: text }).where('id', '=', id).execute()
  return { email: dispute.email, name: `${dispute.first_name} ${dispute.last_name}`.trim() }
}

/** The same answer is sent once, however often it is repeated; another one is another request. */
const keyOf = (id: number, text: string): string =>
  `dispute:${id}:answer:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`

/**
 * Sends the evidence of staff to the provider, which takes one answer. Repeating an interrupted one sends the same. Throws
 * like `keepAnswer`, `provider_out_of_use`, `provider_unavailable`, `dispute_answer_refused`.
 */
export async function answerDispute(
  context: OutsideContext,
  {
    row,
    input: { text },
  }: { readonly row: Pick<Dispute, 'id' | 'provider' | 'provider_ref'>; readonly input: Answer },
) {
  const paymentScope: PaymentScope = paymentScopeOf(context)
  const { now, actor } = context
  const provider = providerOf(paymentScope, row.provider)
  const client = await paymentScope.within((tx) => keepAnswer(tx, row.id, text, now))
  const ask = { ref: row.provider_ref, text, ...client, idempotencyKey: keyOf(row.id, text) }
  if (!(await answered(paymentScope, provider.answerDispute(ask)))) throw refuse('dispute_answer_refused')
  const answered_at = now.toISOString()
  await paymentScope.within((tx) =>
    tx
      .updateTable('payment_disputes')
      .set({ answered_at, answered_by: actor.staff?.id ?? null })
      .where('id', '=', row.id)
      .execute(),
  )
  return { answered_at }
}
