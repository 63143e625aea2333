import { openOwnAccount } from '#accounts/open-account.ts'
import {
  createAccountOnce,
  lockAccount,
  lockAccountById,
  removeSignInMethods,
  setVerified,
} from '#identity/accounts.ts'
import { assertSetUp } from '#identity/first-admin/setup-state.ts'
import type { Work } from '#identity/identity-context.ts'
import { record, recordSeldom } from '#identity/security/events.ts'
import { queueOwnerLetter } from '#identity/security/letters.ts'
import { assertWayIn } from '#identity/security/sign-in-methods.ts'
import { lockLive } from '#identity/sessions/live-session.ts'
import type { Actor } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { notSignedIn, type Vouched } from './oidc.ts'

/** The account of an external identity. */
function knownIdentity({ tx }: Work, { issuer, subject }: Vouched) {
  return tx
    .selectFrom('auth_identities')
    .select(['id', 'account_id'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Signs in to the linked account; the issuer's current address is stored for display only. */
async function enterKnown(
  { tx }: Work,
  known: { readonly id: number; readonly account_id: string },
  { email }: Vouched,
): Promise<string> {
  const account = await lockAccountById(tx, known.account_id)
  const linked = await tx
    .updateTable('auth_identities')
    .set((eb) => ({ email: eb.fn.coalesce(eb.val(email ?? null), 'email') }))
    .where('id', '=', known.id)
    .returning('id')
    .executeTakeFirst()
  // The link may have been removed meanwhile.
  if (!account.may_act || linked === undefined) throw notSignedIn()
  return account.id
}

/** Links an identity and notifies the owner. */
async function link(work: Work, accountId: string, vouched: Vouched & { email: string }): Promise<void> {
  const { issuer, subject, email } = vouched
  await work.tx
    .insertInto('auth_identities')
    .values({ issuer, subject, email, account_id: accountId, created_at: work.now.toISOString() })
    .execute()
  await record(work, { accountId, kind: 'google-linked', about: email })
}

async function linkAndTell(
  work: Work,
  accountId: string,
  vouched: Vouched & { email: string },
): Promise<void> {
  await link(work, accountId, vouched)
  await queueOwnerLetter(work, accountId, (about) => ({
    kind: 'google-linked',
    email: vouched.email,
    ...about,
  }))
}

// Characters that the contract's `line` refuses in a name.
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu
const longestName = 80

const nameOf = (text: string | undefined): string =>
  [...(text ?? '').toWellFormed().replace(unfit, ' ').trim()].slice(0, longestName).join('').trim()

/** The first name is always set; the last one may be completed later with the registration. */
const namesOf = ({ firstName, lastName, email = '' }: Vouched) => ({
  first_name: nameOf(firstName) || nameOf(email.split('@', 1)[0]),
  last_name: nameOf(lastName),
})

/**
 * Takes over an account that was registered for this address without confirmation. The owner of the address
 * is verified now, so the earlier registrant's sign-in methods and names are removed.
 */
async function takeOver({ tx, now }: Work, accountId: string, vouched: Vouched): Promise<void> {
  await removeSignInMethods(tx, accountId, now)
  await setVerified(tx, accountId, now)
  await tx
    .updateTable('clients')
    .set({ ...namesOf(vouched), two_fa_enabled: 0, google_process: 0 })
    .where('auth_id', '=', accountId)
    .execute()
}

/**
 * Opens an account for a person with a verified address; the remaining details are asked for next. Undefined
 * when the address already has an account.
 */
async function openNew(
  { tx, now }: Work,
  vouched: Vouched & { email: string },
  language: string,
): Promise<string | undefined> {
  await assertSetUp(tx)
  const { email } = vouched
  const { first_name: firstName, last_name: lastName } = namesOf(vouched)
  const authId = await createAccountOnce(tx, { email, passwordHash: null, verifiedAt: now })
  if (authId === undefined) return undefined
  await openOwnAccount(tx, {
    authId,
    email,
    firstName,
    lastName,
    emailVerifiedAt: now,
    language,
    googleProcess: 0,
  })
  return authId
}

/** Whether another identity of the same provider is already linked to the account. */
async function hasOtherOf({ tx }: Work, accountId: string, { issuer }: Vouched): Promise<boolean> {
  const other = await tx
    .selectFrom('auth_identities')
    .select('id')
    .where('account_id', '=', accountId)
    .where('issuer', '=', issuer)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Warns the owner, at most once per hour, that another identity of the provider has their address. */
async function warnOfOther(work: Work, accountId: string, email: string): Promise<void> {
  if (await recordSeldom(work, { accountId, kind: 'google-refused', about: email }, 1))
    await queueOwnerLetter(work, accountId, (about) => ({ kind: 'google-refused', email, ...about }))
}

/** The account id; undefined when the person must first prove that the account of their address is theirs. */
export type Found = string | undefined

/**
 * The account of an external identity, in this order: the linked one; the one of the address, which is then
 * linked, and taken over if the address was unconfirmed; a new one. An address that the provider has not
 * verified neither links nor opens an account. Throws `google_email_unproven` then, and
 * `external_sign_in_incomplete` for an account that may not act. Undefined when another identity of the
 * provider is linked to the account of the address, because a recycled mailbox or domain looks like this.
 */
export async function accountFor(work: Work, vouched: Vouched, language: string): Promise<Found> {
  const known = await knownIdentity(work, vouched)
  if (known !== undefined) return enterKnown(work, known, vouched)
  const { email } = vouched
  if (email === undefined) throw refuse('google_email_unproven')
  const opened = await openNew(work, { ...vouched, email }, language)
  if (opened !== undefined) {
    await record(work, { accountId: opened, kind: 'registered', about: email })
    await link(work, opened, { ...vouched, email })
    return opened
  }
  const account = await lockAccount(work.tx, email)
  if (!account?.may_act) throw notSignedIn()
  // A concurrent sign-in of the same person may have linked it first.
  const linkedMeanwhile = await knownIdentity(work, vouched)
  if (linkedMeanwhile !== undefined) return enterKnown(work, linkedMeanwhile, vouched)
  if (account.verified_at === null) {
    await takeOver(work, account.id, vouched)
    await record(work, { accountId: account.id, kind: 'account-taken-over', about: email })
  }
  // The account's row is locked, so of two concurrent first links the second sees the first.
  if (await hasOtherOf(work, account.id, vouched)) {
    await warnOfOther(work, account.id, email)
    return undefined
  }
  await linkAndTell(work, account.id, { ...vouched, email })
  return account.id
}

/**
 * Links an external identity to the account of a signed-in person; the addresses may differ. Throws
 * `identity_linked_elsewhere`, `google_email_unproven`, and `session_ended` when the session has ended
 * meanwhile.
 */
export async function linkTo(
  work: Work,
  person: Pick<Actor, 'accountId' | 'sessionId'>,
  vouched: Vouched,
): Promise<void> {
  const { id: accountId } = await lockLive(work, person)
  const known = await knownIdentity(work, vouched)
  if (known !== undefined && known.account_id !== accountId) throw refuse('identity_linked_elsewhere')
  if (known !== undefined) return
  const { email } = vouched
  if (email === undefined) throw refuse('google_email_unproven')
  await linkAndTell(work, accountId, { ...vouched, email })
}

/** The external identities of an account. */
export async function identitiesOf(db: Database, accountId: string) {
  const rows = await db
    .selectFrom('auth_identities')
    .select(['id', 'email', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, provider: 'google' as const })) // The only provider.
}

/**
 * Unlinks an external identity. Throws `identity_not_found`, and `way_in_last` when no other way to sign in
 * would remain.
 */
export async function unlink(
  work: Work,
  person: Pick<Actor, 'accountId' | 'sessionId'>,
  id: number,
): Promise<void> {
  const { id: accountId } = await lockLive(work, person)
  const removed = await work.tx
    .deleteFrom('auth_identities')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('email')
    .executeTakeFirst()
  if (removed === undefined) throw refuse('identity_not_found')
  await assertWayIn(work.tx, accountId)
  const { email } = removed
  await record(work, { accountId, kind: 'google-unlinked', about: email })
  await queueOwnerLetter(work, accountId, (about) => ({ kind: 'google-unlinked', email, ...about }))
}
