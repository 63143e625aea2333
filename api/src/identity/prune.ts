import { sql } from 'kysely'
import { linkPurposes } from '#identity/sign-in/one-time.ts'
import { isSqlState } from '#platform/db/sql-states.ts'
import { lifetimes } from './config.ts'
import type { Deps } from './deps.ts'

const isLink = `purpose in (${linkPurposes.map((purpose) => `'${purpose}'`).join(', ')})`

// The rest is deleted by the next run.
const mostAtOnce = 500

/**
 * Deletes accounts that were not confirmed within thirty days of their last registration, with their initial
 * rows. An account that other rows refer to is kept.
 */
async function pruneUnconfirmed({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): Promise<void> {
  const now = clock.now().toISOString()
  const before = new Date(clock.now().getTime() - lifetimes.unconfirmed).toISOString()
  const forgotten = sql<{ id: string }>`select a.id from auth_accounts a
    where a.verified_at is null and a.created_at < ${before}
    and not exists (select from auth_events e where e.account_id = a.id and e.kind = 'registered' and e.at > ${before})
    and not exists (select from auth_one_time t where t.account_id = a.id and t.purpose = 'verify-email'
      and t.expires_at > ${now})`
  const { rows } = await sql<{ id: string }>`${forgotten} limit ${mostAtOnce}`.execute(pool.kysely)
  for (const { id } of rows) {
    const deleting = pool.kysely.transaction().execute(async (tx) => {
      // Checked again under lock, because the account may have been confirmed meanwhile.
      const still = await sql`${forgotten} and a.id = ${id} for update of a skip locked`.execute(tx)
      if (still.rows.length === 0) return
      const client = sql`(select id from clients where auth_id = ${id})`
      for (const table of ['projects', 'client_entities'])
        await sql`delete from ${sql.table(table)} where client_id = ${client}`.execute(tx)
      await tx.deleteFrom('clients').where('auth_id', '=', id).execute()
      await tx.deleteFrom('auth_accounts').where('id', '=', id).execute()
    })
    await deleting.catch((error: unknown) => {
      if (!isSqlState(error, 'foreignKeyViolation')) throw error
    })
  }
}

/**
 * Deletes what is no longer needed: unconfirmed accounts, expired codes, used refresh tokens, long-ended
 * sessions, and idle limits.
 */
export async function prune({ pool, clock }: Pick<Deps, 'pool' | 'clock'>): Promise<void> {
  const before = (age: number) => new Date(clock.now().getTime() - age).toISOString()
  const doomed: readonly [string, number][] = [
    [`delete from auth_one_time where expires_at < $1 and not ${isLink} and purpose <> 'registration'`, 0],
    // Registration attempts from several browsers matter until the address is confirmed, however long that
    // takes.
    [
      `delete from auth_one_time t using auth_accounts a where t.account_id = a.id and t.purpose = 'registration'
        and t.expires_at < $1 and a.verified_at is not null`,
      0,
    ],
    [`delete from auth_one_time where expires_at < $1 and ${isLink}`, lifetimes.deadLink],
    ['delete from setup_links where expires_at < $1', lifetimes.deadLink],
    ['delete from auth_refresh_tokens where used_at < $1', lifetimes.usedRefreshToken],
    ['delete from auth_sessions where expires_at < $1', lifetimes.deadSession],
    ['delete from auth_throttle where greatest(window_start, blocked_until) < $1', lifetimes.quietThrottle],
    ['delete from auth_devices where last_seen_at < $1', lifetimes.device],
    // The registration event with the accepted terms is needed for longer.
    ["delete from auth_events where at < $1 and kind <> 'registered'", lifetimes.securityEvent],
  ]
  for (const [statement, age] of doomed) await pool.run({ sql: statement, values: [before(age)] })
  await pruneUnconfirmed({ pool, clock })
}
