import { SandboxProvider } from '#money/payments/providers/sandbox/sandbox-provider.ts'
import { StripeProvider, type StripeSettings } from '#money/payments/providers/stripe/stripe-provider.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { PaymentProvider } from './payment-provider.ts'

/** The provider for new cards and payments, and access to former ones. */
export type Payments = {
  readonly current: PaymentProvider
  /** Whether cards are taken: false where real money is expected and no provider is configured. `current` then refuses. */
  readonly isOpen: boolean
  /** Undefined when it is no longer configured. */
  of(id: string): PaymentProvider | undefined
  /** Undefined where real money is taken. */
  readonly sandbox: SandboxProvider | undefined
  /** The time in milliseconds that a person waits for a provider. The call continues without them. */
  readonly patienceMs: number
}

// The server closes a connection that is silent for 7 seconds (`server-options.ts`).
const patienceMs = 5000

/** The current configuration: keys of Stripe, or whether the sandbox may stand in. */
type Configured = {
  readonly stripe: StripeSettings | undefined
  readonly sandbox?: boolean | undefined
}

/**
 * Stripe when configured, else the sandbox where it is allowed; never both, so that a test card cannot pay for a real service.
 * `configured` is read at each use, because keys may be entered while the portal runs.
 */
export function makePayments(
  configured: Configured,
  sandboxParts: ConstructorParameters<typeof SandboxProvider>[0],
): Payments {
  const ownSandbox = new SandboxProvider(sandboxParts)
  let made: { readonly of: StripeSettings; readonly provider: StripeProvider } | undefined
  const stripe = (): StripeProvider | undefined => {
    const settings = configured.stripe
    if (settings === undefined) return undefined
    if (made?.of !== settings) made = { of: settings, provider: new StripeProvider(settings) }
    return made.provider
  }
  const sandbox = () =>
    configured.stripe === undefined && configured.sandbox !== false ? ownSandbox : undefined
  const open = (): PaymentProvider | undefined => stripe() ?? sandbox()
  return {
    get current() {
      const provider = open()
      if (provider === undefined) throw refuse('payments_not_open')
      return provider
    },
    get isOpen() {
      return open() !== undefined
    },
    get sandbox() {
      return sandbox()
    },
    of: (id) => (open()?.id === id ? open() : undefined),
    patienceMs,
  }
}
