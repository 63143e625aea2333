import { sql } from 'kysely'
import { refreshCard } from '#money/payments/cards/cards.ts'
import { readSetup } from '#money/payments/cards/setup-intents.ts'
import { readDispute } from '#money/payments/disputes/disputes.ts'
import type { WebhookEvent } from '#money/payments/providers/payment-provider.ts'
import { alertStaff } from '#platform/alerts.ts'
import type { Database } from '#platform/db/pool.ts'
import { jobCall } from '#platform/jobs/enqueue.ts'
import { eventKey } from './job-keys.ts'
import { isEnded } from './late/late-payment.ts'
import { isOpen, isOpenPayment, paymentRow } from './payment-rows.ts'
import { type PaymentScope, providerOf } from './payment-scope.ts'
import { advancePayment, applySeen } from './payments.ts'
import { readRefund } from './refunds/refunds.ts'

type Raw = {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * Receives a provider's message: verifies the signature over the raw bytes, then deduplicates by id. Its
 * content is not trusted; a job reads the object from the provider. Returns false for an invalid signature.
 * Writes with one statement.
 */
export async function receiveWebhook(
  paymentScope: PaymentScope,
  providerId: string,
  { body, headers }: Raw,
): Promise<boolean> {
  const event = await paymentScope.payments.of(providerId)?.parseWebhook(body, headers)
  if (!event) return false
  await paymentScope.within((tx) => keep(tx, providerId, event))
  return true
}

/** One statement, so that it can be its own transaction: the sender waits for the response. */
async function keep(tx: Database, provider: string, event: WebhookEvent): Promise<void> {
  const { eventId, type, about, objectRef, createdAt } = event
  const isOfUs = about !== 'other' && objectRef !== ''
  const key = eventKey(provider, objectRef)
  await sql`with kept as (
      insert into payment_events (provider, event_id, type, about, object_ref, happened_at, processed_at)
      values (${provider}, ${eventId}, ${type}, ${about}, ${objectRef}, ${createdAt.toISOString()},
        case when not ${isOfUs}::boolean then now() end)
      on conflict do nothing returning event_id
    )
    select ${jobCall('payment.event', { provider, eventId, about, objectRef }, { key })}
    from kept where ${isOfUs}::boolean`.execute(tx)
}

/** Reads the object of a message from the provider and applies its state. */
export async function processEvent(
  paymentScope: PaymentScope,
  { provider, about, objectRef }: { provider: string; about: WebhookEvent['about']; objectRef: string },
): Promise<void> {
  switch (about) {
    case 'payment':
      await readPayment(paymentScope, provider, objectRef)
      break
    case 'setup':
      await readSetup(paymentScope, provider, objectRef)
      break
    case 'refund':
      await readRefund(paymentScope, provider, objectRef)
      break
    case 'dispute':
      await readDispute(paymentScope, provider, objectRef)
      break
    case 'method':
      await refreshCard(paymentScope, provider, objectRef)
      break
    case 'other':
      break
  }
  await paymentScope.within((tx) =>
    tx
      .updateTable('payment_events')
      .set({ processed_at: sql<string>`now()` })
      .where('provider', '=', provider)
      .where('object_ref', '=', objectRef)
      .where('processed_at', 'is', null)
      .execute(),
  )
}

/**
 * Reads what the provider has of a payment, once the portal knows its disputes as the provider does: what is subtracted from money that
 * arrives late may not be taken again by the message of a dispute that comes after it.
 */
async function readLate(paymentScope: PaymentScope, provider: string, ref: string) {
  const adapter = providerOf(paymentScope, provider)
  const seen = await adapter.getPayment(ref)
  const { disputes } = seen.holding
  if (disputes.length === 0) return seen
  for (const dispute of disputes) await readDispute(paymentScope, provider, dispute.ref)
  return adapter.getPayment(ref)
}

async function readPayment(paymentScope: PaymentScope, provider: string, ref: string): Promise<void> {
  const row = await paymentScope.within((tx) =>
    tx
      .selectFrom('payments')
      .select(['id', 'settled_at', 'status'])
      .where('provider', '=', provider)
      .where('provider_ref', '=', ref)
      .executeTakeFirst(),
  )
  if (row?.settled_at) return
  if (row) {
    const seen = isEnded(row)
      ? await readLate(paymentScope, provider, ref)
      : await providerOf(paymentScope, provider).getPayment(ref)
    return applySeen(paymentScope, row.id, seen)
  }
  // The response to the call was not stored yet, or was lost: all unanswered payments are checked.
  await askAll(paymentScope, provider, ref)
}

/** Checks a provider's unanswered payments; the one in the message is among them. */
async function askAll(paymentScope: PaymentScope, provider: string, ref: string): Promise<void> {
  const { rows } = await paymentScope.within((tx) =>
    sql<{ id: number }>`select id from payments where provider = ${provider} and provider_ref is null
      and status in ('created', 'processing') and begun_at < now() - interval '45 seconds'`.execute(tx),
  )
  for (const { id } of rows) await advancePayment(paymentScope, id)
  // One statement, because a payment that is settled between two would be in neither.
  const ours = await paymentScope.within((tx) =>
    sql`select from payments where provider = ${provider} and (provider_ref = ${ref}
      or (provider_ref is null and status in ('created', 'processing'))) limit 1`.execute(tx),
  )
  // Unknown money that the portal did not request needs a person.
  if (ours.rows.length === 0)
    await paymentScope.within((tx) =>
      alertStaff(tx, `${provider} ${ref}`, 'unknown_payment', { provider, ref }),
    )
}

const batch = 50

/** Checks every payment that is due, each separately, so that a failure does not block the others. */
export async function pollPayments(paymentScope: PaymentScope): Promise<number> {
  const { rows } = await paymentScope.within((tx) =>
    sql<{ id: number }>`select id from payments where ${isOpenPayment('payments')}
      and next_look_at <= now() order by next_look_at limit ${batch}`.execute(tx),
  )
  for (const { id } of rows) await checkPayment(paymentScope, id)
  return rows.length
}

/** The lifetime of an unanswered challenge: a day for a person's payment, a week for an automatic one. */
const patience = { person: '1 day', rule: '7 days' }

/** Updates a payment from its provider, and cancels an overdue challenge. */
export async function checkPayment(paymentScope: PaymentScope, id: number): Promise<void> {
  const seen = await advancePayment(paymentScope, id)
  if (seen?.status !== 'requires_action' || seen.ref === null) return
  const { rows } = await paymentScope.within((tx) =>
    sql<{ late: boolean }>`select begun_at < now() - case when off_session then ${patience.rule}::interval
      else ${patience.person}::interval end as late from payments where id = ${id}`.execute(tx),
  )
  const payment = await paymentScope.within((tx) => paymentRow(tx, id))
  if (!rows[0]?.late || !isOpen(payment)) return
  await applySeen(
    paymentScope,
    id,
    await providerOf(paymentScope, payment.provider).cancelPayment(seen.ref, `cancel:${id}`),
  )
}
