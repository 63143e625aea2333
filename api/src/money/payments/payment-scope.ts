import { sql } from 'kysely'
import type { PaymentProvider } from '#money/payments/providers/payment-provider.ts'
import type { Payments } from '#money/payments/providers/providers.ts'
import type { Context, OutsideContext } from '#platform/context.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transact.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Vault } from '#platform/vault.ts'

declare module '#platform/context.ts' {
  interface Ports {
    readonly payments: Payments
  }
}

/**
 * The dependencies of a verb that calls a payment provider: it writes in short transactions, and calls only
 * between them.
 */
export type PaymentScope = {
  readonly payments: Payments
  readonly vault: Vault
  /** One transaction, committed when `work` resolves. */
  readonly within: <T>(work: (tx: Database) => Promise<T>) => Promise<T>
  /** Receives failures that are retried later, for the log. */
  readonly report?: (error: unknown) => void
}

/** The payment scope of a request. */
export const paymentScopeOf = ({ ports, vault, within }: OutsideContext): PaymentScope => ({
  payments: ports.payments,
  vault,
  within: (work) => within(({ tx }: Context) => work(tx)),
})

/** The payment scope of a job. */
export const paymentScopeOn = (
  parts: { pool: Pool; vault: Vault; payments: Payments },
  report?: PaymentScope['report'],
): PaymentScope => ({
  payments: parts.payments,
  vault: parts.vault,
  ...(report && { report }),
  within: (work) => transact(parts.pool.kysely, 'read write', work),
})

/** The provider of a row. Throws `provider_out_of_use` when it is no longer configured. */
export function providerOf({ payments }: PaymentScope, id: string): PaymentProvider {
  const provider = payments.of(id)
  if (!provider) throw refuse('provider_out_of_use')
  return provider
}

/** The result of `work`, or of `late` when the waiting time is over; the work continues. */
export function inTime<T>(
  { payments }: PaymentScope,
  work: Promise<T>,
  late: () => T | Promise<T>,
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(Promise.resolve().then(late)), payments.patienceMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/** A provider's answer for a waiting person. Throws `provider_unavailable` when it fails or is too late. */
export const answered = <T>(paymentScope: PaymentScope, call: Promise<T>): Promise<T> =>
  inTime(paymentScope, call, () =>
    unreached(new Error(`no answer within ${paymentScope.payments.patienceMs} ms`)),
  ).catch(unreached)

/** Maps a provider failure to a refusal. */
const unreached = (cause: unknown): never => {
  throw refuse(
    'provider_unavailable',
    {},
    {
      cause,
    },
  )
}

/**
 * The account to bill, whose billing the actor must have access to. Throws `billing_not_open`, whether it
 * exists or not.
 */
export function billedAccount(actor: Context['actor'], account: number | undefined): number {
  const id = account ?? actor.id
  if (!actor.owners('billing').includes(id))
    throw refuse(
      'billing_not_open',
      {},
      {
        source: { pointer: '/data/attributes/client_id' },
      },
    )
  return id
}

/** Real time by the database that wrote `begun_at`. */
export async function realNow({ within }: PaymentScope): Promise<number> {
  const { rows } = await within((tx) => sql<{ now: string }>`select now() as now`.execute(tx))
  return Date.parse(rows[0]?.now ?? '')
}
