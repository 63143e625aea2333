import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { record } from '#identity/security/events.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { dropTrial } from '#money/balance/trial.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { endStaffAccess } from '#sharing/staff-access.ts'
import type { staffRole } from '#staff/roles.ts'
import { emailKey, lockAccount } from './accounts.ts'
import type { Work } from './identity-context.ts'

type Deed = Pick<Work, 'tx' | 'now'>

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
 * Ends the customer role of an account. Throws `staff_account_has_money`, because its owner would lose sight
 * of the money.
 */
async function leaveCustomers({ tx }: Deed, client: number, email: string): Promise<void> {
  await dropTrial(tx, client)
  const { rows } = await sql`select from account_balances b where b.client_id = ${client}
    and (b.account_balance <> 0 or b.credit_balance <> 0 or exists (
      select from ledger_transactions t where t.client_id = b.client_id and t.kind in ('deposit', 'opening')))`.execute(
    tx,
  )
  if (rows.length > 0) throw refuse('staff_account_has_money', { email })
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
  await leaveCustomers(deed, account.client_id, email)
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
  if (row) await tx.updateTable('admins').set(values).where('id', '=', row.id).execute()
  else await tx.insertInto('admins').values(values).execute()
  await record({ ...deed, origin }, { accountId: account.id, kind: 'staff-added', about: role })
}

/**
 * Revokes all rights of a staff member: their sessions end, and access that clients granted them is revoked.
 * Returns false when no staff member has the address.
 */
export async function disableStaff(deed: Deed, email: string): Promise<boolean> {
  const { tx, now } = deed
  const row = await tx
    .updateTable('admins')
    .set({ disabled_at: now.toISOString() })
    .where(
      sql<boolean>`(email = ${email} or auth_id = (select id from auth_accounts where email_key = ${emailKey(email)}))`,
    )
    .returning(['id', 'auth_id'])
    .executeTakeFirst()
  if (!row) return false
  const open = await tx
    .selectFrom('staff_accesses')
    .select('ticket_id')
    .where('admin_id', '=', row.id)
    .where('ended_at', 'is', null)
    .execute()
  await endStaffAccess(
    deed,
    open.map(({ ticket_id }) => ticket_id),
  )
  if (row.auth_id === null) return true
  await revokeOthers(deed, { accountId: row.auth_id, sessionId: null }, 'ended')
  await record({ ...deed, origin }, { accountId: row.auth_id, kind: 'staff-disabled' })
  return true
}

/** All staff members, including disabled ones, with whether they have the required second factor. */
export function listStaff(db: Database) {
  return db
    .selectFrom('admins as m')
    .leftJoin('auth_accounts as a', 'a.id', 'm.auth_id')
    .select(['m.email', 'm.display_name', 'm.role', 'm.disabled_at', 'm.totp_required'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('auth_totp as t')
            .select('t.account_id')
            .whereRef('t.account_id', '=', 'a.id')
            .where('t.enabled_at', 'is not', null),
        )
        .as('two_factor'),
    )
    .orderBy('m.id')
    .execute()
}
