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

/** How many cards may be tried to be added to an account in an hour: stolen ones are not to be tried out here. */
const mostInAnHour = 20

/** What a client never chooses of a request for a card. Throws `billing_not_open`, `cards_tried_often`. */
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

/** Writes down what a provider says of a request, and keeps the card. What has succeeded stays so. */
async function noteSetup(tx: Database, id: number, seen: ProviderSetup): Promise<Setup> {
  const row = await tx
    .selectFrom('setup_intents')
    .select(columns.setup_intents)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (ended(row.status)) return row
  const owner = { clientId: row.client_id, provider: row.provider as ProviderId } // The column allows no other.
  const cardId = seen.status === 'succeeded' && seen.method ? await keepCard(tx, owner, seen.method) : null
  return tx
    .updateTable('setup_intents')
    .set({ provider_ref: seen.ref, status: seen.status, card_id: cardId, error_code: seen.errorCode })
    .where('id', '=', id)
    .returning(columns.setup_intents)
    .executeTakeFirstOrThrow()
}

/** Asks the provider for a form for a card. The same request again is the same form. `provider_unavailable`. */
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

/** Opens the form of a request that was committed just now; returns what is told once. */
export async function beginSetup(scene: OutsideContext, row: Setup): Promise<Record<string, unknown>> {
  const paymentScope = paymentScopeOf(scene)
  const seen = await openSetup(paymentScope, row)
  return { client_secret: seen.clientSecret, publishable_key: paymentScope.payments.current.publishableKey }
}

/** Reads from the provider what has become of a request. */
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

/** The action of a person who has filled in the form. `payment_failed` when the card was refused. */
export async function confirmSetup(scene: OutsideContext, { row }: { readonly row: Setup }) {
  const paymentScope = paymentScopeOf(scene)
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
    // The column allows no other.
    status: now.status as 'created',
    card_id: now.card_id,
    challenge_url: open ? seen.challengeUrl : null,
    client_secret: open ? seen.clientSecret : null,
  }
}
