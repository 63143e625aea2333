import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { Problem, type Refusal, reason } from '#platform/errors/problem.ts'

/** One entry of a transaction: an account by its code, and an exact decimal, + credit and − debit. */
export type Entry = { readonly account: string; readonly amount: string }

/** The ledger's kinds of transactions; see migration 0012. */
export type Kind =
  | 'opening'
  | 'deposit'
  | 'promo'
  | 'promo_expiry'
  | 'service_bill'
  | 'bill_payment'
  | 'refund'
  | 'dispute'
  | 'correction'
  | 'write_off'
  | 'goodwill'
  | 'reversal'
  | 'provider_fee'
  | 'adjustment'
  | 'bank_receipt'
  | 'bank_release'

export type Posting = {
  /** The idempotency key of the fact, so that it is posted once. */
  readonly key: string
  readonly kind: Kind
  /** clients.id; null for what concerns no client. */
  readonly clientId: number | null
  /** ISO 4217, the client's currency. */
  readonly currency: string
  /** The UTC day that it counts for; by default today by the business clock. */
  readonly on?: string | undefined
  readonly entries: readonly Entry[]
  /** The row that caused it. */
  readonly source?: { readonly type: string; readonly id: number } | undefined
  /** ledger_transactions.id of the transaction that it reverses. */
  readonly reverses?: number | undefined
}

/** `posted` is false when the same posting already existed. The id is that of ledger_transactions. */
export type Posted = { readonly id: number; readonly posted: boolean }

// Database errors that the caller's input, and not the code, may cause.
const refusals: Readonly<Record<string, Refusal>> = {
  LG002: reason('ledger_key_reused'),
  LG003: reason('already_reversed'),
  ledger_accounts_credit_not_negative: reason('credit_insufficient'),
}

function throwRefusal(error: unknown): never {
  if (!(error instanceof Error)) throw error
  const names = ['code', 'constraint'].map((name) => String(Reflect.get(error, name)))
  const refusal = names.map((name) => refusals[name]).find((known) => known !== undefined)
  if (refusal) throw new Problem(refusal, { cause: error })
  throw error
}

/**
 * Posts one ledger transaction, in the caller's database transaction; the only way to move money. The
 * client's accounts are locked until the caller commits. Throws `ledger_key_reused`, `already_reversed`, and
 * `credit_insufficient` when credit would go below zero.
 */
export async function post(tx: Database, posting: Posting): Promise<Posted> {
  const { key, kind, clientId, currency, on, entries, source, reverses } = posting
  const { rows } =
    await sql<Posted>`select id, posted from ledger_post(${key}, ${kind}, ${clientId}, ${currency},
    coalesce(${on ?? null}::date, clock_today()), ${JSON.stringify(entries)}::jsonb, ${source?.type ?? null}, ${source?.id ?? null}, ${reverses ?? null})`
      .execute(tx)
      .catch(throwRefusal)
  const [posted] = rows
  if (!posted) throw new Error('The ledger returned no row.')
  return posted
}

/** Posts several transactions as `post` does each, in this order; ids in the same order. */
export async function postAll(tx: Database, postings: readonly Posting[]): Promise<readonly Posted[]> {
  const all = postings.map(({ key, kind, clientId, currency, on, entries, source }, place) => ({
    place,
    key,
    kind,
    client: clientId,
    currency,
    day: on ?? null,
    entries,
    source_type: source?.type ?? null,
    source_id: source?.id ?? null,
  }))
  const { rows } =
    await sql<Posted>`select id, posted from ledger_post_all(${JSON.stringify(all)}::jsonb) order by place`
      .execute(tx)
      .catch(throwRefusal)
  return rows
}
