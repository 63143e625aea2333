import Big from 'big.js'
import type { Database } from '#platform/db/pool.ts'

/** A client's current holdings, exact: net prepaid money, promotional credit, and VAT owed (negative). */
export type Held = { readonly balance: Big; readonly credit: Big; readonly vatDue: Big }

const accountsOf = (tx: Database, clientId: number) =>
  tx.selectFrom('ledger_accounts').select(['kind', 'balance']).where('client_id', '=', clientId).orderBy('id')

function heldIn(accounts: readonly { readonly kind: string; readonly balance: string }[]): Held {
  const of = (kind: string) => new Big(accounts.find((account) => account.kind === kind)?.balance ?? 0)
  return { balance: of('client_balance'), credit: of('client_credit'), vatDue: of('client_vat_due') }
}

/** Reads a client's holdings, and blocks other postings for the client until the caller commits. */
export async function holdAccounts(tx: Database, clientId: number): Promise<Held> {
  return heldIn(await accountsOf(tx, clientId).forNoKeyUpdate().execute())
}

/** Reads a client's holdings, which may change at any time. */
export async function readAccounts(tx: Database, clientId: number): Promise<Held> {
  return heldIn(await accountsOf(tx, clientId).execute())
}

/** Whether a posting with this key exists. The caller holds the client's accounts. */
export async function isPosted(tx: Database, key: string): Promise<boolean> {
  const found = await tx
    .selectFrom('ledger_transactions')
    .select('id')
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return found !== undefined
}
