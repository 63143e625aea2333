import { hourMs, minuteMs } from '@portico/contract/time.ts'
import Big from 'big.js'
import { sql } from 'kysely'
import type { PaymentProvider, ProviderMovement } from '#money/payments/providers/payment-provider.ts'
import { alertStaff } from '#platform/alerts.ts'
import { feesFrom, postMovementFees } from './movement-fees.ts'
import { type PaymentScope, realNow } from './payment-scope.ts'

// Compares provider transactions with the ledger.

type Ours = {
  readonly ref: string
  readonly kind: ProviderMovement['kind']
  readonly payment_id: number
  readonly amount: string
  readonly currency: string
}

/** A charge or refund on which the provider and the ledger differ; amounts with their currency. */
export type ProviderDifference = {
  readonly kind: ProviderMovement['kind']
  /** The provider's reference. */
  readonly ref: string
  readonly paymentId: number | null
  /** Null: the provider has no record. */
  readonly provider: string | null
  readonly books: string | null
}

// Two days, so that a missed run is made up for.
const windowMs = 48 * hourMs
// A very recent charge may not be recorded yet.
const freshMs = 15 * minuteMs

const sumOf = ({ amount, currency }: { amount: string; currency: string }): string =>
  `${new Big(amount).toFixed(2)} ${currency}`

/** The ledger's side of these, and of everything started or refunded within the window. */
async function inTheBooks(
  { within }: PaymentScope,
  provider: string,
  refs: readonly string[],
  from: string,
): Promise<Ours[]> {
  const psp = sql`ledger_entries e join ledger_accounts a on a.id = e.account_id and a.kind = 'psp_clearing'`
  const wanted = sql`any(${[...refs]}::text[])`
  const { rows } = await within((tx) =>
    sql<Ours>`
      select p.provider_ref as ref, 'charge' as kind, p.id as payment_id, -sum(e.amount) as amount, p.currency
      from payments p join ledger_transactions t on t.client_id = p.client_id and t.source_type = 'payment' and t.source_id = p.id
        join ${psp} on e.transaction_id = t.id and e.amount < 0
      where p.provider = ${provider} and p.settled_at is not null and t.kind <> 'provider_fee'
        and (p.provider_ref = ${wanted} or (p.begun_at >= ${from} and p.begun_at < now() - interval '15 minutes'))
      group by p.id
      union all
      select r.provider_ref, 'refund', p.id, sum(e.amount), p.currency
      from payment_refunds r join payments p on p.id = r.payment_id
        join ${psp} on e.transaction_id = r.ledger_transaction_id
      where p.provider = ${provider} and r.reversal_id is null and (r.provider_ref = ${wanted} or r.updated_at >= ${from})
      group by r.id, p.id`.execute(tx),
  )
  return rows
}

/** Whether a provider confirms an object individually that it did not list. */
async function confirms(provider: PaymentProvider, { kind, ref, amount, currency }: Ours): Promise<boolean> {
  if (kind === 'refund') return (await provider.getRefund(ref)).status === 'succeeded'
  const seen = await provider.getPayment(ref)
  return seen.status === 'succeeded' && new Big(seen.amountReceived).eq(amount) && seen.currency === currency
}

// The provider answers lists, so a refused single read means that the object is missing.
const gone = () => false

function compared(theirs: readonly ProviderMovement[], ours: readonly Ours[]): ProviderDifference[] {
  const known = new Map(ours.map((one) => [`${one.kind} ${one.ref}`, one]))
  return theirs.flatMap((movement) => {
    const { kind, ref } = movement
    const own = known.get(`${kind} ${ref}`)
    const [provider, books] = [sumOf(movement), own ? sumOf(own) : null]
    return provider === books ? [] : [{ kind, ref, paymentId: own?.payment_id ?? null, provider, books }]
  })
}

/** Removes refunds that failed later, which the ledger should not have either. */
function withoutFailed(theirs: readonly ProviderMovement[]): ProviderMovement[] {
  const failed = new Set(theirs.filter(({ kind }) => kind === 'refund_failure').map(({ ref }) => ref))
  return theirs.filter(({ ref }) => !failed.has(ref))
}

/** Differences between the active provider and the ledger over the last two days, whose fees are posted. */
async function differencesWith(paymentScope: PaymentScope): Promise<ProviderDifference[]> {
  const { current } = paymentScope.payments
  const now = await realNow(paymentScope)
  const from = new Date(now - windowMs)
  const all: ProviderMovement[] = []
  const since = await feesFrom(paymentScope, current.id, from)
  for await (const movement of current.movements(since, new Date(now))) all.push(movement)
  await postMovementFees(paymentScope, current.id, all)
  const theirs = all.filter(({ at }) => at >= from)
  const ours = await inTheBooks(
    paymentScope,
    current.id,
    theirs.map(({ ref }) => ref),
    from.toISOString(),
  )
  const kept = withoutFailed(theirs)
  const listed = new Set(kept.map(({ ref }) => ref))
  const silent: ProviderDifference[] = []
  for (const own of ours)
    if (!listed.has(own.ref) && !(await confirms(current, own).catch(gone)))
      silent.push({
        kind: own.kind,
        ref: own.ref,
        paymentId: own.payment_id,
        provider: null,
        books: sumOf(own),
      })
  const settled = kept.filter(({ at }) => at.getTime() < now - freshMs)
  return [...compared(settled, ours), ...silent]
}

/**
 * Posts the fees of the payment provider, compares the ledger with it, passes each difference as a sentence to `tell`, and alerts
 * staff. Returns their number. Rejects when the provider does not answer.
 */
export async function reconcile(
  paymentScope: PaymentScope,
  tell: (sentence: string) => void,
): Promise<number> {
  const differences = await differencesWith(paymentScope)
  for (const difference of differences) {
    const { kind, ref, paymentId, provider, books } = difference
    tell(
      `${kind} ${ref}: ${paymentScope.payments.current.id} has ${provider ?? 'nothing'}, the books have ${books ?? 'nothing'}`,
    )
    await paymentScope.within((tx) => alertStaff(tx, paymentId ?? ref, `reconciliation_${kind}`, difference))
  }
  return differences.length
}
