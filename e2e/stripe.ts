import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from '@playwright/test'

/** A thing of Stripe's, as its script would know it. */
export type Thing = { readonly id: string; readonly status: string }

export type RunningStripe = {
  /** The environment of a portal that pays through this Stripe. */
  readonly env: Readonly<Record<string, string>>
  /** Simulates an action in Stripe's frame and returns the object of the secret. */
  readonly tell: (secret: string, happens: 'typed' | 'confirmed' | 'seen') => Promise<Thing>
  readonly stop: () => void
}

/** Starts what stands in for Stripe: the server of the unit tests, which holds every request against Stripe's own description. */
export async function startStripe(): Promise<RunningStripe> {
  const program = path.resolve(import.meta.dirname, '../api/test/support/serve-stripe.ts')
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const heard = async () => JSON.parse((await lines.next()).value ?? 'null')
  const { secretKey, publishableKey, webhookSecrets, apiBase } = await heard()
  return {
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecrets.join(','),
      STRIPE_API_BASE: apiBase,
    },
    tell: (secret, happens) => {
      child.stdin.write(`${JSON.stringify({ secret, happens })}\n`)
      return heard()
    },
    stop: () => child.stdin.end(),
  }
}

/** A call of Stripe's script by the page: its name, the client secret, and what else counts. */
export type Called = readonly [name: string, secret: string, more?: string]

/** The answer of the script to a call. */
type Answer = (call: Called) => unknown

// As much of it as the portal calls. Their frame is a text in the place that they are given.
const script = `window.Stripe = Object.assign((key) => {
  const call = (...args) => window.callStripe(args)
  return {
    elements: ({ clientSecret }) => ({
      clientSecret,
      create: (kind) => {
        const heard = {}
        return {
          on: (name, hear) => { heard[name] = hear },
          mount: (place) => {
            place.textContent = 'Card form of ' + key
            call('mount', clientSecret, kind).then(() => heard.ready())
          },
          destroy: () => undefined,
        }
      },
    }),
    confirmSetup: ({ elements, confirmParams }) =>
      call('confirmSetup', elements.clientSecret, confirmParams.return_url),
    retrievePaymentIntent: (secret) => call('retrievePaymentIntent', secret),
    handleNextAction: ({ clientSecret }) => call('handleNextAction', clientSecret),
    confirmCardPayment: (secret, { payment_method }) => call('confirmCardPayment', secret, payment_method),
  }
}, { version: 'endive' })`

/** Serves what stands in for Stripe's script to a page; answers the calls that the page made of it. */
export async function layScript(page: Page, answer: Answer): Promise<Called[]> {
  const calls: Called[] = []
  await page.exposeFunction('callStripe', (call: Called) => {
    calls.push(call)
    return answer(call)
  })
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  return calls
}
