import { isSqlState } from '#platform/db/sql-states.ts'
import { isReadOnly } from '#platform/db/stale-connection.ts'

/** Why a database that can be read takes no writes. */
export type RefusedReason = 'disk_full' | 'read_only'

const recentMs = 60_000

/** The reason why the database refused to write; undefined for any other failure. */
export function refusedReason(error: unknown): RefusedReason | undefined {
  if (isSqlState(error, 'diskFull')) return 'disk_full'
  return isReadOnly(error) ? 'read_only' : undefined
}

/** The writes that the database refused to one pool. */
export class RefusedWrites {
  readonly counts: Record<RefusedReason, number> = { disk_full: 0, read_only: 0 }
  #wasFullAt = Number.NEGATIVE_INFINITY

  /** Counts a failure, if it is such a refusal. */
  note(error: unknown): void {
    const reason = refusedReason(error)
    if (reason === undefined) return
    this.counts[reason] += 1
    if (reason === 'disk_full') this.#wasFullAt = performance.now()
  }

  /** Whether the disk was full within the last minute. Only a write finds out, unlike for a read-only database. */
  get wasFull(): boolean {
    return performance.now() - this.#wasFullAt < recentMs
  }
}
