import { lifetimes } from './config.ts'
import type { Deps } from './deps.ts'
import { linkPurposes } from './one-time.ts'

const isLink = `purpose in (${linkPurposes.map((purpose) => `'${purpose}'`).join(', ')})`

/** Deletes what has no more use: expired codes, used refresh tokens, sessions long dead, limits nobody presses against. */
export async function prune({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): Promise<void> {
  const before = (age: number) => new Date(clock.now().getTime() - age).toISOString()
  const doomed: readonly [string, number][] = [
    [`delete from auth_one_time where expires_at < $1 and not ${isLink} and purpose <> 'registration'`, 0],
    // That browsers took turns in registering an address matters until it is confirmed, however long that takes.
    [
      `delete from auth_one_time t using auth_accounts a where t.account_id = a.id and t.purpose = 'registration'
        and t.expires_at < $1 and a.verified_at is not null`,
      0,
    ],
    [`delete from auth_one_time where expires_at < $1 and ${isLink}`, lifetimes.deadLink],
    ['delete from auth_refresh_tokens where used_at < $1', lifetimes.usedRefreshToken],
    ['delete from auth_sessions where expires_at < $1', lifetimes.deadSession],
    ['delete from auth_throttle where greatest(window_start, blocked_until) < $1', lifetimes.quietThrottle],
    ['delete from auth_devices where last_seen_at < $1', lifetimes.device],
    // When somebody registered, and which terms they accepted, is asked for later than that.
    ["delete from auth_events where at < $1 and kind <> 'registered'", lifetimes.securityEvent],
  ]
  for (const [sql, age] of doomed) await pool.run({ sql, values: [before(age)] })
}
