import { termsVersion } from '@portico/contract/legal.ts'
import { openOwnAccount } from '#accounts/open-account.ts'
import { keepAcceptance } from '#accounts/texts/acceptances.ts'
import { currentTerms } from '#accounts/texts/texts.ts'
import {
  createAccountOnce,
  lockAccount,
  lockAccountById,
  removeSignInMethods,
  setEmail,
} from '#identity/accounts.ts'
import { lifetimes } from '#identity/config.ts'
import { hashPassword } from '#identity/crypto.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { assertSetUp } from '#identity/first-admin/setup-state.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { record } from '#identity/security/events.ts'
import { countAsker, mayWrite } from '#identity/security/letter-limits.ts'
import { queueOwnerLetter } from '#identity/security/letters.ts'
import { consume, issue, peek, withdraw } from '#identity/sign-in/one-time.ts'
import { assertStrong } from '#identity/sign-in/password-strength.ts'
import { type AfterFirstFactor, afterFirstFactor } from '#identity/sign-in/sign-in.ts'
import { attemptData, attemptOf } from './attempt.ts'
import { sendConfirmation } from './confirmation.ts'

type Applicant = {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly password: string
  readonly language?: string | undefined
}

type Prepared = Applicant & { readonly passwordHash: string }

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
    expires: new Date(work.now.getTime() + lifetimes.registration),
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
