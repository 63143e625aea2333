import type { Stripe } from 'stripe'
import { stripeVersion } from '#config/stripe-version.ts'
import {
  type DisputeAnswer,
  nothingHeld,
  type PaymentAsk,
  type PaymentProvider,
  type ProviderDispute,
  type ProviderMethod,
  type ProviderMovement,
  type ProviderPayment,
  type ProviderRefund,
  type ProviderSetup,
  type ProviderTransfer,
  type WebhookEvent,
} from '#money/payments/providers/payment-provider.ts'
import { systemClock } from '#platform/clock.ts'
import { heldOf, transfersOf } from './stripe-balance.ts'
import {
  disputeOf,
  isOf,
  methodOf,
  minor,
  movementOf,
  paymentOf,
  refundOf,
  setupOf,
  wasDisputed,
} from './stripe-objects.ts'
import { eventOf } from './stripe-webhook.ts'

export type StripeSettings = {
  readonly secretKey: string
  readonly publishableKey: string
  /** All active secrets: during a rotation messages are signed with either. */
  readonly webhookSecrets: readonly string[]
  /** Another host with Stripe's API; undefined: Stripe. */
  readonly apiBase: string | undefined
}

const timeoutMs = 20_000
const toleranceSeconds = 300

// The time of the signature, and at least one signature of the current scheme.
const signatureForm = /^t=(\d{1,12}),(?:.*,)?v1=[0-9a-f]{64}(?:,|$)/

/** The host in the form that the library takes. */
function hostOf(apiBase: string | undefined) {
  if (apiBase === undefined) return {}
  const { protocol, hostname, port } = new URL(apiBase)
  // The address was validated at start, so its scheme is one of these.
  const scheme = protocol.slice(0, -1) as 'http' | 'https'
  return { protocol: scheme, host: hostname, port: port || (scheme === 'https' ? '443' : '80') }
}

/**
 * Card payments with Stripe. Every call that moves money or creates an object carries an idempotency key
 * derived from its row, so that a retry after a lost response is the same request. The library is loaded on
 * first use.
 */
export class StripeProvider implements PaymentProvider {
  readonly id = 'stripe'
  readonly publishableKey: string
  readonly #settings: StripeSettings
  #library: Promise<{ api: Stripe; errors: typeof Stripe.errors }> | undefined

  constructor(settings: StripeSettings) {
    this.#settings = settings
    this.publishableKey = settings.publishableKey
  }

  #load() {
    this.#library ??= import('stripe').then(({ default: Library }) => ({
      errors: Library.errors,
      api: new Library(this.#settings.secretKey, {
        // The account's own version does not matter.
        apiVersion: stripeVersion,
        timeout: timeoutMs,
        maxNetworkRetries: 1,
        telemetry: false,
        ...hostOf(this.#settings.apiBase),
      }),
    }))
    return this.#library
  }

  async #api(): Promise<Stripe> {
    return (await this.#load()).api
  }

  async createCustomer(who: {
    clientId: number
    email: string
    name: string
    idempotencyKey: string
  }): Promise<string> {
    const { email, name, clientId, idempotencyKey } = who
    const made = await (await this.#api()).customers.create(
      { email, name, metadata: { client_id: String(clientId) } },
      { idempotencyKey },
    )
    return made.id
  }

  async createSetup(ask: {
    setupId: number
    customerRef: string
    idempotencyKey: string
  }): Promise<ProviderSetup> {
    const made = await (await this.#api()).setupIntents.create(
      {
        customer: ask.customerRef,
        usage: 'off_session',
        allowed_payment_method_types: ['card'],
        metadata: { setup_id: String(ask.setupId) },
        expand: ['payment_method'],
      },
      { idempotencyKey: ask.idempotencyKey },
    )
    return setupOf(made)
  }

  async getSetup(ref: string): Promise<ProviderSetup> {
    return setupOf(await (await this.#api()).setupIntents.retrieve(ref, { expand: ['payment_method'] }))
  }

  async getMethod(ref: string): Promise<ProviderMethod | null> {
    const { api, errors } = await this.#load()
    const found = await api.paymentMethods.retrieve(ref).catch(missing(errors))
    return found && methodOf(found)
  }

  async detachMethod(ref: string): Promise<void> {
    const { api, errors } = await this.#load()
    // A card without an owner is refused as an invalid request.
    await api.paymentMethods.detach(ref, {}, { idempotencyKey: `detach:${ref}` }).catch(missing(errors))
  }

  async createPayment(ask: PaymentAsk): Promise<ProviderPayment | undefined> {
    const { api, errors } = await this.#load()
    const params: Stripe.PaymentIntentCreateParams = {
      amount: minor(ask.amount, ask.currency),
      currency: ask.currency.toLowerCase(),
      customer: ask.customerRef,
      payment_method: ask.methodRef,
      allowed_payment_method_types: ['card'],
      confirm: true,
      metadata: { payment_id: String(ask.paymentId) },
      // The provider's script on our page answers a challenge, or, without a person, it is answered later.
      ...(ask.offSession ? { off_session: true } : { use_stripe_sdk: true }),
    }
    try {
      return paymentOf(await api.paymentIntents.create(params, { idempotencyKey: ask.idempotencyKey }))
    } catch (error) {
      if (error instanceof errors.StripeCardError && error.payment_intent)
        return paymentOf(error.payment_intent)
      // Its request with the same key is still running.
      if (error instanceof errors.StripeError && error.code === 'idempotency_key_in_use') throw error
      if (error instanceof errors.StripeIdempotencyError) return undefined
      if (error instanceof errors.StripeInvalidRequestError)
        return refusedPayment(ask, error.code ?? 'invalid_request')
      throw error
    }
  }

  async getPayment(ref: string): Promise<ProviderPayment> {
    const api = await this.#api()
    const intent = await api.paymentIntents.retrieve(ref, { expand: ['latest_charge'] })
    if (!wasDisputed(intent)) return paymentOf(intent)
    const disputes: ProviderDispute[] = []
    for await (const one of api.disputes.list({ payment_intent: ref, limit: 100 }))
      disputes.push(disputeOf(one))
    return paymentOf(intent, disputes)
  }

  async findPayment(asked: PaymentAsk): Promise<ProviderPayment | undefined> {
    const query = `metadata["payment_id"]:"${asked.paymentId}"`
    const all = (await this.#api()).paymentIntents.search({ query, limit: 100 })
    for await (const one of all) if (isOf(one, asked)) return paymentOf(one)
    return undefined
  }

  async cancelPayment(ref: string, idempotencyKey: string): Promise<ProviderPayment> {
    const { api, errors } = await this.#load()
    const canceled = await api.paymentIntents.cancel(ref, {}, { idempotencyKey }).catch(missing(errors))
    return canceled ? paymentOf(canceled) : this.getPayment(ref)
  }

  async refund(ask: {
    refundId: number
    paymentRef: string
    amount: string
    currency: string
    idempotencyKey: string
  }): Promise<ProviderRefund> {
    const { api, errors } = await this.#load()
    const metadata = { refund_id: String(ask.refundId) }
    const params = { payment_intent: ask.paymentRef, amount: minor(ask.amount, ask.currency), metadata }
    try {
      return refundOf(await api.refunds.create(params, { idempotencyKey: ask.idempotencyKey }))
    } catch (error) {
      if (!(error instanceof errors.StripeInvalidRequestError)) throw error
      return { ref: null, status: 'failed', failureCode: error.code ?? 'invalid_request' }
    }
  }

  async findRefund(paymentRef: string, refundId: number): Promise<ProviderRefund | undefined> {
    const all = (await this.#api()).refunds.list({ payment_intent: paymentRef, limit: 100 })
    for await (const one of all) if (one.metadata?.refund_id === String(refundId)) return refundOf(one)
    return undefined
  }

  async getRefund(ref: string): Promise<ProviderRefund> {
    return refundOf(await (await this.#api()).refunds.retrieve(ref))
  }

  async getDispute(ref: string): Promise<ProviderDispute> {
    return disputeOf(await (await this.#api()).disputes.retrieve(ref))
  }

  async answerDispute({ ref, text, name, email, idempotencyKey }: DisputeAnswer): Promise<boolean> {
    const { api, errors } = await this.#load()
    const evidence = { uncategorized_text: text, customer_name: name, customer_email_address: email }
    const sent = await api.disputes
      .update(ref, { evidence, submit: true }, { idempotencyKey })
      .catch(missing(errors))
    return sent !== null
  }

  /** The balance transactions within a time: in the account's currency, with sources in the payment's. */
  async *#moved(from: Date, until: Date): AsyncIterable<Stripe.BalanceTransaction> {
    const second = (at: Date) => Math.floor(at.getTime() / 1000)
    const api = await this.#api()
    yield* api.balanceTransactions.list({
      created: { gte: second(from), lt: second(until) },
      limit: 100,
      expand: ['data.source'],
    })
  }

  async *movements(from: Date, until: Date): AsyncIterable<ProviderMovement> {
    for await (const one of this.#moved(from, until)) {
      const movement = movementOf(one)
      if (movement) yield movement
    }
  }

  async *transfers(from: Date, until: Date): AsyncIterable<ProviderTransfer> {
    for await (const one of this.#moved(from, until)) yield* transfersOf(one)
  }

  async holds() {
    return heldOf(await (await this.#api()).balance.retrieve())
  }

  maySign({ 'stripe-signature': given }: Readonly<Record<string, string | string[] | undefined>>): boolean {
    const at = typeof given === 'string' && given.length < 2000 ? signatureForm.exec(given)?.[1] : undefined
    return at !== undefined && systemClock.now().getTime() / 1000 - Number(at) <= toleranceSeconds
  }

  async parseWebhook(
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<WebhookEvent | undefined> {
    const signature = headers['stripe-signature']
    if (typeof signature !== 'string') return undefined
    const { api, errors } = await this.#load()
    for (const secret of this.#settings.webhookSecrets) {
      try {
        return eventOf(api.webhooks.constructEvent(raw, signature, secret, toleranceSeconds))
      } catch (error) {
        if (!(error instanceof errors.StripeSignatureVerificationError)) throw error
      }
    }
    return undefined
  }
}

/** Treats an invalid request as a missing object, or one in the wrong state. */
const missing = (errors: typeof Stripe.errors) => (error: unknown) => {
  if (error instanceof errors.StripeInvalidRequestError) return null
  throw error
}

/** Declined before a payment existed: nothing was charged, and the provider has no record. */
const refusedPayment = ({ amount, currency }: PaymentAsk, failureCode: string): ProviderPayment => ({
  ref: null,
  status: 'failed',
  amount,
  amountReceived: '0.00',
  currency,
  failureCode,
  failureMessage: null,
  clientSecret: null,
  challengeUrl: null,
  holding: nothingHeld,
})
