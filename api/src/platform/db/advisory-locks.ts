/**
 * Every advisory lock with a number of its own. Functions in `functions/` write the number out; those with two numbers are a kind
 * and an id: (21, client) counts a client's tickets, and (1645, engine) an engine's use.
 */
export const advisoryLocks = {
  migrations: 7_067_842_301,
  jobTables: 7_067_842_302,
  demoAccounts: 7_067_842_303,
  /** Taken by `usage_partitions`. */
  usagePartitions: 7_067_842_304,
  /** Taken by `usage_rate` and `prices_arrived`, too. */
  usageRating: 7_067_842_305,
  demoMoney: 7_067_842_306,
} as const
