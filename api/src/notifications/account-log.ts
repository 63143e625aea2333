import type { ActDetails, securityEventKinds } from '@portico/contract/calls/security.ts'
import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'

/** An act in somebody's account: what was done, to what or whom, and what it changed, by the names of the API. */
export type Act = {
  readonly kind: (typeof securityEventKinds)[number]
  /** Whose account it was done in (clients.id). */
  readonly owner: number
  readonly about: string
  readonly details?: ActDetails
}

/** Who acts: a person, or an API key in their name. Absent where the portal itself does what was decided before. */
type By = Pick<Context, 'tx' | 'now'> & Partial<Pick<Context, 'actor' | 'ip'>>

/**
 * Writes an act into the log of the account that it was done in, in the transaction of the act. From where is written of the
 * owner alone: where a guest is, is not the owner's to know.
 */
export async function noteAct({ tx, now, actor, ip }: By, act: Act): Promise<void> {
  const { kind, owner, about, details } = act
  const from = actor === undefined || actor.id === owner ? (ip ?? null) : null
  const key = actor?.key && sql`(select name from api_keys where id = ${actor.key.id})`
  await sql`insert into auth_events (account_id, kind, at, ip, about, actor_client_id, actor_key, details)
    select auth_id, ${kind}, ${now.toISOString()}, ${from}, ${about}, ${actor?.id ?? null}::int8, ${key ?? null},
      ${details ? JSON.stringify(details) : null}::jsonb
    from clients where id = ${owner} and auth_id is not null`.execute(tx)
}
