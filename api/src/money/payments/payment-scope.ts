import { sql } from 'kysely'
import type { PaymentProvider } from '#money/payments/providers/payment-provider.ts'
import type { Payments } from '#money/payments/providers/providers.ts'
import type { Context, OutsideContext } from '#platform/context.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import type { Vault } from '#platform/vault.ts'

declare module '#platform/context.ts' {
  interface Ports {
    readonly payments: Payments
  }
}

/**
 * What a verb works with that speaks with a provider of payments: it writes in short transactions, and calls between them,
 * never inside of one.
 */
export type PaymentScope = {
  readonly payments: Payments
  readonly vault: Vault
  /** One transaction, committed when `work` resolves. */
  readonly within: <T>(work: (tx: Database) => Promise<T>) => Promise<T>
  /** Hears of what failed and is tried again later, so that it does not pass unseen. */
  readonly report?: (error: unknown) => void
}

/** The till of a request. */
export const paymentScopeOf = ({ ports, vault, within }: OutsideContext): PaymentScope => ({
  payments: ports.payments,
  vault,
  within: (work) => within(({ tx }: Context) => work(tx)),
})

/** The till of a job. */
export const paymentScopeOn = (
  parts: { pool: Pool; vault: Vault; payments: Payments },
  report?: PaymentScope['report'],
): PaymentScope => ({
  payments: parts.payments,
  vault: parts.vault,
  ...(report && { report }),
  within: (work) => parts.pool.kysely.transaction().execute(work),
})

/** The provider that a row is kept at. Throws the Problem `provider_out_of_use` when it is not set up any more. */
export function providerOf({ payments }: PaymentScope, id: string): PaymentProvider {
  const provider = payments.of(id)
  if (!provider) throw refuse('provider_out_of_use')
  return provider
}

/** What comes of `work`, or what `late` says when a person has waited for long enough; the work goes on meanwhile. */
export function inTime<T>(
  { payments }: PaymentScope,
  work: Promise<T>,
  late: () => T | Promise<T>,
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(() => resolve(Promise.resolve().then(late)), payments.patienceMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/** What a provider answers to a person. Throws the Problem `provider_unavailable` when it does not, or too late. */
export const answered = <T>(paymentScope: PaymentScope, call: Promise<T>): Promise<T> =>
  inTime(paymentScope, call, () =>
    unreached(new Error(`no answer within ${paymentScope.payments.patienceMs} ms`)),
  ).catch(unreached)

/** What a provider that does not answer is told as. */
const unreached = (cause: unknown): never => {
  throw refuse(
    'provider_unavailable',
    {},
    {
      cause,
    },
  )
}

/** Whose something becomes: an account whose billing is open to the actor. Throws `billing_not_open`, whether it exists or not. */
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

/** Real time, as the database that wrote `begun_at` has it. */
export async function realNow({ within }: PaymentScope): Promise<number> {
  const { rows } = await within((tx) => sql<{ now: string }>`select now() as now`.execute(tx))
  return Date.parse(rows[0]?.now ?? '')
}
