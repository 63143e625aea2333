import { actorOf } from '#identity/security/events.ts'
import type { Database } from '#platform/db/pool.ts'

/**
 * All data of identity about a client that belongs in their export: sign-in methods, sessions, and the
 * account's log. No secrets or hashes. Undefined for a client without an identity.
 */
export async function signInData(db: Database, clientId: number) {
  const account = await db
    .selectFrom('auth_accounts as a')
    .innerJoin('clients as c', 'c.auth_id', 'a.id')
    .select(['a.id', 'a.email', 'a.verified_at', 'a.created_at'])
    .where('c.id', '=', clientId)
    .executeTakeFirst()
  if (account === undefined) return undefined
  const { id, ...known } = account
  return {
    ...known,
    sessions: await db
      .selectFrom('auth_sessions')
      .select(['created_at', 'last_seen_at', 'expires_at', 'revoked_at', 'revoke_reason', 'ip', 'user_agent'])
      .where('account_id', '=', id)
      .orderBy('created_at')
      .execute(),
    passkeys: await db
      .selectFrom('auth_passkeys')
      .select(['name', 'synced', 'created_at', 'last_used_at'])
      .where('account_id', '=', id)
      .orderBy('id')
      .execute(),
    linked_accounts: await db
      .selectFrom('auth_identities')
      .select(['issuer', 'email', 'created_at'])
      .where('account_id', '=', id)
      .orderBy('id')
      .execute(),
    security_log: await db
      .selectFrom('auth_events as e')
      .select(['e.at', 'e.kind', 'e.about', 'e.ip', 'e.user_agent', 'e.details', actorOf.as('actor')])
      .where('e.account_id', '=', id)
      .orderBy('e.id')
      .execute(),
  }
}

/** The billing details that a client had before, each until it was changed, for the VAT of the months with them. */
export const formerDetails = (db: Database, clientId: number) =>
  db
    .selectFrom('former_billing_details as e')
    .leftJoin('countries as n', 'n.id', 'e.country_id')
    .leftJoin('counties as y', 'y.id', 'e.county_id')
    .select(['e.until', 'e.account_type', 'e.company_name', 'e.address1', 'e.address2', 'e.city', 'e.state'])
    .select(['e.zip_code', 'n.code as country', 'y.code as county', 'e.vat_number', 'e.registration_number'])
    .select('e.commerce_code')
    .where('e.client_id', '=', clientId)
    .orderBy('e.until')
    .execute()
