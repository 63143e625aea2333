import { sql } from 'kysely'
import { sessionEnded } from '#identity/sessions/refusal.ts'
import { startTrial } from '#money/balance/trial.ts'
import type { Database } from '#platform/db/pool.ts'
import { because } from '#platform/db/settings.ts'
import { clientStatus, mayAct } from '#reference/client-status.ts'

/** The normalized address for lookup at sign-in. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}

type NewIdentity = { email: string; passwordHash: string | null; verifiedAt: Date | null }

const identity = ({ email, passwordHash, verifiedAt }: NewIdentity) => ({
  email: email.trim(),
  email_key: emailKey(email),
  password_hash: passwordHash,
  verified_at: verifiedAt?.toISOString() ?? null,
})

/**
 * Creates an identity, to be linked by `clients.auth_id` in the same transaction; returns its id. It is a client's until a row of
 * `admins` refers to it (0234).
 */
export async function createAccount(tx: Database, account: NewIdentity): Promise<string> {
  const { id } = await tx
    .insertInto('auth_accounts')
    .values(identity(account))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Like `createAccount`; undefined when the address already has an identity. */
export async function createAccountOnce(tx: Database, account: NewIdentity): Promise<string | undefined> {
  const created = await tx
    .insertInto('auth_accounts')
    .values(identity(account))
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return created?.id
}

/**
 * The identity and the client of an address, locked until the transaction ends; undefined when there is none.
 */
export function lockAccount(tx: Database, email: string) {
  return accountRows(tx).where('a.email_key', '=', emailKey(email)).executeTakeFirst()
}

/** Like `lockAccount`, by the identity's id. Throws `session_ended` when it was deleted meanwhile. */
export function lockAccountById(tx: Database, accountId: string) {
  return accountRows(tx).where('a.id', '=', accountId).executeTakeFirstOrThrow(sessionEnded)
}

function accountRows(tx: Database) {
  return tx
    .selectFrom('auth_accounts as a')
    .innerJoin('clients as c', 'c.auth_id', 'a.id')
    .select([
      'a.id',
      'a.email',
      'a.email_key',
      'a.password_hash',
      'a.verified_at',
      'a.kind',
      'c.id as client_id',
    ])
    .select((eb) => eb.and([eb('a.disabled_at', 'is', null), eb('c.status', 'in', mayAct)]).as('may_act'))
    .forUpdate()
}

/**
 * Letters to a member of staff go to the address of their account, and their answers are believed from there alone. An invitation
 * to that address can no longer be accepted, so it lets the address go.
 */
async function setStaffEmail(tx: Database, accountId: string, email: string): Promise<void> {
  const member = await tx
    .selectFrom('admins')
    .select('id')
    .where('auth_id', '=', accountId)
    .executeTakeFirst()
  if (!member) return
  await because(tx, 'address of staff changed')
  await tx
    .updateTable('admins')
    .set({ email: sql<string>`id || '@released.invalid'`, invite_hash: null, invited_until: null })
    .where('auth_id', 'is', null)
    .where('email', '=', email)
    .execute()
  await tx.updateTable('admins').set({ email }).where('id', '=', member.id).execute()
}

/** Updates an address in each place: the identity, for sign-in, the client, and the member of staff. */
export async function setEmail(tx: Database, accountId: string, email: string): Promise<void> {
  await tx
    .updateTable('auth_accounts')
    .set({ email, email_key: emailKey(email) })
    .where('id', '=', accountId)
    .execute()
  await tx.updateTable('clients').set({ email }).where('auth_id', '=', accountId).execute()
  await setStaffEmail(tx, accountId, email)
}

/** Marks the address of an account as verified. */
export async function setVerified(tx: Database, accountId: string, now: Date): Promise<void> {
  const at = now.toISOString()
  await tx.updateTable('auth_accounts').set({ verified_at: at }).where('id', '=', accountId).execute()
  const clients = await tx
    .updateTable('clients')
    .set({ email_verified_at: at })
    .where('auth_id', '=', accountId)
    .returning('id')
    .execute()
  for (const { id } of clients) await startTrial(tx, id)
}

/**
 * Removes an address from an account that never verified it, for the person who did. Nobody can sign in to
 * the rest of the account.
 */
export async function releaseEmail(tx: Database, accountId: string, now: Date): Promise<void> {
  await removeSignInMethods(tx, accountId, now)
  await setEmail(tx, accountId, `${accountId}@released.invalid`)
  await tx
    .updateTable('auth_accounts')
    .set({ disabled_at: now.toISOString() })
    .where('id', '=', accountId)
    .execute()
  await tx
    .updateTable('clients')
    .set({ status: clientStatus.closed })
    .where('auth_id', '=', accountId)
    .execute()
}

/**
 * Creates the identity of the owner of an address, in place of one that never confirmed it, also one that is just being registered.
 * Undefined when a confirmed account has the address.
 */
export async function createForOwner(
  tx: Database,
  account: NewIdentity & { readonly verifiedAt: Date },
): Promise<string | undefined> {
  const created = await createAccountOnce(tx, account)
  if (created !== undefined) return created
  const holder = await lockAccount(tx, account.email)
  if (holder && holder.verified_at !== null) return undefined
  if (holder) await releaseEmail(tx, holder.id, account.verifiedAt)
  return createAccount(tx, account)
}

/**
 * Removes every sign-in method from an account whose address owner was just verified: a registrant who was
 * not that owner keeps no access. Sessions end at once.
 */
export async function removeSignInMethods(tx: Database, accountId: string, now: Date): Promise<void> {
  await tx.updateTable('auth_accounts').set({ password_hash: null }).where('id', '=', accountId).execute()
  await tx
    .updateTable('auth_sessions')
    .set({ revoked_at: now.toISOString(), revoke_reason: 'taken-over' })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute()
  const tables = [
    'auth_totp',
    'auth_recovery_codes',
    'auth_passkeys',
    'auth_identities',
    'auth_devices',
  ] as const
  await tx
    .deleteFrom('auth_one_time')
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute()
  await tx.updateTable('clients').set({ two_fa_enabled: 0 }).where('auth_id', '=', accountId).execute()
  for (const table of tables) await tx.deleteFrom(table).where('account_id', '=', accountId).execute()
}
