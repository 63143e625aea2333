import type { Appearance, Stripe } from '@stripe/stripe-js'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/loading/chunk.ts'

/**
 * Loads Stripe's script from Stripe when it is first needed: card data is typed into their frames and never
 * reaches the portal. Throws when it does not load.
 */
export async function stripeWith(publishableKey: string): Promise<Stripe> {
  const { loadStripe } = await chunk(() => import('@stripe/stripe-js/pure'))
  const stripe = await loadStripe(publishableKey, { locale: language() })
  if (!stripe) throw new Error('The script of Stripe is for browsers.')
  return stripe
}

/** The theme of Stripe's form, from the portal's colours at the moment. */
export function appearance(): Appearance {
  const styles = getComputedStyle(document.documentElement)
  const colour = (name: string) => styles.getPropertyValue(name).trim()
  return {
    theme: colour('color-scheme') === 'dark' ? 'night' : 'stripe',
    variables: {
      colorPrimary: colour('--series-1'),
      colorBackground: colour('--card'),
      colorText: colour('--text'),
      colorTextSecondary: colour('--text-quiet'),
      colorDanger: colour('--bad'),
      borderRadius: '6px',
      fontSizeBase: '14px',
    },
  }
}

/**
 * Lets the cardholder confirm a payment in Stripe's frame. Resolves to the reason of a failure, or to
 * undefined.
 */
export async function answerBank(publishableKey: string, clientSecret: string): Promise<string | undefined> {
  const stripe = await stripeWith(publishableKey)
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret)
  if (error) return error.message ?? m.refused_declined()
  const card = paymentIntent.last_payment_error?.payment_method?.id
  // An off-session charge that was declined for lack of authentication is confirmed with the same card.
  const answer =
    paymentIntent.status === 'requires_payment_method' && card !== undefined
      ? await stripe.confirmCardPayment(clientSecret, { payment_method: card })
      : await stripe.handleNextAction({ clientSecret })
  return answer.error && (answer.error.message ?? m.refused_declined())
}
