import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import Big from 'big.js'
import type { Stripe } from 'stripe'
import type {
  PaymentAsk,
  ProviderDispute,
  ProviderHolding,
  ProviderMethod,
  ProviderMovement,
  ProviderPayment,
  ProviderRefund,
  ProviderSetup,
} from '#money/payments/providers/payment-provider.ts'

// Maps Stripe's objects to the port.

const shape = /^(\d{1,10})\.(\d{2})$/

// Stripe counts these in hundredths, of which it takes whole units only.
const inHundredths = new Set(['HUF', 'ISK', 'UGX'])

const isWhole = (currency: string): boolean =>
  minorUnits(currency.toUpperCase()) === 0 && !inHundredths.has(currency.toUpperCase())

/** An amount in Stripe's minor units. */
export function minor(amount: string, currency: string): number {
  const [, units, part] = shape.exec(amount) ?? []
  if (units === undefined || part === undefined)
    throw new Error(`${amount} is not an amount with two decimals.`)
  if (!isWhole(currency)) return Number.parseInt(units + part, 10)
  if (part !== '00') throw new Error(`${amount} ${currency} cannot be charged.`)
  return Number.parseInt(units, 10)
}

/** Stripe's minor units as an exact decimal. */
export function decimal(counted: number, currency: string): string {
  return new Big(counted).div(isWhole(currency) ? 1 : 100).toFixed(2)
}

const idOf = (value: string | { id: string } | null | undefined): string =>
  typeof value === 'string' ? value : (value?.id ?? '')

export function methodOf(method: Stripe.PaymentMethod): ProviderMethod | null {
  const { card } = method
  const customerRef = idOf(method.customer)
  // A card without a customer was detached.
  if (!card || customerRef === '') return null
  return {
    ref: method.id,
    customerRef,
    brand: card.brand,
    last4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
    country: card.country,
    fingerprint: card.fingerprint ?? method.id,
  }
}

export function setupOf(setup: Stripe.SetupIntent): ProviderSetup {
  const method = typeof setup.payment_method === 'string' ? null : setup.payment_method
  const error = setup.last_setup_error
  const failed = setup.status === 'requires_payment_method' && error
  const statuses: Readonly<Record<string, ProviderSetup['status']>> = {
    succeeded: 'succeeded',
    canceled: 'canceled',
    processing: 'processing',
  }
  return {
    ref: setup.id,
    status: failed ? 'failed' : (statuses[setup.status] ?? 'requires_action'),
    clientSecret: setup.client_secret,
    challengeUrl: null,
    method: setup.status === 'succeeded' && method ? methodOf(method) : null,
    errorCode: error?.code ?? null,
  }
}

/** A decline that requires authentication is not final: the person may still confirm. */
const wantsPerson = (code: string | undefined) => code === 'authentication_required'

function statusOf(intent: Stripe.PaymentIntent): ProviderPayment['status'] {
  switch (intent.status) {
    case 'succeeded':
      return 'succeeded'
    case 'canceled':
      return 'canceled'
    case 'requires_action':
      return 'requires_action'
    case 'requires_payment_method':
      return wantsPerson(intent.last_payment_error?.code) ? 'requires_action' : 'failed'
    default:
      return 'processing'
  }
}

/** The charge of a payment; Stripe names only its id where it is not asked for more. */
const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null =>
  typeof charge === 'string' ? null : charge

/** Whether a payment was ever disputed. */
export const wasDisputed = (intent: Stripe.PaymentIntent): boolean => chargeOf(intent)?.disputed ?? false

/** What Stripe has of a payment. A dispute in another currency is not subtracted, so that it counts as open until it is won. */
function holdingOf(intent: Stripe.PaymentIntent, disputes: readonly ProviderDispute[]): ProviderHolding {
  const charge = chargeOf(intent)
  const currency = intent.currency.toUpperCase()
  const against = disputes.filter(({ status }) => status !== 'won')
  const received = new Big(decimal(intent.amount_received - (charge?.amount_refunded ?? 0), intent.currency))
  return {
    left: against.reduce((left, { amount }) => left.minus(amount), received).toFixed(2),
    isDisputed: against.some((one) => one.status === 'open' || one.currency !== currency),
    disputes,
    receivedAt: charge ? new Date(charge.created * 1000) : null,
  }
}

/** Whether an intent is of this customer and sum. */
export const isOf = (intent: Stripe.PaymentIntent, { customerRef, amount, currency }: PaymentAsk): boolean =>
  idOf(intent.customer) === customerRef &&
  intent.currency === currency.toLowerCase() &&
  intent.amount === minor(amount, currency)

export function paymentOf(
  intent: Stripe.PaymentIntent,
  disputes: readonly ProviderDispute[] = [],
): ProviderPayment {
  const status = statusOf(intent)
  const error = status === 'failed' ? intent.last_payment_error : null
  return {
    ref: intent.id,
    status,
    amount: decimal(intent.amount, intent.currency),
    amountReceived: decimal(intent.amount_received, intent.currency),
    currency: intent.currency.toUpperCase(),
    failureCode: error ? (error.decline_code ?? error.code ?? 'declined') : null,
    failureMessage: error?.message?.slice(0, 300) ?? null,
    clientSecret: status === 'requires_action' ? intent.client_secret : null,
    challengeUrl: null,
    holding: holdingOf(intent, disputes),
  }
}

export function refundOf(refund: Stripe.Refund): ProviderRefund {
  const ended = refund.status === 'failed' || refund.status === 'canceled'
  const open = refund.status === 'succeeded' ? 'succeeded' : 'pending'
  return {
    ref: refund.id,
    status: ended ? 'failed' : open,
    failureCode: refund.failure_reason ?? null,
  }
}

const movements: Readonly<Record<string, ProviderMovement['kind']>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_failure',
}

/** Undefined for movements that are not a client's: fees, payouts, and the like. */
export function movementOf({
  type,
  source,
  created,
  fee,
  currency,
}: Stripe.BalanceTransaction): ProviderMovement | undefined {
  const kind = movements[type]
  if (kind === undefined || source === null || typeof source === 'string') return undefined
  if (source.object !== 'charge' && source.object !== 'refund') return undefined
  return {
    kind,
    ref: source.object === 'charge' ? idOf(source.payment_intent) : source.id,
    customerRef: (source.object === 'charge' && idOf(source.customer)) || null,
    amount: decimal(source.amount, source.currency),
    currency: source.currency.toUpperCase(),
    fee: fee === 0 ? null : { amount: decimal(fee, currency), currency: currency.toUpperCase() },
    at: new Date(created * 1000),
  }
}

const disputeEnds: Readonly<Record<string, ProviderDispute['status']>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

/** Stripe's fees for a dispute, in the currency of the account. */
function feeOf({ balance_transactions: moves }: Stripe.Dispute): ProviderDispute['fee'] {
  const [first] = moves
  if (first === undefined) return null
  const counted = moves.reduce((sum, { fee }) => sum + fee, 0)
  return { amount: decimal(counted, first.currency), currency: first.currency.toUpperCase() }
}

/** Stripe counts moments in seconds. */
function answerByOf({ evidence_details: evidence }: Partial<Stripe.Dispute>): Date | null {
  const seconds = evidence?.due_by
  return seconds ? new Date(seconds * 1000) : null
}

export function disputeOf(dispute: Stripe.Dispute): ProviderDispute {
  return {
    ref: dispute.id,
    paymentRef: idOf(dispute.payment_intent),
    amount: decimal(dispute.amount, dispute.currency),
    currency: dispute.currency.toUpperCase(),
    status: disputeEnds[dispute.status] ?? 'open',
    fee: feeOf(dispute),
    answerBy: answerByOf(dispute),
  }
}
