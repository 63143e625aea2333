import { lifetimes } from './config.ts'
import type { Deps } from './deps.ts'

/** Deletes what has no more use: expired codes, used refresh tokens, sessions long dead, limits nobody presses against. */
export async function prune({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): Promise<void> {
  const before = (age: number) => new Date(clock.now().getTime() - age).toISOString()
  const doomed: readonly [string, number][] = [
    ['delete from auth_one_time where expires_at < $1', 0],
    ['delete from auth_refresh_tokens where used_at < $1', lifetimes.usedRefreshToken],
    ['delete from auth_sessions where expires_at < $1', lifetimes.deadSession],
    ['delete from auth_throttle where greatest(window_start, blocked_until) < $1', lifetimes.quietThrottle],
  ]
  for (const [sql, age] of doomed) await pool.run({ sql, values: [before(age)] })
}
