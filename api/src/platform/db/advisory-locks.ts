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
  firstAdmin: 7_067_842_307,
} as const

/** The kinds of rows that are limited per account. */
const countedKinds = { invitations: 22, addresses: 23 } as const

/**
 * Serializes transactions that count an account's rows and then add to them: concurrent ones could otherwise
 * exceed a limit. Taken before any row lock, so that its holder never waits for a row.
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
