import { SandboxProvider } from '#money/payments/providers/sandbox/sandbox-provider.ts'
import { StripeProvider, type StripeSettings } from '#money/payments/providers/stripe/stripe-provider.ts'
import type { PaymentProvider } from './payment-provider.ts'

/** The provider for new cards and payments, and access to former ones. */
export type Payments = {
  readonly current: PaymentProvider
  /** Undefined when it is no longer configured. */
  of(id: string): PaymentProvider | undefined
  /** Undefined where real money is taken. */
  readonly sandbox: SandboxProvider | undefined
  /** The time in milliseconds that a person waits for a provider. The call continues without them. */
  readonly patienceMs: number
}

// The server closes a connection that is silent for 7 seconds (`server-options.ts`).
const patienceMs = 5000

/**
 * Stripe when configured, else the sandbox; never both, so that a test card cannot pay for a real service.
 */
export function makePayments(
  stripe: StripeSettings | undefined,
  sandboxParts: ConstructorParameters<typeof SandboxProvider>[0],
): Payments {
  const sandbox = stripe ? undefined : new SandboxProvider(sandboxParts)
  const current = stripe ? new StripeProvider(stripe) : sandbox
  if (!current) throw new Error('No payment provider is configured.')
  return { current, of: (id) => (id === current.id ? current : undefined), sandbox, patienceMs }
}
