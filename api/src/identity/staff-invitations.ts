import type { deskStaff } from '@portico/contract/resources/desk-staff.ts'
import type * as z from 'zod/mini'
import { openOwnAccount } from '#accounts/open-account.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Context } from '#platform/context.ts'
import { because } from '#platform/db/settings.ts'
import { refuse } from '#platform/errors/problem.ts'
import { staffRole } from '#staff/roles.ts'
import { createForOwner, lockAccount } from './accounts.ts'
import { lifetimes } from './config.ts'
import { hashPassword, newToken, sha256 } from './crypto.ts'
import type { Deps, Origin } from './deps.ts'
import { inOne, type Work } from './identity-context.ts'
import { record } from './security/events.ts'
import { assertStrong } from './sign-in/password-strength.ts'
import { signInCode } from './sign-in/sign-in.ts'

type Invitation = z.output<typeof deskStaff.actions.inviteAdmin.input> & {
  readonly role: z.output<typeof staffRole>
}

/**
 * Invites a person by a letter, or again, which makes the earlier link invalid. Throws `staff_invite_client`,
 * `staff_email_taken`.
 */
export async function inviteStaff(
  { tx, now, vault }: Pick<Context, 'tx' | 'now' | 'vault'>,
  { email, display_name, role, language }: Invitation,
): Promise<{ invited_until: string }> {
  const account = await lockAccount(tx, email)
  const token = newToken()
  const invited_until = new Date(now.getTime() + lifetimes.staffInvitation).toISOString()
  const values = { display_name, role, invite_hash: sha256(token), invited_until, disabled_at: null }
  const invited = await tx
    .insertInto('admins')
    .values({ email, ...values })
    .onConflict((on) => on.column('email').doUpdateSet(values).where('admins.auth_id', 'is', null))
    .returning('id')
    .executeTakeFirst()
  if (!invited) throw refuse('staff_email_taken', { email })
  // An account with an unconfirmed address does not keep the address's owner from being invited.
  if (account && account.verified_at !== null) throw refuse('staff_invite_client', { email })
  const link = `/desk/join#${token}`
  const letter = { kind: 'staff-invitation', name: display_name, role, link } as const
  await queueMail({ tx, vault }, { to: email, language, letter })
  return { invited_until }
}

/** The invitation of a link, locked. Throws `link_invalid`, `link_used`, `link_expired`. */
async function invitationOf({ tx, now }: Pick<Work, 'tx' | 'now'>, token: string) {
  const found = await tx
    .selectFrom('admins')
    .select(['id', 'email', 'display_name', 'role', 'auth_id', 'disabled_at', 'invited_until'])
    .where('invite_hash', '=', sha256(token))
    .forUpdate()
    .executeTakeFirst()
  if (found?.invited_until === undefined || found.invited_until === null) throw refuse('link_invalid')
  if (found.auth_id !== null) throw refuse('link_used')
  if (found.disabled_at !== null) throw refuse('link_invalid')
  if (Date.parse(found.invited_until) <= now.getTime()) throw refuse('link_expired')
  return found
}

type Followed = { readonly token: string; readonly origin: Origin }

/** Staff of a portal with networks of their own accept there alone; elsewhere the link is unknown. */
function assertNetwork({ config }: Deps, { ip }: Origin): void {
  if (!config.deskOpenTo(ip)) throw refuse('link_invalid')
}

/** The person whom a link invites. Throws like `invitationOf`. */
export async function checkInvitation(deps: Deps, { token, origin }: Followed) {
  assertNetwork(deps, origin)
  const { email, display_name, role } = await inOne(deps, origin, (work) => invitationOf(work, token))
  return { email, display_name, role: staffRole.parse(role) }
}

/** Opens the sign-in account of an invited person. Throws `staff_invite_client`. */
async function openStaffAccount(work: Work, { email, name, passwordHash }: Newcomer): Promise<string> {
  const { tx, now } = work
  const authId = await createForOwner(tx, { email, passwordHash, verifiedAt: now })
  if (authId === undefined) throw refuse('staff_invite_client', { email })
  await openOwnAccount(tx, {
    authId,
    email,
    firstName: name,
    lastName: '',
    emailVerifiedAt: now,
    language: 'en',
  })
  return authId
}

type Newcomer = { readonly email: string; readonly name: string; readonly passwordHash: string | null }

/**
 * Accepts an invitation once, and returns a code for a session in the browser of `binding`. Throws like
 * `invitationOf`, and `staff_invite_client` for an address that has become a client's meanwhile.
 */
export async function acceptInvitation(
  deps: Deps,
  { token, password, binding, origin }: Followed & { password: string | undefined; binding: string },
): Promise<string> {
  const { email, display_name: name } = await checkInvitation(deps, { token, origin })
  if (password !== undefined) await assertStrong(password, { email, names: [name] })
  const passwordHash = password === undefined ? null : await hashPassword(password)
  return inOne(deps, origin, async (work) => {
    const { tx, now } = work
    const { id, role } = await invitationOf(work, token)
    const accountId = await openStaffAccount(work, { email, name, passwordHash })
    await because(tx, 'invitation of staff accepted')
    await tx.updateTable('admins').set({ auth_id: accountId }).where('id', '=', id).execute()
    await record(work, { accountId, kind: 'staff-added', about: staffRole.parse(role) })
    return signInCode(tx, { accountId, amr: [password === undefined ? 'link' : 'pwd'], binding, now })
  })
}
