import type { securityEventKinds } from '@portico/contract/calls/account/security.ts'
import { hourMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type { Work } from '#identity/identity-context.ts'
import { storedAddress } from '#platform/db/address.ts'
import type { Database } from '#platform/db/pool.ts'

export type SecurityEventKind = (typeof securityEventKinds)[number]

/** A security event. `about` is its subject: an address, the name of a passkey. */
export type SecurityEvent = {
  readonly accountId: string
  readonly kind: SecurityEventKind
  readonly about?: string
  /** Of a registration: whether its browser proved that it made the one before. */
  readonly sameBrowser?: boolean
}

/** The stored length of a user agent; real ones are shorter. */
export const longestUserAgent = 400

/** Records a security event, in the transaction of the fact itself. */
export async function record(
  { tx, now, origin }: Pick<Work, 'now' | 'origin'> & { readonly tx: Database },
  event: SecurityEvent,
): Promise<void> {
  await tx
    .insertInto('auth_events')
    .values({
      account_id: event.accountId,
      kind: event.kind,
      at: now.toISOString(),
      ip: storedAddress(origin.ip),
      user_agent: origin.userAgent?.slice(0, longestUserAgent) ?? null,
      about: event.about ?? null,
      same_browser: event.sameBrowser ?? null,
    })
    .execute()
}

/**
 * The actor of a logged event, for a statement over `auth_events` as `e`: an API key, the account's owner, or
 * a guest, by current name.
 */
export const actorOf = sql<{ kind: 'owner' | 'guest' | 'key'; name: string } | null>`(
  select json_build_object(
    'kind', case when e.actor_key is not null then 'key' when c.auth_id = e.account_id then 'owner' else 'guest' end,
    'name', coalesce(e.actor_key, btrim(c.first_name || ' ' || c.last_name)))
  from clients c where c.id = e.actor_client_id)`

/** The origin of the last event of a kind; undefined when there is none. */
export function lastOf(db: Database, accountId: string, kind: SecurityEventKind) {
  return db
    .selectFrom('auth_events')
    .select(['ip', 'user_agent', 'at'])
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Like `record`, for events that anybody with an address can trigger: at most `most` are recorded per hour,
 * to keep the log readable and the table small. Returns whether it was recorded.
 */
export async function recordSeldom(work: Work, event: SecurityEvent, most: number): Promise<boolean> {
  const { count } = await work.tx
    .selectFrom('auth_events')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', event.accountId)
    .where('kind', '=', event.kind)
    .where('at', '>', new Date(work.now.getTime() - hourMs).toISOString())
    .executeTakeFirstOrThrow()
  const isSeldom = Number(count) < most
  if (isSeldom) await record(work, event)
  return isSeldom
}
