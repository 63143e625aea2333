import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { processEvent } from '../../src/services/payment-inbox.ts'
import type { Till } from '../../src/services/till.ts'
import { requestCard } from './card.ts'
import type { TestPortal } from './portal.ts'
import type { CardKind, StripeServer } from './stripe.ts'

/** A card by Stripe's own form: its number never comes here. Returns its id. */
export async function addStripeCard(
  portal: TestPortal,
  stripe: StripeServer,
  client: { readonly id: number },
  kind: CardKind = 'ok',
): Promise<number> {
  const me = portal.as(client)
  const { id, attributes } = (await requestCard(me)).one
  if (attributes?.provider !== 'stripe') throw new Error('The card was asked for somewhere else.')
  stripe.fillIn(String(attributes.provider_ref), kind)
  const confirmed = await me.post(`${base}/stripe-setup-intents/${id}/-actions/confirm`, {})
  return JSON.parse(confirmed.text).card_id
}

/** A message of Stripe, with its own signature or another; returns the status of the answer. */
export async function deliver(
  portal: TestPortal,
  event: { body: string; signature: string },
  signature = event.signature,
): Promise<number> {
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/webhooks/stripe',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    payload: event.body,
  })
  return answer.statusCode
}

/** Does what the queue would do with the messages that came in. */
export async function workOff(till: Till, { pool }: TestPortal): Promise<void> {
  const db = pool.kysely
  const { rows } = await sql<{ payload: { provider: string; about: 'payment'; objectRef: string } }>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'payment.event' order by random()`.execute(db)
  await Promise.all(rows.map(({ payload }) => processEvent(till, payload)))
  await sql`delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'payment.event'`.execute(db)
}
