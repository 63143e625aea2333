import { createHash, timingSafeEqual } from 'node:crypto'
import { minorUnits } from '@portico/contract/rules/money/minor-units.ts'
import Big from 'big.js'
import {
  nothingHeld,
  type ProviderDispute,
  type ProviderPayment,
  type ProviderRefund,
} from '#money/payments/providers/payment-provider.ts'

/** The stored data of a sandbox object, as JSON. */
export type SandboxBody = Readonly<Record<string, string | number | boolean | null>>
export type SandboxKind = 'customer' | 'method' | 'setup' | 'payment' | 'refund' | 'dispute'
export type SandboxObject = { readonly ref: string; readonly kind: SandboxKind; readonly body: SandboxBody }

/** The storage of the sandbox, and its delayed messages. */
export interface SandboxStore {
  /** Returns the object for this key, creating it if there is none. */
  make(object: SandboxObject, key: string): Promise<SandboxObject>
  get(ref: string): Promise<SandboxObject | undefined>
  byKey(key: string): Promise<SandboxObject | undefined>
  /** The payments and refunds that were made within a time. */
  between(from: Date, until: Date): Promise<(SandboxObject & { readonly at: Date })[]>
  disputes(): Promise<SandboxObject[]>
  /** One change at a time; null leaves it as it is. */
  change(ref: string, by: (body: SandboxBody) => SandboxBody | null): Promise<SandboxObject | undefined>
  /** Sends a delayed message to the portal, more than once, as providers do. */
  announce(type: string, ref: string): Promise<void>
}

/** The path of the challenge page. */
export const challengePath = '/sandbox/challenge'

export const text = (body: SandboxBody, name: string): string => String(body[name] ?? '')
export const orNull = (body: SandboxBody, name: string): string | null => {
  const value = body[name]
  return typeof value === 'string' ? value : null
}

/** The challenge page of an object, while it awaits an answer. */
export function challengeUrlOf({ ref, body }: SandboxObject, publicUrl: string): string | null {
  const token = orNull(body, 'token')
  if (body.status !== 'requires_action' || token === null) return null
  return `${publicUrl}${challengePath}/${ref}/${token}`
}

/** What a provider usually takes for a charge: a part of it, and a fixed amount. */
export const usualFee = ({ amount, currency }: { readonly amount: string; readonly currency: string }) => ({
  amount: new Big(amount).times(0.015).plus(0.25).round(minorUnits(currency)).toFixed(2),
  currency,
})

/** A dispute in the port's form, with the usual fee. */
export const disputeOf = ({ ref, body }: SandboxObject, currency: string): ProviderDispute => ({
  ref,
  paymentRef: text(body, 'paymentRef'),
  amount: text(body, 'amount'),
  currency,
  status: body.status === 'lost' || body.status === 'won' ? body.status : 'open',
  fee: { amount: '15.00', currency },
  answerBy: null,
})

/** Keeps the answer to a dispute; another answer, or one that comes too late, is not taken. */
export const withAnswer =
  (said: string) =>
  (body: SandboxBody): SandboxBody | null =>
    body.status === 'open' && (body.answer === undefined || body.answer === said)
      ? { ...body, answer: said }
      : null

/** The content of a challenge. */
export type Challenge = {
  readonly kind: 'setup' | 'payment'
  readonly open: boolean
  readonly amount: string | null
  readonly currency: string | null
  readonly last4: string
  /** setup_intents.id or payments.id */
  readonly id: number
}

/** A payment in the port's form. */
export function paymentOf(object: SandboxObject, publicUrl: string): ProviderPayment {
  const { ref, body } = object
  // The store holds the sandbox's own data.
  const status = text(body, 'status') as ProviderPayment['status']
  const amount = text(body, 'amount')
  const received = status === 'succeeded' ? amount : '0.00'
  return {
    ref,
    status,
    amount,
    amountReceived: received,
    currency: text(body, 'currency'),
    failureCode: orNull(body, 'failureCode'),
    failureMessage: orNull(body, 'failureMessage'),
    clientSecret: null,
    challengeUrl: challengeUrlOf(object, publicUrl),
    // Its refunds and disputes are of payments that are booked.
    holding: { ...nothingHeld, left: received },
  }
}

/** A refund in the port's form: no money moves, so it succeeds at once. */
export const refundOf = ({ ref }: SandboxObject): ProviderRefund => ({
  ref,
  status: 'succeeded',
  failureCode: null,
})

/** Compares two secrets in constant time. */
export function same(a: string, b: string): boolean {
  const [x, y] = [a, b].map((one) => createHash('sha256').update(one).digest())
  return x !== undefined && y !== undefined && timingSafeEqual(x, y)
}
