import type { createFirstAdmin } from '@portico/contract/calls/first-admin.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { openOwnAccount } from '#accounts/open-account.ts'
import { createForOwner, releaseEmail } from '#identity/accounts.ts'
import { limits } from '#identity/config.ts'
import { hashPassword } from '#identity/crypto.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { record } from '#identity/security/events.ts'
import { assertStrong } from '#identity/sign-in/password-strength.ts'
import { signInCode } from '#identity/sign-in/sign-in.ts'
import { networkOf, type Throttle } from '#identity/sign-in/throttle.ts'
import { advisoryLocks } from '#platform/db/advisory-locks.ts'
import { because } from '#platform/db/settings.ts'
import { Problem, refuse } from '#platform/errors/problem.ts'
import { assertSetupLink } from './setup-links.ts'
import { isSetUp } from './setup-state.ts'

type Applicant = Omit<z.output<typeof createFirstAdmin.input>, 'token'>
type Asked = { readonly token: string; readonly origin: Origin }

/** Throws like `assertSetupLink`, `link_invalid` outside the networks of staff, and `attempts_too_many`. */
export async function checkLink(deps: Deps, throttle: Throttle, { token, origin }: Asked): Promise<void> {
  if (!deps.config.deskOpenTo(origin.ip)) throw refuse('link_invalid')
  const charged = await throttle.charge(limits.setupLink, networkOf(origin.ip))
  await inOne(deps, origin, ({ tx, now }) => assertSetupLink(tx, token, now)).catch(
    async (error: unknown) => {
      // Only unknown links are counted: the others prove that the person has the secret, or guess nothing.
      if (!(error instanceof Problem && error.code === 'link_invalid')) await throttle.refund([charged])
      throw error
    },
  )
  await throttle.refund([charged])
}

/** Administrators that never enabled a second factor, so that a lost password does not end the set-up. */
async function releaseUnfinished({ tx, now }: Work): Promise<number[]> {
  const unfinished = await tx
    .selectFrom('admins')
    .select(['id', 'auth_id'])
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { auth_id } of unfinished) if (auth_id !== null) await releaseEmail(tx, auth_id, now)
  return unfinished.map(({ id }) => id)
}

/** Opens the sign-in account; the address counts as confirmed, because mail may not work yet. */
async function openSignIn({ tx, now }: Work, { email, passwordHash }: Prepared): Promise<string> {
  const authId = await createForOwner(tx, { email, passwordHash, verifiedAt: now })
  if (authId === undefined) throw refuse('staff_invite_client', { email })
  return authId
}

type Prepared = Applicant & { readonly passwordHash: string }

/** Creates the administrator, in place of unfinished ones. Throws `setup_over`. */
async function replaceUnfinished(work: Work, applicant: Prepared): Promise<string> {
  const { tx, now } = work
  const released = await releaseUnfinished(work)
  // The second factor of one of them may have been enabled while this waited for their account.
  if (await isSetUp(tx)) throw refuse('setup_over')
  const { email, name, language = 'en' } = applicant
  const authId = await openSignIn(work, applicant)
  const values = { display_name: name, role: 'admin', auth_id: authId, disabled_at: null }
  const { id } = await tx
    .insertInto('admins')
    .values({ email, ...values })
    .onConflict((on) => on.column('email').doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow()
  // After the row that makes them staff, who begin no trial.
  await openOwnAccount(tx, { authId, email, firstName: name, lastName: '', emailVerifiedAt: now, language })
  const others = released.filter((one) => one !== id)
  if (others.length > 0)
    await tx.updateTable('admins').set({ disabled_at: now.toISOString() }).where('id', 'in', others).execute()
  await record(work, { accountId: authId, kind: 'staff-added', about: 'admin' })
  return authId
}

/**
 * Creates the first administrator, once for each link, and returns a code for a session in the browser of
 * `binding`. Throws like `checkLink`, and `staff_invite_client` for the address of a client.
 */
export async function createAdmin(
  deps: Deps,
  throttle: Throttle,
  { token, origin, binding, applicant }: Asked & { readonly binding: string; readonly applicant: Applicant },
): Promise<string> {
  await checkLink(deps, throttle, { token, origin })
  const { email, name, password } = applicant
  await assertStrong(password, { email, names: [name] })
  const passwordHash = await hashPassword(password)
  return inOne(deps, origin, async (work) => {
    const { tx, now } = work
    await sql`select pg_advisory_xact_lock(${advisoryLocks.firstAdmin})`.execute(tx)
    await assertSetupLink(tx, token, now)
    await because(tx, 'link of the first administrator')
    const accountId = await replaceUnfinished(work, { ...applicant, passwordHash })
    await tx.updateTable('setup_links').set({ used_at: now.toISOString() }).execute()
    return signInCode(tx, { accountId, amr: ['pwd'], binding, now })
  })
}
