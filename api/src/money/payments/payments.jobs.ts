import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import { chargeIfLow, requestAllAutoBilling } from '#money/payments/automatic/automated-billing.ts'
import { detachCard, tendCards } from '#money/payments/cards/cards.ts'
import { deliverSandbox, tendSandbox } from '#money/payments/providers/sandbox/sandbox-store.ts'
import { pruneKeys } from '#platform/jsonapi/write/prune-keys.ts'
import { requestForgotten } from './forgotten-payments.ts'
import { lookAt, pollPayments, processEvent } from './inbox.ts'
import { reconcile } from './reconcile.ts'
import { sendRefund } from './refunds.ts'
import { type Till, tillOn } from './till.ts'

const aboutClient = z.object({ clientId: z.int() })
const aboutCard = z.object({ provider: z.string(), ref: z.string() })
const aboutPayment = z.object({ paymentId: z.int() })
const aboutRefund = z.object({ refundId: z.int() })
const aboutMessage = z.object({ eventId: z.string(), type: z.string(), ref: z.string() })
const aboutEvent = z.object({
  provider: z.string(),
  about: z.enum(['payment', 'setup', 'refund', 'dispute', 'method', 'other']),
  objectRef: z.string(),
})

/** What the payment jobs are handed. */
export type Cashier = Parameters<typeof tillOn>[0]

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

/** What the jobs of payments do: each a line to a service. */
export function paymentTasks(parts: Cashier, bounded: Bounded) {
  const job = (work: (till: Till, payload: unknown) => Promise<unknown>) =>
    bounded(async (payload, { logger }) => {
      const till = tillOn(parts, (error) => logger.error(`A payment is tried again later: ${String(error)}`))
      await work(till, payload)
    })
  return {
    'card.detach': job((till, payload) => {
      const { provider, ref } = z.parse(aboutCard, payload)
      return detachCard(till, provider, ref)
    }),
    'payment.event': job((till, payload) => processEvent(till, z.parse(aboutEvent, payload))),
    'payment.look': job((till, payload) => lookAt(till, z.parse(aboutPayment, payload).paymentId)),
    'payment.refund': job((till, payload) => sendRefund(till, z.parse(aboutRefund, payload).refundId)),
    'billing.auto': job((till, payload) => chargeIfLow(till, z.parse(aboutClient, payload).clientId)),
    'sandbox.deliver': job((till, payload) => deliverSandbox(till, z.parse(aboutMessage, payload))),
    'payments.poll': job(async (till) => {
      // First, because it asks nobody outside: however long payments take, it is done.
      await requestForgotten(till)
      await pollPayments(till)
    }),
    'payments.reconcile': bounded((_, { logger }) => reconcile(tillOn(parts), (what) => logger.error(what))),
    'payments.tend': job(async (till) => {
      await tendCards(till)
      if (till.payments.sandbox) await tendSandbox(till)
      await requestAllAutoBilling(till)
    }),
    'keys.prune': bounded(() => pruneKeys(parts.pool.kysely)),
  }
}
