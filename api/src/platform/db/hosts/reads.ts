import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Pool, Row, Runner, Statement } from '#platform/db/pool.ts'
import { isSqlState } from '#platform/db/sql-states.ts'

/** Counts of the reads that a replica may answer: `replica`, or the reason why the primary answered. */
export const readOutcomes = ['replica', 'behind', 'away', 'failed'] as const
export type ReadOutcome = (typeof readOutcomes)[number]

// A replica that works has the last commit after about a millisecond; an export waits longer for its first rows.
const waitMs = 1000
const lookEveryMs = 10
/** The time for which a replica that is away is left alone, because each attempt may cost the limit of the pool. */
const restMs = 5000

const positionSql = `select system_identifier::text as system, current_database() as database,
  pg_current_wal_lsn()::text as position from pg_control_system()`
const stateSql = `select system_identifier::text as system, current_database() as database, pg_is_in_recovery() as follows,
    coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as reached,
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as behind
  from pg_control_system()`

type Position = { readonly system: string; readonly database: string; readonly position: string }
type State = {
  readonly system: string
  readonly database: string
  readonly follows: boolean
  readonly reached: boolean
  /** Seconds; null before the first transaction that it has replayed. */
  readonly behind: number | null
}

/** Why a server is not the replica of the primary; undefined when it is. */
function mistakenFor(primary: Position, found: State): string | undefined {
  if (found.system !== primary.system || found.database !== primary.database)
    return 'it has another database than DATABASE_URL'
  return found.follows ? undefined : 'it is not a standby'
}

/**
 * Where reads of much data run: on a replica when it is there and current enough, else on the primary. A read sees
 * everything that was committed anywhere before it began, so a person sees their own writes, whichever process took them.
 */
export class Reads implements Runner {
  readonly #primary: Pool
  readonly #replica: Pool | undefined
  readonly #log: Logger | undefined
  readonly #counts: Record<ReadOutcome, number> = { replica: 0, behind: 0, away: 0, failed: 0 }
  #restsUntil = 0
  #fault: string | undefined

  constructor(primary: Pool, replica?: Pool, log?: Logger) {
    this.#primary = primary
    this.#replica = replica
    this.#log = log
  }

  /** Whether there is a replica, and how often each outcome happened. */
  get counts(): Readonly<Record<ReadOutcome, number>> | undefined {
    return this.#replica && this.#counts
  }

  /**
   * Runs a read; again on the primary when the replica fails, so it must have no effect. With `mostLagSeconds` it may be
   * that old.
   */
  async use<T>(read: (pool: Pool) => Promise<T>, mostLagSeconds = 0): Promise<T> {
    const replica = this.#replica
    if (replica === undefined || !(await this.#isUsable(mostLagSeconds))) return read(this.#primary)
    try {
      const result = await read(replica)
      this.#counts.replica += 1
      return result
    } catch (error) {
      // A statement that took too long there would take too long here, and cost the primary as much.
      if (isSqlState(error, 'queryCanceled')) throw error
      this.#counts.failed += 1
      return read(this.#primary)
    }
  }

  /** Runs one statement that reads. */
  run<R extends Row = Row>(statement: Statement): Promise<R[]> {
    return this.use((pool) => pool.run<R>(statement))
  }

  /** By how many seconds the replica is behind. Throws when it cannot be used, or the primary does not answer. */
  async lag(): Promise<number> {
    return this.#lagBehind(await this.#position())
  }

  async close(): Promise<void> {
    await this.#replica?.close()
  }

  async #isUsable(mostLagSeconds: number): Promise<boolean> {
    if (performance.now() < this.#restsUntil) {
      this.#counts.away += 1
      return false
    }
    try {
      // A primary that takes no writes has no position either; what it holds can be read all the same.
      const lag = await this.lag()
      this.#report(undefined)
      if (lag <= mostLagSeconds) return true
      this.#counts.behind += 1
    } catch (error) {
      this.#counts.away += 1
      this.#restsUntil = performance.now() + restMs
      this.#report(error instanceof Error ? error.message : String(error))
    }
    return false
  }

  async #position(): Promise<Position> {
    const [found] = await this.#primary.run<Position>({ sql: positionSql, values: [] })
    if (found === undefined) throw new Error('The statement always has one row.')
    return found
  }

  /** Waits a moment for the replica to reach a position of the primary; returns by how many seconds it is behind. */
  async #lagBehind(primary: Position): Promise<number> {
    const deadline = performance.now() + waitMs
    for (;;) {
      const rows = await this.#replica?.run<State>({ sql: stateSql, values: [primary.position] })
      const [state] = rows ?? []
      if (state === undefined) throw new Error('there is none')
      const fault = mistakenFor(primary, state)
      if (fault !== undefined) throw new Error(fault)
      if (state.reached) return 0
      if (performance.now() > deadline) return state.behind ?? Number.POSITIVE_INFINITY
      await sleep(lookEveryMs)
    }
  }

  /** Logs the first of a row of failures, and the end of it. */
  #report(fault: string | undefined): void {
    if (fault === this.#fault) return
    this.#fault = fault
    if (fault === undefined) this.#log?.info('The replica of DATABASE_READ_URL is used again.')
    else this.#log?.warn({ fault }, 'The replica of DATABASE_READ_URL is not used; the primary is read.')
  }
}
