import type { ActDetails, securityEventKinds } from '@portico/contract/calls/account/security.ts'
import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'

/** An act in an account: the verb, its object, and its changes, by the names of the API. */
export type Act = {
  readonly kind: (typeof securityEventKinds)[number]
  /** The account of the act (clients.id). */
  readonly owner: number
  readonly about: string
  /** The panel that it is about, whose activity lists it. */
  readonly panel?: number
  readonly details?: ActDetails
}

/** The actor: a person, or an API key of theirs. Absent when the portal executes an earlier decision. */
type By = Pick<Context, 'tx' | 'now'> & Partial<Pick<Context, 'actor' | 'ip'>>

/**
 * Records an act in the log of its account, in the transaction of the act. The address is recorded for the
 * owner only: a guest's address must not be disclosed to the owner.
 */
export async function noteAct({ tx, now, actor, ip }: By, act: Act): Promise<void> {
  const { kind, owner, about, panel, details } = act
  const from = actor === undefined || actor.id === owner ? (ip ?? null) : null
  const key = actor?.key && sql`(select name from api_keys where id = ${actor.key.id})`
  await sql`insert into auth_events (account_id, kind, at, ip, about, actor_client_id, actor_key, panel_id, details)
    select auth_id, ${kind}, ${now.toISOString()}, ${from}, ${about}, ${actor?.id ?? null}::int8, ${key ?? null}, ${panel ?? null}::int8,
      ${details ? JSON.stringify(details) : null}::jsonb
    from clients where id = ${owner} and auth_id is not null`.execute(tx)
}
