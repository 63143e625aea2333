// The port of payment providers. Amounts are exact decimals in the currency's own unit, as text. A definite
// answer is returned, including a refusal; an exception means that the outcome is unknown and must be checked
// again.

export type ProviderId = 'stripe' | 'sandbox'

/** A card as a provider stores it. Never its number. */
export type ProviderMethod = {
  readonly ref: string
  readonly customerRef: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  /** ISO 3166, where the provider knows it. */
  readonly country: string | null
  /** Equal for equal numbers. */
  readonly fingerprint: string
}

export type ProviderStatus = 'requires_action' | 'processing' | 'succeeded' | 'failed' | 'canceled'

/**
 * The data with which the person's browser continues: a secret for the provider's script, or a page to open.
 */
type Next = { readonly clientSecret: string | null; readonly challengeUrl: string | null }

export type ProviderSetup = Next & {
  readonly ref: string
  readonly status: ProviderStatus
  readonly method: ProviderMethod | null
  readonly errorCode: string | null
}

/** The part of the money of a payment that a provider has at the moment of its answer. */
export type ProviderHolding = {
  /** The received amount, less refunds, and less disputes that were not won. */
  readonly left: string
  /** A dispute is open, whose end decides what is left. */
  readonly isDisputed: boolean
  /** All that were ever opened, in the states of this answer. */
  readonly disputes: readonly ProviderDispute[]
  /** When it received the money; null where it does not say so. */
  readonly receivedAt: Date | null
}

/** Of a payment without money. */
export const nothingHeld: ProviderHolding = {
  left: '0.00',
  isDisputed: false,
  disputes: [],
  receivedAt: null,
}

export type ProviderPayment = Next & {
  /** Null when the provider refused it without a record. */
  readonly ref: string | null
  readonly status: ProviderStatus
  readonly amount: string
  readonly amountReceived: string
  /** ISO 4217, in capitals. */
  readonly currency: string
  readonly failureCode: string | null
  readonly failureMessage: string | null
  /** Complete in the answer of `getPayment`; that of a call which moves money knows nothing of what happened since. */
  readonly holding: ProviderHolding
}

export type ProviderRefund = {
  readonly ref: string | null
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly failureCode: string | null
}

export type ProviderSum = { readonly amount: string; readonly currency: string }

export type ProviderDispute = {
  readonly ref: string
  readonly paymentRef: string
  readonly amount: string
  /** ISO 4217, in capitals. */
  readonly currency: string
  /** `won` also when it ended without a loss: an inquiry of the bank, or a prevented dispute. */
  readonly status: 'open' | 'won' | 'lost'
  /** The provider's fees for it so far, less those returned; null when the provider does not report them. */
  readonly fee: ProviderSum | null
  /** The last moment for evidence; null where the provider says none. */
  readonly answerBy: Date | null
}

export type DisputeAnswer = {
  readonly ref: string
  readonly text: string
  /** The client, as the provider compares them with the holder of the card. */
  readonly name: string
  readonly email: string
  readonly idempotencyKey: string
}

/**
 * Money that a provider took or refunded, in the currency of the payment, or that returned because a refund
 * failed later.
 */
export type ProviderMovement = {
  readonly kind: 'charge' | 'refund' | 'refund_failure'
  /** The port's reference of the payment or the refund. */
  readonly ref: string
  /** Whose card was charged; null of a refund, and where the provider does not say. */
  readonly customerRef: string | null
  readonly amount: string
  readonly currency: string
  /** The fee of the provider, below zero if it gave one back, in the currency of its account; null where it took nothing. */
  readonly fee: ProviderSum | null
  readonly at: Date
}

/**
 * Money that moved on the account at a provider without a client: paid out to the bank, below zero, or back from it; or changed
 * by the provider, once out of one currency and once into another, with the same reference.
 */
export type ProviderTransfer = ProviderSum & {
  readonly kind: 'payout' | 'exchange'
  readonly ref: string
  readonly at: Date
}

/** The object of a provider's message; its state is read from the provider. */
export type WebhookEvent = {
  readonly eventId: string
  readonly type: string
  readonly about: 'payment' | 'setup' | 'refund' | 'dispute' | 'method' | 'other'
  readonly objectRef: string
  readonly createdAt: Date
}

export type PaymentAsk = {
  /** payments.id; stored in the provider's metadata for lookup. */
  readonly paymentId: number
  readonly customerRef: string
  readonly methodRef: string
  readonly amount: string
  readonly currency: string
  /** No person is present to answer a challenge. */
  readonly offSession: boolean
  readonly idempotencyKey: string
}

export interface PaymentProvider {
  readonly id: ProviderId
  /** The key of the provider's browser script; null where there is no script. */
  readonly publishableKey: string | null
  createCustomer(who: {
    clientId: number
    email: string
    name: string
    idempotencyKey: string
  }): Promise<string>
  createSetup(ask: { setupId: number; customerRef: string; idempotencyKey: string }): Promise<ProviderSetup>
  getSetup(ref: string): Promise<ProviderSetup>
  /** Null when it was deleted. */
  getMethod(ref: string): Promise<ProviderMethod | null>
  /** Idempotent. */
  detachMethod(ref: string): Promise<void>
  /** The same key never charges twice. Undefined when it was used for another request, so that this one charges nothing. */
  createPayment(ask: PaymentAsk): Promise<ProviderPayment | undefined>
  getPayment(ref: string): Promise<ProviderPayment>
  /**
   * By payments.id, customer and sum, because a restored database may have given the id to another payment. Undefined when the provider
   * has no such payment.
   */
  findPayment(asked: PaymentAsk): Promise<ProviderPayment | undefined>
  /** The resulting state: canceled, or final before that. */
  cancelPayment(ref: string, idempotencyKey: string): Promise<ProviderPayment>
  refund(ask: {
    /** payment_refunds.id; stored in the provider's metadata for lookup. */
    refundId: number
    paymentRef: string
    amount: string
    currency: string
    idempotencyKey: string
  }): Promise<ProviderRefund>
  /** By payment_refunds.id, among those of a payment; undefined when the provider has no such refund. */
  findRefund(paymentRef: string, refundId: number): Promise<ProviderRefund | undefined>
  getRefund(ref: string): Promise<ProviderRefund>
  getDispute(ref: string): Promise<ProviderDispute>
  /** Sends evidence against a dispute, which the provider takes once; false when it refuses it. */
  answerDispute(ask: DisputeAnswer): Promise<boolean>
  /** All movements within a time, in any order. */
  movements(from: Date, until: Date): AsyncIterable<ProviderMovement>
  /** All transfers within a time, in any order. */
  transfers(from: Date, until: Date): AsyncIterable<ProviderTransfer>
  /** The amount that the provider holds for the operator in each currency, also the part that it does not pay out yet. */
  holds(): Promise<readonly ProviderSum[]>
  /** False when the headers cannot belong to a genuine message, so that the body need not be read. */
  maySign(headers: Readonly<Record<string, string | string[] | undefined>>): boolean
  /**
   * Undefined when no active secret signed these bytes within the last five minutes. Nothing is parsed before
   * that.
   */
  parseWebhook(
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<WebhookEvent | undefined>
}
