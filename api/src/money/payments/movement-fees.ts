import { sql } from 'kysely'
import { type ProviderFee, providerFees } from '#money/ledger/fees.ts'
import type { ProviderMovement } from '#money/payments/providers/payment-provider.ts'
import type { PaymentScope } from './payment-scope.ts'

/** Postings of one transaction, which holds the provider's accounts. */
const mostAtOnce = 500

type Unposted = { readonly key: string; readonly payment_id: number }

const keyOf = (provider: string, { kind, ref }: ProviderMovement) => `fee:${provider}:${kind}:${ref}`

/** The charges and refunds of our payments whose fees are not posted yet, by the keys of these. */
async function unposted(
  { within }: PaymentScope,
  provider: string,
  movements: readonly ProviderMovement[],
): Promise<Map<string, number>> {
  const [keys, refs] = [movements.map((one) => keyOf(provider, one)), movements.map(({ ref }) => ref)]
  const { rows } = await within((tx) =>
    sql<Unposted>`select m.key, coalesce(p.id, r.payment_id) as payment_id
      from unnest(${keys}::text[], ${refs}::text[]) m (key, ref)
        left join payments p on p.provider = ${provider} and p.provider_ref = m.ref
        left join (payment_refunds r join payments o on o.id = r.payment_id and o.provider = ${provider}) on r.provider_ref = m.ref
      where coalesce(p.id, r.payment_id) is not null
        and not exists (select from ledger_transactions t where t.idempotency_key = m.key)`.execute(tx),
  )
  return new Map(rows.map(({ key, payment_id }) => [key, payment_id]))
}

// The provider lists no more at once than a comparison can hold.
const mostDays = 90

/**
 * The moment from which fees of a provider may be missing: two days before the last one that was posted, however long no
 * comparison succeeded since; `from` where that is earlier.
 */
export async function feesFrom({ within }: PaymentScope, provider: string, from: Date): Promise<Date> {
  const { rows } = await within((tx) =>
    sql<{ at: Date }>`select greatest(least(max(last.at) - interval '2 days', ${from}),
        ${from}::timestamptz - make_interval(days => ${mostDays})) as at
      from ledger_accounts a cross join lateral (
        select t.created_at as at from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        where e.account_id = a.id and starts_with(t.idempotency_key, ${`fee:${provider}:`}) order by e.id desc limit 1) last
      where a.kind = 'psp_fees'`.execute(tx),
  )
  return new Date(rows[0]?.at ?? from)
}

/**
 * Posts what a provider took for the charges and refunds of our payments, each once however often it is listed. Fees of disputes
 * are known by the disputes.
 */
export async function postMovementFees(
  paymentScope: PaymentScope,
  provider: string,
  movements: readonly ProviderMovement[],
): Promise<void> {
  const taken = movements.filter(({ fee }) => fee !== null)
  const payments = await unposted(paymentScope, provider, taken)
  const fees = taken.flatMap((movement): ProviderFee[] => {
    const { fee } = movement
    const key = keyOf(provider, movement)
    const id = payments.get(key)
    // Listed twice, it would be posted twice at once.
    if (fee === null || id === undefined || !payments.delete(key)) return []
    return [{ key, provider, ...fee, source: { type: 'payment', id } }]
  })
  for (let from = 0; from < fees.length; from += mostAtOnce)
    await paymentScope.within((tx) => providerFees(tx, fees.slice(from, from + mostAtOnce)))
}
