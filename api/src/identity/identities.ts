import type { Database } from '../db/pool.ts'
import { Problem } from '../errors/problem.ts'
import { openAccount } from '../services/accounts.ts'
import { createAccount, dropWaysIn, emailKey, mayAct } from './accounts.ts'
import { record } from './events.ts'
import { tell } from './letters.ts'
import { notSignedIn, type Vouched } from './oidc.ts'
import { assertWayIn } from './ways-in.ts'
import type { Work } from './work.ts'

/** The account that an identity elsewhere belongs to; its e-mail, as the issuer tells it now, is only shown. */
async function knownIdentity({ tx }: Work, { issuer, subject, email }: Vouched) {
  return tx
    .updateTable('auth_identities')
    .set((eb) => ({ email: eb.fn.coalesce(eb.val(email ?? null), 'email') }))
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('account_id')
    .executeTakeFirst()
}

/** Links, and lets the owner know. */
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
  await tell(work, accountId, (about) => ({ kind: 'google-linked', email: vouched.email, ...about }))
}

// What `line` of the contract refuses in a name, and more than a name holds.
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu
const longestName = 80

const nameOf = (text: string | undefined): string =>
  [...(text ?? '').toWellFormed().replace(unfit, ' ').trim()].slice(0, longestName).join('').trim()

/** A first name there always is; the last one may be told later, when the registration is completed. */
const namesOf = ({ firstName, lastName, email = '' }: Vouched) => ({
  first_name: nameOf(firstName) || nameOf(email.split('@', 1)[0]),
  last_name: nameOf(lastName),
})

/**
 * Somebody opened an account for an address that was not theirs, or never confirmed it. Its owner is proven now and takes it
 * over: whatever the other one could get in with, or called it, is gone.
 */
async function takeOver({ tx, now }: Work, accountId: string, vouched: Vouched): Promise<void> {
  await dropWaysIn(tx, accountId, now)
  const verified = now.toISOString()
  await tx.updateTable('auth_accounts').set({ verified_at: verified }).where('id', '=', accountId).execute()
  await tx
    .updateTable('clients')
    .set({ ...namesOf(vouched), email_verified_at: verified, two_fa_enabled: 0, google_process: 0 })
    .where('auth_id', '=', accountId)
    .execute()
}

/** A new account of somebody who has proved their address; what else is to be known of them is asked next. */
async function register(
  { tx, now }: Work,
  vouched: Vouched & { email: string },
  language: string,
): Promise<string> {
  const { email } = vouched
  const { first_name: firstName, last_name: lastName } = namesOf(vouched)
  const authId = await createAccount(tx, { email, passwordHash: null, verifiedAt: now })
  await openAccount(tx, {
    authId,
    email,
    firstName,
    lastName,
    emailVerifiedAt: now,
    language,
    currency: 'USD',
    status: 2,
    billingStatus: 0,
    googleProcess: 0,
    entity: { accountType: 2 },
    opening: { balance: '0', credit: '0' },
    workspace: 'My Workspace',
  })
  return authId
}

/** Locked, so that it is not verified, taken over or linked by somebody else at this moment. */
async function accountOf({ tx }: Work, email: string) {
  return tx
    .selectFrom('auth_accounts')
    .select(['id', 'verified_at'])
    .where('email_key', '=', emailKey(email))
    .forUpdate()
    .executeTakeFirst()
}

/** Refuses whoever the operator keeps out, before anything is linked or told. */
async function assertMayAct({ tx }: Work, accountId: string): Promise<void> {
  const client = await tx
    .selectFrom('clients as c')
    .innerJoin('auth_accounts as a', 'a.id', 'c.auth_id')
    .select('c.id')
    .where('a.id', '=', accountId)
    .where('a.disabled_at', 'is', null)
    .where('c.status', 'in', mayAct)
    .executeTakeFirst()
  if (client === undefined) throw notSignedIn()
}

/**
 * The account of somebody whom a provider vouches for, in this order: the one that is linked; the one of their address, which
 * is linked now, and taken over when nobody had confirmed that address; a new one. An address that the provider does not
 * call theirs neither links nor opens anything. Throws `forbidden` then, and `unauthenticated` for an account that may not act.
 */
export async function accountFor(work: Work, vouched: Vouched, language: string): Promise<string> {
  const known = await knownIdentity(work, vouched)
  if (known !== undefined) {
    await assertMayAct(work, known.account_id)
    return known.account_id
  }
  const { email } = vouched
  if (email === undefined) throw unproven()
  const account = await accountOf(work, email)
  if (account === undefined) {
    const accountId = await register(work, { ...vouched, email }, language)
    await record(work, { accountId, kind: 'registered', about: email })
    await link(work, accountId, { ...vouched, email })
    return accountId
  }
  await assertMayAct(work, account.id)
  if (account.verified_at === null) {
    await takeOver(work, account.id, vouched)
    await record(work, { accountId: account.id, kind: 'account-taken-over', about: email })
  }
  await linkAndTell(work, account.id, { ...vouched, email })
  return account.id
}

const unproven = () =>
  new Problem('forbidden', 'Google does not say that your e-mail address is yours. Confirm it there first.')

/**
 * Links what a provider vouches for to the account of somebody who is signed in; the addresses may differ. Throws `conflict`
 * when it is linked to another account, `forbidden` for an address that is not proven.
 */
export async function linkTo(work: Work, accountId: string, vouched: Vouched): Promise<void> {
  const known = await knownIdentity(work, vouched)
  if (known !== undefined && known.account_id !== accountId)
    throw new Problem('conflict', 'This Google account is linked to another account of the portal.')
  if (known !== undefined) return
  const { email } = vouched
  if (email === undefined) throw unproven()
  await linkAndTell(work, accountId, { ...vouched, email })
}

/** The accounts elsewhere that somebody can sign in with. */
export async function identitiesOf(db: Database, accountId: string) {
  const rows = await db
    .selectFrom('auth_identities')
    .select(['id', 'email', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, provider: 'google' as const })) // The only one there is.
}

/** Unlinks an account elsewhere. Throws `not_found`, and `conflict` when no other way to sign in would remain. */
export async function unlink(work: Work, accountId: string, id: number): Promise<void> {
  const removed = await work.tx
    .deleteFrom('auth_identities')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('email')
    .executeTakeFirst()
  if (removed === undefined) throw new Problem('not_found', 'There is no such linked account.')
  await assertWayIn(work.tx, accountId)
  const { email } = removed
  await record(work, { accountId, kind: 'google-unlinked', about: email })
  await tell(work, accountId, (about) => ({ kind: 'google-unlinked', email, ...about }))
}
