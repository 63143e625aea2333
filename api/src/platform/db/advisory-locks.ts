import { sql } from 'kysely'
import type { Database } from './pool.ts'

/**
 * Every advisory lock with its own number. SQL in `functions/` repeats the numbers; locks with two numbers
 * are a kind and an id: (21, client) counts a client's tickets, and (1645, engine) an engine's usage.
 */
export const advisoryLocks = {
  migrations: 7_067_842_301,
  jobTables: 7_067_842_302,
  demoAccounts: 7_067_842_303,
  /** Also taken by `usage_partitions`. */
  usagePartitions: 7_067_842_304,
  /** Also taken by `usage_rate` and `prices_arrived`. */
  usageRating: 7_067_842_305,
  demoMoney: 7_067_842_306,
} as const

/** Kinds of what is counted of one account before more of it is added. */
const countedKinds = { invitations: 22, addresses: 23 } as const

/**
 * Makes transactions wait for one another that count something of an account and then add to it, or several at once would exceed
 * a limit. It is taken before what is added, so that nobody waits for a row while holding it.
 */
export async function holdCount(
  tx: Database,
  kind: keyof typeof countedKinds,
  client: number,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${countedKinds[kind]}, (${client}::bigint % 2147483647)::int)`.execute(
    tx,
  )
}
