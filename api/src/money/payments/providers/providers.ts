import { SandboxProvider } from '#money/payments/providers/sandbox/sandbox-provider.ts'
import { StripeProvider, type StripeSettings } from '#money/payments/providers/stripe/stripe-provider.ts'
import type { PaymentProvider } from './payment-provider.ts'

/** The provider that new cards and payments go to, and the way to those of older ones. */
export type Payments = {
  readonly current: PaymentProvider
  /** Undefined when it is not set up any more. */
  of(id: string): PaymentProvider | undefined
  /** Undefined where real money is taken. */
  readonly sandbox: SandboxProvider | undefined
  /** How many milliseconds a person is kept waiting for a provider. What was asked goes on without them. */
  readonly patienceMs: number
}

// The server closes a connection on which nothing was said for 7 seconds (`server-options.ts`).
const patienceMs = 5000

/** Stripe where it is set up, and else the sandbox; never both, so that a pretended card cannot pay for a real service. */
export function makePayments(
  stripe: StripeSettings | undefined,
  sandboxParts: ConstructorParameters<typeof SandboxProvider>[0],
): Payments {
  const sandbox = stripe ? undefined : new SandboxProvider(sandboxParts)
  const current = stripe ? new StripeProvider(stripe) : sandbox
  if (!current) throw new Error('There is no provider of payments.')
  return { current, of: (id) => (id === current.id ? current : undefined), sandbox, patienceMs }
}
