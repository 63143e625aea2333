import { type RawBuilder, sql } from 'kysely'
import { eventKey, eventKeyOf, refundKey, refundKeyOf } from '#money/payments/job-keys.ts'
import type { PaymentScope } from '#money/payments/payment-scope.ts'
import type { WebhookEvent } from '#money/payments/providers/payment-provider.ts'
import type { Database } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { lateReasons, nextLateLook } from './late-payment.ts'

// Recovers payments, refunds and messages without a job: a provider outage can outlast all retries of a job,
// and a message can be lost. The rows persist, so each is checked again until it is final.

// Longer than the first retries of a job, and than the usual delay of a message.
const overdue = sql`now() - interval '10 minutes'`
// Providers report older objects only in their lists.
const tooOld = sql`now() - interval '30 days'`
// The rest waits for the next minute.
const mostAtOnce = 200

/** The condition that no job with this key is running or will be retried. */
const isIdle = (key: RawBuilder<unknown>) => sql`not exists (select from graphile_worker._private_jobs j
  where j.key = ${key} and (j.attempts < j.max_attempts or j.locked_at is not null))`

type Waiting = { provider: string; event_id: string; about: WebhookEvent['about']; object_ref: string }

async function requestEvents(tx: Database): Promise<number> {
  const { rows } = await sql<Waiting>`
    select distinct on (e.provider, e.object_ref) e.provider, e.event_id, e.about, e.object_ref from payment_events e
    where e.processed_at is null and e.received_at < ${overdue} and e.received_at > ${tooOld}
      and ${isIdle(eventKeyOf(sql`e.provider`, sql`e.object_ref`))}
    order by e.provider, e.object_ref, e.received_at desc limit ${mostAtOnce}`.execute(tx)
  for (const { provider, event_id: eventId, about, object_ref: objectRef } of rows)
    await enqueue(
      tx,
      'payment.event',
      { provider, eventId, about, objectRef },
      { key: eventKey(provider, objectRef) },
    )
  return rows.length
}

async function requestRefunds(tx: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select r.id from payment_refunds r join payments p on p.id = r.payment_id and p.provider_ref is not null
    where r.status = 'pending' and r.iban is null and r.updated_at < ${overdue} and ${isIdle(refundKeyOf(sql`r.id`))}
    order by r.updated_at limit ${mostAtOnce}`.execute(tx)
  for (const { id } of rows) await enqueue(tx, 'payment.refund', { refundId: id }, { key: refundKey(id) })
  return rows.length
}

/**
 * Asks about money that arrived after its payment had ended and is not booked: once its account is back in its currency, and when
 * it is due. The next time is set here, so that one whose answer cannot be booked is not asked about each minute.
 */
async function requestLate(tx: Database): Promise<number> {
  const { rows } = await sql<{ provider: string; ref: string }>`
    update payments set next_look_at = ${nextLateLook}, looks = looks + 1 where id in (select p.id from payments p
      join clients c on c.id = p.client_id join currencies u on u.id = c.currency_id
    where p.status in ('failed', 'canceled') and p.next_look_at <= now() and p.provider_ref is not null
      and (p.failure_code in (${lateReasons.disputed}, ${lateReasons.returned})
        or p.failure_code = ${lateReasons.currency} and u.code = p.currency)
      and ${isIdle(eventKeyOf(sql`p.provider`, sql`p.provider_ref`))}
    order by p.next_look_at limit ${mostAtOnce} for update of p skip locked)
    returning provider, provider_ref as ref`.execute(tx)
  for (const { provider, ref } of rows)
    await enqueue(
      tx,
      'payment.event',
      { provider, eventId: '', about: 'payment', objectRef: ref },
      { key: eventKey(provider, ref) },
    )
  return rows.length
}

/** Queues late payments, refunds that are not final, and unprocessed messages again. Returns their number. */
export async function requestForgotten({ within }: PaymentScope): Promise<number> {
  return (await within(requestEvents)) + (await within(requestRefunds)) + (await within(requestLate))
}
