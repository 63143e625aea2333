import { sql, type Updateable } from 'kysely'
import type * as z from 'zod/mini'
import { forgetDevices } from '#identity/security/devices.ts'
import { record } from '#identity/security/events.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { dropTrial } from '#money/balance/trial.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/types.ts'
import { refuse } from '#platform/errors/problem.ts'
import { endStaffAccess } from '#sharing/staff-access.ts'
import { ownsSecondFactor, type staffRole } from '#staff/roles.ts'
import { emailKey, lockAccount, lockAccountById } from './accounts.ts'
import type { Work } from './identity-context.ts'
import { withdraw } from './sign-in/one-time.ts'
import { removeCodes } from './sign-in/two-factor/recovery-codes.ts'
import { setEnabled, twoFactorOf } from './sign-in/two-factor/two-factor.ts'

type Deed = Pick<Work, 'now'> & { readonly tx: Database }

export type NewStaff = {
  readonly email: string
  readonly role: z.infer<typeof staffRole>
  /** The name that clients see above an answer; undefined: the first name. */
  readonly displayName: string | undefined
}

// The person who runs the commands has access to the installation itself.
const origin = { ip: '', userAgent: undefined }

/** The sign-in account of a new staff member. Throws `staff_account_*`. */
async function accountFor({ tx }: Deed, email: string) {
  const account = await lockAccount(tx, email)
  if (!account) throw refuse('staff_account_missing', { email })
  if (account.verified_at === null || !account.may_act) throw refuse('staff_account_unfit', { email })
  const panel = await tx
    .selectFrom('panels')
    .select('id')
    .where('client_id', '=', account.client_id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  // Staff have no client role, so their panels would become inaccessible.
  if (panel) throw refuse('staff_account_has_panels', { email })
  return account
}

/**
 * Ends the customer role of an account. Throws `staff_account_has_money` and `staff_account_in_use`, because its owner would lose
 * sight of the money and of the rest.
 */
async function leaveCustomers({ tx }: Deed, client: number, email: string): Promise<void> {
  await dropTrial(tx, client)
  const { rows } = await sql`select from account_balances b where b.client_id = ${client}
    and (b.account_balance <> 0 or b.credit_balance <> 0 or exists (
      select from ledger_transactions t where t.client_id = b.client_id and t.kind in ('deposit', 'opening')))`.execute(
    tx,
  )
  if (rows.length > 0) throw refuse('staff_account_has_money', { email })
  const { rows: used } = await sql`select where is_customer(${client})`.execute(tx)
  if (used.length > 0) throw refuse('staff_account_in_use', { email })
}

/** The staff row of an account, or one with the same address and no account. Throws `staff_email_taken`. */
async function rowOf({ tx }: Deed, account: { readonly id: string; readonly email: string }) {
  const found = await tx
    .selectFrom('admins')
    .select(['id', 'auth_id', 'display_name'])
    .where((eb) => eb.or([eb('auth_id', '=', account.id), eb('email', '=', account.email)]))
    .execute()
  if (found.some(({ auth_id }) => auth_id !== null && auth_id !== account.id))
    throw refuse('staff_email_taken', { email: account.email })
  return found[0]
}

/**
 * Makes the owner of a confirmed account a member of staff, or changes the role of one, also after they were
 * disabled. The rights of the role apply from their next request, once they have a second factor. Throws
 * `staff_account_*` and `staff_email_taken`.
 */
export async function addStaff(deed: Deed, { email, role, displayName }: NewStaff): Promise<void> {
  const { tx } = deed
  const account = await accountFor(deed, email)
  const row = await rowOf(deed, account)
  if (account.kind === 'client') await leaveCustomers(deed, account.client_id, email)
  const { first_name } = await tx
    .selectFrom('clients')
    .select('first_name')
    .where('id', '=', account.client_id)
    .executeTakeFirstOrThrow()
  const values = {
    email: account.email,
    role,
    display_name: displayName ?? row?.display_name ?? first_name,
    auth_id: account.id,
    disabled_at: null,
  }
  if (row) await change(deed, row.id, values)
  else await tx.insertInto('admins').values(values).execute()
  await record({ ...deed, origin }, { accountId: account.id, kind: 'staff-added', about: role })
}

const isLastAdmin = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'admins_last'

type Changes = Updateable<DB['admins']>

/** Changes a staff member. Throws `staff_last_admin` when no active administrator would be left. */
async function change({ tx }: Deed, id: number, values: Changes) {
  try {
    return await tx
      .updateTable('admins')
      .set(values)
      .where('id', '=', id)
      .returning(['id', 'auth_id', 'role'])
      .executeTakeFirstOrThrow()
  } catch (error) {
    throw isLastAdmin(error) ? refuse('staff_last_admin') : error
  }
}

/** Ends every session of a staff member, and sign-ins that have begun. Returns the number of sessions. */
export async function endSessions(deed: Deed, authId: string | null): Promise<number> {
  if (authId === null) return 0
  // A concurrent sign-in ends before or begins after, never in between.
  await lockAccountById(deed.tx, authId)
  // A thief's browser must not count as one of theirs.
  await forgetDevices(deed, { accountId: authId, sessionId: null })
  const ended = await revokeOthers(deed, { accountId: authId, sessionId: null }, 'ended')
  await withdraw(deed.tx, authId)
  await record({ ...deed, origin }, { accountId: authId, kind: 'session-ended' })
  return ended
}

type Member = { readonly id: number; readonly auth_id: string | null }

/** Ends the open invitations that a member sent. */
async function endInvitations({ tx, now }: Deed, id: number): Promise<void> {
  await sql`update admins m set invited_until = ${now.toISOString()}
    where m.auth_id is null and m.invited_until > ${now.toISOString()} and exists (
      select from staff_actions a join staff_action_changes c on c.action_id = a.id
      where a.admin_id = ${id} and a.verb in ('invite', 'inviteAdmin') and c.table_name = 'admins' and c.row_id = m.id::text)`.execute(
    tx,
  )
}

/**
 * Ends every session of a member, and the open invitations that they sent: where a thief had a session, an accomplice would come in
 * by one. Returns the number of sessions.
 */
export async function endMemberSessions(deed: Deed, { id, auth_id }: Member): Promise<number> {
  await endInvitations(deed, id)
  return endSessions(deed, auth_id)
}

/**
 * Unlinks Google accounts, and withdraws requests to a second person: a thief of the factor may have made them. Returns how many
 * accounts were linked.
 */
async function withdrawTraces(deed: Deed, { id, authId }: { id: number; authId: string }): Promise<number> {
  const { tx, now } = deed
  const unlinked = await tx
    .deleteFrom('auth_identities')
    .where('account_id', '=', authId)
    .returning('email')
    .execute()
  for (const { email } of unlinked)
    await record({ ...deed, origin }, { accountId: authId, kind: 'google-unlinked', about: email })
  await tx
    .updateTable('staff_requests')
    .set({ decision: 'withdrawn', decided_at: now.toISOString() })
    .where('asked_by', '=', id)
    .where('decision', 'is', null)
    .execute()
  return unlinked.length
}

/**
 * Removes the second factor of a member, two-factor authentication and passkeys, with linked Google accounts, open requests and
 * invitations, and ends their sessions. Their rights count as new: the person who adds the next factor may be another one, such as
 * the administrator who removed it. Returns the number of sessions; undefined where there was neither a second factor nor a linked
 * account.
 */
export async function resetFactors(deed: Deed, member: Member): Promise<number | undefined> {
  const { tx } = deed
  const { auth_id: authId } = member
  if (authId === null) return undefined
  // A passkey that is being added is stored before, and goes too, or its session has ended.
  await lockAccountById(tx, authId)
  const { enabled } = await twoFactorOf(tx, authId)
  const removed = await tx.deleteFrom('auth_passkeys').where('account_id', '=', authId).executeTakeFirst()
  const unlinked = await withdrawTraces(deed, { id: member.id, authId })
  if (!enabled && removed.numDeletedRows === 0n && unlinked === 0) return undefined
  await setEnabled(deed, authId, false)
  await removeCodes(tx, authId)
  // The time of the server, as everywhere where rights are compared with each other (0098).
  await tx
    .updateTable('admins')
    .set({ rights_since: sql<string>`now()` })
    .where('id', '=', member.id)
    .execute()
  await record({ ...deed, origin }, { accountId: authId, kind: 'two-factor-disabled' })
  return endMemberSessions(deed, member)
}

/** Like `resetFactors`, by the address of a staff member. Throws `two_factor_off`; false when no staff member has it. */
export async function resetFactorsOf(deed: Deed, email: string): Promise<boolean> {
  const row = await memberBy(deed, email)
  if (row && (await resetFactors(deed, row)) === undefined) throw refuse('two_factor_off')
  return row !== undefined
}

/**
 * Revokes all rights of a staff member: their sessions and invitations end, and access that clients granted them is revoked.
 * Throws `staff_last_admin`.
 */
export async function disableMember(deed: Deed, id: number): Promise<void> {
  const { tx, now } = deed
  const { auth_id } = await change(deed, id, { disabled_at: now.toISOString() })
  const open = await tx
    .selectFrom('staff_accesses')
    .select('ticket_id')
    .where('admin_id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
  await endStaffAccess(
    deed,
    open.map(({ ticket_id }) => ticket_id),
  )
  await endMemberSessions(deed, { id, auth_id })
  if (auth_id === null) return
  await record({ ...deed, origin }, { accountId: auth_id, kind: 'staff-disabled' })
}

const memberBy = ({ tx }: Deed, email: string) =>
  tx
    .selectFrom('admins')
    .select(['id', 'auth_id'])
    .where(
      sql<boolean>`(email = ${email} or auth_id = (select id from auth_accounts where email_key = ${emailKey(email)}))`,
    )
    .executeTakeFirst()

/** Like `disableMember`, by address. Returns false when no staff member has it. */
export async function disableStaff(deed: Deed, email: string): Promise<boolean> {
  const row = await memberBy(deed, email)
  if (row) await disableMember(deed, row.id)
  return row !== undefined
}

/**
 * Gives a staff member other rights: those of another role, or those of their role again. Who is no administrator any more has no
 * open invitations either. Throws `staff_last_admin`.
 */
export async function giveRights(
  deed: Deed,
  id: number,
  rights: { readonly role: NewStaff['role'] } | { readonly disabled_at: null },
): Promise<void> {
  const { auth_id, role } = await change(deed, id, rights)
  if (role !== 'admin') await endInvitations(deed, id)
  if (auth_id !== null)
    await record({ ...deed, origin }, { accountId: auth_id, kind: 'staff-added', about: role })
}

/** All staff members, including disabled ones, with whether they have the required second factor. */
export function listStaff(db: Database) {
  return db
    .selectFrom('admins as m')
    .leftJoin('auth_accounts as a', 'a.id', 'm.auth_id')
    .select(['m.email', 'm.display_name', 'm.role', 'm.disabled_at', 'm.totp_required'])
    .select(sql<boolean>`${sql.raw(ownsSecondFactor('m'))}`.as('two_factor'))
    .orderBy('m.id')
    .execute()
}
