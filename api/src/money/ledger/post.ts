import { sql } from 'kysely'
import type { Database } from '#platform/db/pool.ts'
import { Problem, type Refusal, reason } from '#platform/errors/problem.ts'

/** One line of a transaction: an account by its code, and an exact decimal, + credit and − debit. */
export type Entry = { readonly account: string; readonly amount: string }

/** What the books call what happened; see migration 0012. */
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

export type Posting = {
  /** The same fact always has the same key, so that it is posted once however often it is told. */
  readonly key: string
  readonly kind: Kind
  /** clients.id */
  readonly clientId: number
  /** ISO 4217, that of the client. */
  readonly currency: string
  /** The UTC day that it counts for; today by the business clock when it is left out. */
  readonly on?: string | undefined
  readonly entries: readonly Entry[]
  /** The row that it follows from. */
  readonly source?: { readonly type: string; readonly id: number } | undefined
  /** ledger_transactions.id of what it takes back as a whole. */
  readonly reverses?: number | undefined
}

/** `posted` is false when the same was posted before. The id is that of ledger_transactions. */
export type Posted = { readonly id: number; readonly posted: boolean }

// What the database raises where the caller, and not the code, may be at fault.
const refusals: Readonly<Record<string, Refusal>> = {
  LG002: reason('ledger_key_reused'),
  LG003: reason('already_reversed'),
  ledger_accounts_credit_not_negative: reason('credit_insufficient'),
}

function told(error: unknown): never {
  if (!(error instanceof Error)) throw error
  const names = ['code', 'constraint'].map((name) => String(Reflect.get(error, name)))
  const refusal = names.map((name) => refusals[name]).find((known) => known !== undefined)
  if (refusal) throw new Problem(refusal, { cause: error })
  throw error
}

/**
 * Writes one transaction into the books, in the transaction of the caller; the only way to move money. The client's
 * accounts are locked until the caller commits. Throws the Problems `ledger_key_reused`, `already_reversed`, and
 * `credit_insufficient` when credit would go below zero.
 */
export async function post(tx: Database, posting: Posting): Promise<Posted> {
  const { key, kind, clientId, currency, on, entries, source, reverses } = posting
  const { rows } =
    await sql<Posted>`select id, posted from ledger_post(${key}, ${kind}, ${clientId}, ${currency},
    coalesce(${on ?? null}::date, clock_today()), ${JSON.stringify(entries)}::jsonb, ${source?.type ?? null}, ${source?.id ?? null}, ${reverses ?? null})`
      .execute(tx)
      .catch(told)
  const [posted] = rows
  if (!posted) throw new Error('The ledger answered nothing.')
  return posted
}
