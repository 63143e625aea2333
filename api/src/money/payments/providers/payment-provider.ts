// The port to whoever takes cards. Amounts are exact decimals in the currency's own unit, as text. What a provider definitely
// says, a refusal too, is an answer; whatever is thrown leaves it unknown what happened, and is asked about again.

export type ProviderId = 'stripe' | 'sandbox'

/** A card as a provider keeps it. Never its number. */
export type ProviderMethod = {
  readonly ref: string
  readonly customerRef: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  /** ISO 3166, where the provider knows it. */
  readonly country: string | null
  /** The same for the same number. */
  readonly fingerprint: string
}

export type ProviderStatus = 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'canceled'

/** What the person's browser goes on with: a secret for the provider's own script, or a page to open. */
type Next = { readonly clientSecret: string | null; readonly challengeUrl: string | null }

export type ProviderSetup = Next & {
  readonly ref: string
  readonly status: ProviderStatus
  readonly method: ProviderMethod | null
  readonly errorCode: string | null
}

export type ProviderPayment = Next & {
  /** Null when the provider refused it without taking note of it. */
  readonly ref: string | null
  readonly status: ProviderStatus
  readonly amount: string
  readonly amountReceived: string
  /** ISO 4217, in capitals. */
  readonly currency: string
  readonly failureCode: string | null
  readonly failureMessage: string | null
}

export type ProviderRefund = {
  readonly ref: string | null
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly failureCode: string | null
}

export type ProviderDispute = {
  readonly ref: string
  readonly paymentRef: string
  readonly amount: string
  /** ISO 4217, in capitals. */
  readonly currency: string
  /** `won` too when it ended without money being taken, as a question of the bank or a dispute that was prevented. */
  readonly status: 'open' | 'won' | 'lost'
}

/**
 * Money that a provider took or gave back, in the currency of the payment, or that came back because a refund failed after it
 * had gone.
 */
export type ProviderMovement = {
  readonly kind: 'charge' | 'refund' | 'refund_failure'
  /** Of the payment, or of the refund, as the rest of the port calls it. */
  readonly ref: string
  readonly amount: string
  readonly currency: string
  readonly at: Date
}

/** What a message of a provider is about; what has become of it is read from the provider itself. */
export type WebhookEvent = {
  readonly eventId: string
  readonly type: string
  readonly about: 'payment' | 'setup' | 'refund' | 'dispute' | 'method' | 'other'
  readonly objectRef: string
  readonly createdAt: Date
}

export type PaymentAsk = {
  /** payments.id; the provider keeps it beside the payment, so that it can be found by it. */
  readonly paymentId: number
  readonly customerRef: string
  readonly methodRef: string
  readonly amount: string
  readonly currency: string
  /** Nobody is there who could answer a challenge. */
  readonly offSession: boolean
  readonly idempotencyKey: string
}

export interface PaymentProvider {
  readonly id: ProviderId
  /** What a browser loads the provider's script with; null where there is no such script. */
  readonly publishableKey: string | null
  createCustomer(who: {
    clientId: number
    email: string
    name: string
    idempotencyKey: string
  }): Promise<string>
  createSetup(ask: { setupId: number; customerRef: string; idempotencyKey: string }): Promise<ProviderSetup>
  getSetup(ref: string): Promise<ProviderSetup>
  /** Null when it is gone. */
  getMethod(ref: string): Promise<ProviderMethod | null>
  /** One that is gone already is no error. */
  detachMethod(ref: string): Promise<void>
  /** The same key again never charges again. */
  createPayment(ask: PaymentAsk): Promise<ProviderPayment>
  getPayment(ref: string): Promise<ProviderPayment>
  /** By payments.id; undefined when the provider never heard of it. */
  findPayment(paymentId: number): Promise<ProviderPayment | undefined>
  /** What it has become: canceled, or what it had become before. */
  cancelPayment(ref: string, idempotencyKey: string): Promise<ProviderPayment>
  refund(ask: {
    /** payment_refunds.id; the provider keeps it beside the refund, so that it can be found by it. */
    refundId: number
    paymentRef: string
    amount: string
    currency: string
    idempotencyKey: string
  }): Promise<ProviderRefund>
  /** By payment_refunds.id, among those of a payment; undefined when the provider never heard of it. */
  findRefund(paymentRef: string, refundId: number): Promise<ProviderRefund | undefined>
  getRefund(ref: string): Promise<ProviderRefund>
  getDispute(ref: string): Promise<ProviderDispute>
  /** All that moved within a time, in any order. */
  movements(from: Date, until: Date): AsyncIterable<ProviderMovement>
  /** False when no body could make these the headers of a genuine message, so that none need be read. */
  maySign(headers: Readonly<Record<string, string | string[] | undefined>>): boolean
  /** Undefined when no live secret signed these bytes within the last five minutes. Nothing is parsed before that. */
  parseWebhook(
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<WebhookEvent | undefined>
}
