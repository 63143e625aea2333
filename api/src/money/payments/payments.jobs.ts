import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import { chargeIfLow, requestAllAutoBilling } from '#money/payments/automatic/automated-billing.ts'
import { detachCard, processExpiringCards } from '#money/payments/cards/cards.ts'
import { setOffAllDebts } from '#money/payments/disputes/debts.ts'
import { advanceDisputes, deliverSandbox } from '#money/payments/providers/sandbox/sandbox-store.ts'
import { pruneKeys } from '#platform/jsonapi/write/prune-keys.ts'
import { readBalances } from './balances/read-balances.ts'
import { checkPayment, pollPayments, processEvent } from './inbox.ts'
import { requestForgotten } from './late/forgotten-payments.ts'
import { type PaymentScope, paymentScopeOn } from './payment-scope.ts'
import { reconcile } from './reconcile.ts'
import { sendRefund } from './refunds/refunds.ts'

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

/** The dependencies of the payment jobs. */
export type PaymentJobParts = Parameters<typeof paymentScopeOn>[0]

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

/** The payment jobs; each calls one service function. */
export function paymentTasks(parts: PaymentJobParts, bounded: Bounded) {
  const job = (work: (paymentScope: PaymentScope, payload: unknown) => Promise<unknown>) =>
    bounded(async (payload, { logger }) => {
      const paymentScope = paymentScopeOn(parts, (error) =>
        logger.error(`A payment will be retried later: ${String(error)}`),
      )
      await work(paymentScope, payload)
    })
  return {
    'card.detach': job((paymentScope, payload) => {
      const { provider, ref } = z.parse(aboutCard, payload)
      return detachCard(paymentScope, provider, ref)
    }),
    'payment.event': job((paymentScope, payload) => processEvent(paymentScope, z.parse(aboutEvent, payload))),
    'payment.look': job((paymentScope, payload) =>
      checkPayment(paymentScope, z.parse(aboutPayment, payload).paymentId),
    ),
    'payment.refund': job((paymentScope, payload) =>
      sendRefund(paymentScope, z.parse(aboutRefund, payload).refundId),
    ),
    'billing.auto': job((paymentScope, payload) =>
      chargeIfLow(paymentScope, z.parse(aboutClient, payload).clientId),
    ),
    'sandbox.deliver': job((paymentScope, payload) =>
      deliverSandbox(paymentScope, z.parse(aboutMessage, payload)),
    ),
    'payments.poll': job(async (paymentScope) => {
      // First, because these make no outside call and so run even when payments are slow.
      await requestForgotten(paymentScope)
      await setOffAllDebts(paymentScope)
      await pollPayments(paymentScope)
    }),
    'payments.reconcile': bounded(async (_, { logger }) => {
      if (!parts.payments.isOpen) return
      const paymentScope = paymentScopeOn(parts)
      await reconcile(paymentScope, (what) => logger.error(what))
      // After the fees of the provider, which are among what it holds.
      await readBalances(paymentScope)
    }),
    'payments.tend': job(async (paymentScope) => {
      await processExpiringCards(paymentScope)
      if (paymentScope.payments.sandbox) await advanceDisputes(paymentScope)
      await requestAllAutoBilling(paymentScope)
    }),
    'keys.prune': bounded(() => pruneKeys(parts.pool.kysely)),
  }
}
