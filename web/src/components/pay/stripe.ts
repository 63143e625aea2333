import type { Appearance, Stripe } from '@stripe/stripe-js'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { chunk } from '../../ui/chunk.ts'

/**
 * Stripe's own script. It comes from them, when it is first needed: what is typed into their frames is not the portal's to
 * see. Throws when it does not come.
 */
export async function stripeWith(publishableKey: string): Promise<Stripe> {
  const { loadStripe } = await chunk(() => import('@stripe/stripe-js/pure'))
  const stripe = await loadStripe(publishableKey, { locale: language() })
  if (!stripe) throw new Error('The script of Stripe is for browsers.')
  return stripe
}

/** Their form in the portal's colours, as they are when it is opened. */
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

/** Lets the bank ask the person about a payment, in Stripe's frame. Resolves to why it did not go well, and else to nothing. */
export async function answerBank(publishableKey: string, clientSecret: string): Promise<string | undefined> {
  const stripe = await stripeWith(publishableKey)
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret)
  if (error) return error.message ?? m.refused_declined()
  const card = paymentIntent.last_payment_error?.payment_method?.id
  // Charged while nobody was there it was declined for want of the person: it is confirmed anew, with the card that it was.
  const answer =
    paymentIntent.status === 'requires_payment_method' && card !== undefined
      ? await stripe.confirmCardPayment(clientSecret, { payment_method: card })
      : await stripe.handleNextAction({ clientSecret })
  return answer.error && (answer.error.message ?? m.refused_declined())
}
