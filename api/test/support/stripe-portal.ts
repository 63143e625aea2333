import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, expect } from 'vitest'
import { verifyLedger } from '#money/ledger/verify.ts'
import { processEvent } from '#money/payments/inbox.ts'
import { type PaymentScope, paymentScopeOn } from '#money/payments/payment-scope.ts'
import { makePayments } from '#money/payments/providers/providers.ts'
import { requestCard } from './card.ts'
import { makeOperator } from './documents.ts'
import { testVault } from './mail.ts'
import { type TestPortal, testPortal } from './portal.ts'
import { type CardKind, StripeServer, stripeSettings } from './stripe.ts'

/**
 * A portal that is paid by way of a Stripe of its own. After each test Stripe has to have been asked for nothing that must
 * never happen, and the books have to add up. Gone when the file ends.
 */
export async function stripePortal(poolSize?: number) {
  const stripe = new StripeServer()
  // This portal has no sandbox.
  const payments = { ...makePayments({ stripe: stripeSettings(await stripe.listen()) }, {} as never) }
  const portal = await testPortal({ ...(poolSize !== undefined && { poolSize }), payments: () => payments })
  const { pool } = portal
  const paymentScope: PaymentScope = paymentScopeOn({ pool, vault: testVault, payments })
  await makeOperator(pool)
  afterAll(() => stripe.close())
  afterEach(async () => {
    expect(stripe.violations).toEqual([])
    expect(await verifyLedger(pool.kysely)).toEqual([])
  })
  return {
    stripe,
    payments,
    portal,
    db: pool.kysely,
    paymentScope,
    addCard: (client: { readonly id: number }, kind?: CardKind) => addCard(portal, stripe, client, kind),
    deliver: (event: { body: string; signature: string }, signature = event.signature) =>
      deliver(portal, event, signature),
    workOff: () => workOff(paymentScope, portal),
  }
}

/** A card by Stripe's own form: its number never comes here. Returns its id. */
async function addCard(
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

/** A message of Stripe; returns the status of the answer. */
async function deliver(
  portal: TestPortal,
  event: { body: string; signature: string },
  signature: string,
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
async function workOff(paymentScope: PaymentScope, { pool }: TestPortal): Promise<void> {
  const db = pool.kysely
  const { rows } = await sql<{ payload: { provider: string; about: 'payment'; objectRef: string } }>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'payment.event' order by random()`.execute(db)
  await Promise.all(rows.map(({ payload }) => processEvent(paymentScope, payload)))
  await sql`delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'payment.event'`.execute(db)
}
