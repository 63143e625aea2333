import { sql } from 'kysely'
import {
  answered,
  billedAccount,
  type PaymentScope,
  paymentScopeOf,
  providerOf,
} from '#money/payments/payment-scope.ts'
import type { ProviderId, ProviderSetup } from '#money/payments/providers/payment-provider.ts'
import type { Context, OutsideContext, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { customerRef, keepCard } from './cards.ts'

type Setup = RowOf<'setup_intents'>

/** The maximum number of cards that an account may try to add per hour, against testing of stolen cards. */
const mostInAnHour = 20

/** Server-set columns of a new setup intent. Throws `billing_not_open`, `cards_tried_often`. */
export async function newSetup({
  tx,
  actor,
  sent,
}: Pick<Context, 'tx' | 'actor'> & { readonly sent: { readonly client_id?: number | undefined } }) {
  const clientId = billedAccount(actor, sent.client_id)
  const { rows } = await sql<{ many: boolean }>`select count(*) >= ${mostInAnHour} as many from setup_intents
    where client_id = ${clientId} and created_at > now() - interval '1 hour'`.execute(tx)
  if (rows[0]?.many)
    throw refuse(
      'cards_tried_often',
      {},
      {
        headers: { 'retry-after': '3600' },
      },
    )
  return { client_id: clientId, requested_by: actor.id }
}

const ended = (status: string): boolean => status === 'succeeded' || status === 'canceled'

/** Stores the provider's state of a setup intent, and its card. A success is final. */
async function noteSetup(tx: Database, id: number, seen: ProviderSetup): Promise<Setup> {
  const row = await tx
    .selectFrom('setup_intents')
    .select(columns.setup_intents)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (ended(row.status)) return row
  const owner = { clientId: row.client_id, provider: row.provider as ProviderId } // The column allows no other values.
  const cardId = seen.status === 'succeeded' && seen.method ? await keepCard(tx, owner, seen.method) : null
  return tx
    .updateTable('setup_intents')
    .set({ provider_ref: seen.ref, status: seen.status, card_id: cardId, error_code: seen.errorCode })
    .where('id', '=', id)
    .returning(columns.setup_intents)
    .executeTakeFirstOrThrow()
}

/** Creates a card form at the provider. Idempotent. Throws `provider_unavailable`. */
export async function openSetup(
  paymentScope: PaymentScope,
  row: Pick<Setup, 'id' | 'client_id' | 'provider'>,
): Promise<ProviderSetup> {
  const provider =
    row.provider === null ? paymentScope.payments.current : providerOf(paymentScope, row.provider)
  await paymentScope.within((tx) =>
    tx.updateTable('setup_intents').set({ provider: provider.id }).where('id', '=', row.id).execute(),
  )
  const seen = await answered(
    paymentScope,
    customerRef(paymentScope, row.client_id, provider.id).then((ref) =>
      provider.createSetup({ setupId: row.id, customerRef: ref, idempotencyKey: `setup:${row.id}` }),
    ),
  )
  await paymentScope.within((tx) => noteSetup(tx, row.id, seen))
  return seen
}

/** Opens the form of a setup intent that was just committed; returns its one-time secrets. */
export async function beginSetup(
  outsideContext: OutsideContext,
  row: Setup,
): Promise<Record<string, unknown>> {
  const paymentScope = paymentScopeOf(outsideContext)
  const seen = await openSetup(paymentScope, row)
  return { client_secret: seen.clientSecret, publishable_key: paymentScope.payments.current.publishableKey }
}

/** Reads the state of a setup intent from the provider. */
export async function readSetup(paymentScope: PaymentScope, provider: string, ref: string): Promise<void> {
  const row = await paymentScope.within((tx) =>
    tx
      .selectFrom('setup_intents')
      .select('id')
      .where('provider', '=', provider)
      .where('provider_ref', '=', ref)
      .executeTakeFirst(),
  )
  if (!row) return
  const seen = await providerOf(paymentScope, provider).getSetup(ref)
  await paymentScope.within((tx) => noteSetup(tx, row.id, seen))
}

/**
 * Completes a setup intent after the person has submitted the form. Throws `payment_failed` when the card was
 * declined.
 */
export async function confirmSetup(outsideContext: OutsideContext, { row }: { readonly row: Setup }) {
  const paymentScope = paymentScopeOf(outsideContext)
  if (row.provider_ref === null || row.provider === null) throw refuse('setup_unanswered')
  const seen = await answered(paymentScope, providerOf(paymentScope, row.provider).getSetup(row.provider_ref))
  const now = await paymentScope.within((tx) => noteSetup(tx, row.id, seen))
  if (now.status === 'failed')
    throw refuse(
      'payment_failed',
      {},
      {
        meta: { reason: now.error_code ?? 'declined' },
      },
    )
  const open = now.status === 'requires_action'
  return {
    // The column allows no other values.
    status: now.status as 'created',
    card_id: now.card_id,
    challenge_url: open ? seen.challengeUrl : null,
    client_secret: open ? seen.clientSecret : null,
  }
}
