import Big from 'big.js'
import type { Database } from '#platform/db/pool.ts'

/** What a client holds at this moment, exact: net prepaid money, promotional credit, and VAT that is owed (below zero). */
export type Held = { readonly balance: Big; readonly credit: Big; readonly vatDue: Big }

/** Reads what a client holds, and keeps every other posting for that client waiting until the caller commits. */
export async function holdAccounts(tx: Database, clientId: number): Promise<Held> {
  const accounts = await tx
    .selectFrom('ledger_accounts')
    .select(['kind', 'balance'])
    .where('client_id', '=', clientId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const of = (kind: string) => new Big(accounts.find((account) => account.kind === kind)?.balance ?? 0)
  return { balance: of('client_balance'), credit: of('client_credit'), vatDue: of('client_vat_due') }
}

/** Whether something was posted under this key. Ask while the client's accounts are held. */
export async function isPosted(tx: Database, key: string): Promise<boolean> {
  const found = await tx
    .selectFrom('ledger_transactions')
    .select('id')
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return found !== undefined
}
