import { termsVersion } from '@portico/contract/legal.ts'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { openOwnAccount } from '#accounts/open-account.ts'
import { keepAcceptance } from '#accounts/texts/acceptances.ts'
import { currentTerms } from '#accounts/texts/texts.ts'
import {
  createAccountOnce,
  emailKey,
  lockAccount,
  lockAccountById,
  removeSignInMethods,
  setEmail,
  setVerified,
} from '#identity/accounts.ts'
import { lifetimes } from '#identity/config.ts'
import { hashPassword } from '#identity/crypto.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { assertSetUp } from '#identity/first-admin/setup-state.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { deviceName } from '#identity/security/device-name.ts'
import { forgetDevices, knownDevice } from '#identity/security/devices.ts'
import { lastOf, record } from '#identity/security/events.ts'
import { countAsker, mayWrite } from '#identity/security/letter-limits.ts'
import { queueOwnerLetter, type Writing } from '#identity/security/letters.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { consume, follow, issue, peek, readLink, withdraw } from '#identity/sign-in/one-time.ts'
import { sendResetLink } from '#identity/sign-in/password.ts'
import { assertStrong } from '#identity/sign-in/password-strength.ts'
import { type AfterFirstFactor, afterFirstFactor } from '#identity/sign-in/sign-in.ts'
import { refuse } from '#platform/errors/problem.ts'

type Applicant = {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly password: string
  readonly language?: string | undefined
}

type Prepared = Applicant & { readonly passwordHash: string }

const linkData = z.object({ email: z.string(), email_key: z.string() })
/** `elsewhere`: the link was followed in another browser, so this one has to sign in separately. */
const attemptData = z.object({ contested: z.boolean(), elsewhere: z.optional(z.boolean()) })

const later = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/** The origin and time of the registration, so that the recipient can judge whether it was theirs. */
async function registeredFrom({ tx }: Writing, accountId: string) {
  const registered = await lastOf(tx, accountId, 'registered')
  return registered && { device: deviceName(registered.user_agent), ip: registered.ip, at: registered.at }
}

/**
 * Sends a confirmation link to an address and invalidates older ones. The letter always describes the
 * registration, also when another person requests a copy. Returns whether the limits let it go.
 */
export async function sendConfirmation(
  work: Writing,
  account: { readonly id: string; readonly client_id: number },
  email: string,
): Promise<boolean> {
  await withdraw(work.tx, account.id, 'verify-email')
  const hash = await issue(work.tx, {
    purpose: 'verify-email',
    accountId: account.id,
    binding: String(account.client_id),
    data: { email, email_key: emailKey(email) },
    expires: later(work.now, lifetimes.verifyEmail),
  })
  const link = `/verify-email/${account.client_id}/${hash}`
  const registered = await registeredFrom(work, account.id)
  return queueOwnerLetter(
    work,
    account.id,
    (about) => ({ kind: 'verify-email', ...about, ...registered, link }),
    email,
  )
}

/** Opens an account for a new address; undefined when the address already has one. */
async function openNew(work: Work, { email, passwordHash, ...applicant }: Prepared) {
  const { tx } = work
  const authId = await createAccountOnce(tx, { email, passwordHash, verifiedAt: null })
  if (authId === undefined) return undefined
  await openOwnAccount(tx, {
    authId,
    email,
    firstName: applicant.first_name,
    lastName: applicant.last_name,
    emailVerifiedAt: null,
    language: applicant.language ?? 'en',
  })
  return lockAccountById(tx, authId)
}

type Account = Awaited<ReturnType<typeof lockAccountById>>

/** Overwrites an earlier registration with the current one. */
async function writeOver({ tx }: Work, { id }: Account, applicant: Prepared): Promise<void> {
  await setEmail(tx, id, applicant.email)
  await tx
    .updateTable('auth_accounts')
    .set({ password_hash: applicant.passwordHash })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('clients')
    .set(({ selectFrom }) => ({
      first_name: applicant.first_name,
      last_name: applicant.last_name,
      language_id: selectFrom('languages')
        .select('id')
        .where('code', '=', applicant.language ?? 'en'),
    }))
    .where('auth_id', '=', id)
    .execute()
}

const attemptOf = (token: string, now: Date) =>
  ({ purpose: 'registration', token, binding: '', now }) as const

/** Whether this browser, and no other, registered an account that is still unconfirmed. */
async function isOwnAttempt(work: Work, account: Account, presented: string): Promise<boolean> {
  const own = await peek(work.tx, attemptOf(presented, work.now))
  return own?.account_id === account.id && !attemptData.parse(own.data).contested
}

/** Records the browser that registered the account, and returns the token by which it polls the progress. */
async function beginAttempt(
  work: Work,
  { id: accountId, client_id }: Pick<Account, 'id' | 'client_id'>,
  { contested, sameBrowser }: { readonly contested: boolean; readonly sameBrowser: boolean },
): Promise<string> {
  const terms = (await currentTerms(work.tx)) ?? termsVersion
  await record(work, { accountId, kind: 'registered', about: `terms ${terms}`, sameBrowser })
  await keepAcceptance(work.tx, client_id, terms)
  return issue(work.tx, {
    purpose: 'registration',
    accountId,
    binding: '',
    data: { contested },
    expires: later(work.now, lifetimes.registration),
  })
}

/**
 * An unconfirmed address is not owned: the next person to register it starts fresh. Without a new letter only
 * the registering browser may correct its data; the pending link stays valid.
 */
async function registerAgain(work: Work, account: Account, again: Again): Promise<string | undefined> {
  const { tx, now } = work
  const isOwn = await isOwnAttempt(work, account, again.presented)
  if (!again.writes && !isOwn) return undefined
  if (again.writes) await removeSignInMethods(tx, account.id, now)
  else await withdraw(tx, account.id, 'registration')
  await writeOver(work, account, again.applicant)
  const attempt = await beginAttempt(work, account, { contested: !isOwn, sameBrowser: isOwn })
  if (again.writes) await sendConfirmation(work, account, again.applicant.email)
  return attempt
}

type Again = { readonly applicant: Prepared; readonly presented: string; readonly writes: boolean }

/** Notifies the owner of an address that they have an account, because the requester must not learn it. */
async function notifyOwner(work: Work, account: Account): Promise<void> {
  const links = { link: '/login', reset: '/forgot-password' }
  await queueOwnerLetter(work, account.id, ({ name }) => ({ kind: 'already-registered', name, ...links }))
}

async function begin(work: Work, applicant: Prepared, presented: string): Promise<string | undefined> {
  const writes = await mayWrite(work, 'register', applicant.email)
  const opened = writes ? await openNew(work, applicant) : undefined
  if (opened !== undefined) {
    const attempt = await beginAttempt(work, opened, { contested: false, sameBrowser: false })
    await sendConfirmation(work, opened, applicant.email)
    return attempt
  }
  const account = await lockAccount(work.tx, applicant.email)
  if (!account?.may_act) return undefined
  if (account.verified_at === null) return registerAgain(work, account, { applicant, presented, writes })
  if (writes) await notifyOwner(work, account)
  return undefined
}

/**
 * Opens a restricted account until its address is confirmed, or notifies the owner of a known address.
 * Returns the token by which the browser polls the progress; only a holder of that token can tell the two
 * cases apart. `presented`: the token of an earlier registration in this browser.
 */
export async function register(
  deps: Deps,
  applicant: Applicant,
  { origin, presented }: { origin: Origin; presented: string },
): Promise<string | undefined> {
  await countAsker(deps, origin)
  await assertSetUp(deps.pool.kysely)
  const { email, first_name, last_name, password } = applicant
  await assertStrong(password, { email, names: [first_name, last_name] })
  const prepared = { ...applicant, passwordHash: await hashPassword(password) }
  return inOne(deps, origin, (work) => begin(work, prepared, presented))
}

/**
 * The progress of the registration in a browser. After the address is confirmed in this browser it returns
 * the next step of sign-in, once.
 */
export async function progress(
  deps: Deps,
  { presented, binding, origin }: { presented: string; binding: string; origin: Origin },
): Promise<{ verified: boolean; next?: AfterFirstFactor }> {
  return inOne(deps, origin, async (work) => {
    const attempt = attemptOf(presented, work.now)
    const accountId = (await peek(work.tx, attempt))?.account_id
    if (!accountId) return { verified: false }
    const account = await lockAccountById(work.tx, accountId)
    if (account.verified_at === null) return { verified: false }
    const own = await consume(work.tx, attempt)
    if (own === undefined || attemptData.parse(own.data).elsewhere) return { verified: true }
    const proof = { accountId, amr: ['pwd'], binding, now: work.now }
    return { verified: true, next: await afterFirstFactor(work.tx, proof) }
  })
}

/**
 * Whether the link is followed in the browser that registered the account last, or one that signed in with
 * that registration's password.
 */
async function isRegistrants({ tx, now, origin }: Work, accountId: string, presented: string) {
  const attempt = await peek(tx, attemptOf(presented, now))
  if (attempt?.account_id === accountId) return true
  return (await knownDevice(tx, { account: { id: accountId }, cookie: origin.device, now })) !== undefined
}

/**
 * Handles a confirmation in a browser that did not register the account, perhaps of another person. The
 * sessions of the registering browser end, and it gets no code. The password stays, so that people can
 * confirm on their phone; except when several browsers registered, of which one is not the owner's.
 */
async function confirmedInAnotherBrowser(work: Work, accountId: string): Promise<void> {
  const { tx, now } = work
  const attempts = tx
    .updateTable('auth_one_time')
    .set({ data: sql`data || '{"elsewhere": true}'` })
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'registration')
    .returning('data')
  if ((await attempts.execute()).some(({ data }) => attemptData.parse(data).contested)) {
    await removeSignInMethods(tx, accountId, now)
    return sendResetLink(work, accountId)
  }
  await forgetDevices(work, { accountId, sessionId: null })
  await revokeOthers(work, { accountId, sessionId: null }, 'confirmed-elsewhere')
}

/**
 * Redeems a confirmation link; returns the address. Throws `link_used`, `link_expired`, `link_invalid`, and
 * `email_taken` when the address has become another account's meanwhile.
 */
export async function verify(
  deps: Deps,
  { id, hash, presented, origin }: { id: number; hash: string; presented: string; origin: Origin },
): Promise<string> {
  return inOne(deps, origin, async (work) => {
    const { tx, now } = work
    const link = { purpose: 'verify-email', token: hash, binding: String(id), now } as const
    const { accountId } = await readLink(tx, link)
    const account = await lockAccountById(tx, accountId)
    const { email, email_key } = linkData.parse((await follow(tx, link)).data)
    if (account.email_key !== email_key) {
      if (await lockAccount(tx, email)) throw refuse('email_taken')
      await setEmail(tx, accountId, email)
    }
    await setVerified(tx, accountId, now)
    await record(work, { accountId, kind: 'email-verified', about: email })
    if (!(await isRegistrants(work, accountId, presented))) await confirmedInAnotherBrowser(work, accountId)
    return email
  })
}

/** The account with this unconfirmed address: as its own, or as a requested change. */
async function waitingFor({ tx }: Work, email: string) {
  const own = await lockAccount(tx, email)
  if (own !== undefined) return own.verified_at === null && own.may_act ? own : undefined
  const change = await tx
    .selectFrom('auth_one_time')
    .select('account_id')
    .where('purpose', '=', 'verify-email')
    .where('used_at', 'is', null)
    .where(sql`data ->> 'email_key'`, '=', emailKey(email))
    .executeTakeFirst()
  return change?.account_id ? lockAccountById(tx, change.account_id) : undefined
}

/** Sends the confirmation letter of an address again, when it is unconfirmed and within the limits. */
export async function resend(deps: Deps, email: string, origin: Origin): Promise<void> {
  await countAsker(deps, origin)
  await inOne(deps, origin, async (work) => {
    if (!(await mayWrite(work, 'resend', email))) return
    const account = await waitingFor(work, email)
    if (account !== undefined) await sendConfirmation(work, account, email)
  })
}
