import type { Stripe } from 'stripe'
import type { WebhookEvent } from '#money/payments/providers/payment-provider.ts'

const kinds: readonly (readonly [prefix: string, about: WebhookEvent['about']])[] = [
  ['payment_intent.', 'payment'],
  ['setup_intent.', 'setup'],
  ['charge.dispute.', 'dispute'],
  ['charge.refund.', 'refund'],
  ['refund.', 'refund'],
  ['charge.refunded', 'payment'],
  ['payment_method.', 'method'],
]

/** A message of Stripe in the port's form; the caller has checked its signature. */
export function eventOf(event: Stripe.Event): WebhookEvent {
  const about = kinds.find(([prefix]) => event.type.startsWith(prefix))?.[1] ?? 'other'
  const { object } = event.data
  const id = 'id' in object && typeof object.id === 'string' ? object.id : ''
  // A charge names its payment.
  const payment =
    'payment_intent' in object && typeof object.payment_intent === 'string' ? object.payment_intent : ''
  return {
    eventId: event.id,
    type: event.type,
    about,
    objectRef: event.type === 'charge.refunded' ? payment : id,
    createdAt: new Date(event.created * 1000),
  }
}
