import * as z from 'zod/mini'
import { emailKey, lockAccountById } from '#identity/accounts.ts'
import { lifetimes, limits } from '#identity/config.ts'
import { verifyPassword } from '#identity/crypto.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { knownDevice } from '#identity/security/devices.ts'
import { recordSeldom, type SecurityEventKind } from '#identity/security/events.ts'
import { unauthenticated } from '#identity/sessions/refusal.ts'
import type { Opened } from '#identity/sessions/sessions.ts'
import type { Actor } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { mayAct } from '#reference/client-status.ts'
import { enter } from './enter.ts'
import { failAfterMinimumTime } from './minimum-time.ts'
import { consume, issue, type Purpose, peek } from './one-time.ts'
import { needsPasskey } from './passkeys/staff-passkeys.ts'
import { networkOf, type Throttle } from './throttle.ts'
import { hasTwoFactor } from './two-factor/has-two-factor.ts'

/** The data stored with a code or a challenge. */
export const proofData = z.object({ amr: z.array(z.string()) })

// One refusal for a wrong password, an unknown address and an account that may not sign in.
const wrong = () => unauthenticated(reason('credentials_wrong'))

/** The identity of an address, and whether it may sign in. */
async function findAccount({ pool }: Deps, email: string) {
  return pool.kysely
    .selectFrom('auth_accounts as a')
    .innerJoin('clients as c', 'c.auth_id', 'a.id')
    .select((eb) => [
      'a.id',
      'a.password_hash',
      eb.and([eb('a.disabled_at', 'is', null), eb('c.status', 'in', mayAct)]).as('may_sign_in'),
    ])
    .where('a.email_key', '=', emailKey(email))
    .executeTakeFirst()
}

type Try = { readonly email: string; readonly password: string; readonly origin: Origin }

/** The maximum of failures per hour that the owner is notified of. */
const mostNotices = 5

const note =
  (deps: Deps, { email, origin }: Try, kind: SecurityEventKind) =>
  async () => {
    const account = await findAccount(deps, email)
    if (account === undefined) return
    await inOne(deps, origin, (work) => recordSeldom(work, { accountId: account.id, kind }, mostNotices))
  }

/**
 * Counts an attempt; a known browser of the owner is counted separately, so that others cannot lock the owner
 * out.
 */
async function chargeTry(deps: Deps, throttle: Throttle, given: Try): Promise<Buffer[]> {
  const { email, origin } = given
  const account = emailKey(email)
  const blocked = note(deps, given, 'sign-in-blocked')
  const asked = { account: { email }, cookie: origin.device, now: deps.clock.now() }
  const device = await knownDevice(deps.pool.kysely, asked)
  if (device !== undefined)
    return [await throttle.charge(limits.device, `${account}:${device.toString('hex')}`, blocked)]
  const charged = [
    await throttle.charge(limits.address, networkOf(origin.ip)),
    await throttle.charge(limits.account, account, blocked),
  ]
  const everywhere = throttle.charge(limits.everywhere, '').catch(async (error: unknown) => {
    // The global limit is the fault of others: this attempt was not checked, and does not count.
    await throttle.refund(charged)
    throw error
  })
  return [...charged, await everywhere]
}

/** Checks e-mail and password; returns the account. Throws `credentials_wrong`, `attempts_too_many`. */
async function checkPassword(deps: Deps, throttle: Throttle, given: Try): Promise<string> {
  const charged = await chargeTry(deps, throttle, given)
  const account = await findAccount(deps, given.email)
  const matches = await verifyPassword(account?.password_hash, given.password)
  if (!matches || !account?.may_sign_in) {
    await note(deps, given, 'sign-in-failed')()
    throw wrong()
  }
  await throttle.refund(charged)
  return account.id
}

/**
 * Checks e-mail and password and returns the next step, bound to the browser by `binding`. Unknown addresses
 * are answered, counted and blocked like known ones, in the same time.
 */
export async function login(
  deps: Deps,
  throttle: Throttle,
  { binding, ...given }: Try & { readonly binding: string },
): Promise<AfterFirstFactor> {
  const accountId = await failAfterMinimumTime(() => checkPassword(deps, throttle, given))
  const { kysely: db } = deps.pool
  const second = await secondFactorOf(db, accountId)
  // Somebody without the passkey may be a stranger who knows the password.
  if (second === 'passkey') await note(deps, given, 'sign-in-failed')()
  return nextStep(db, { accountId, amr: ['pwd'], binding, now: deps.clock.now() }, second)
}

/** The authenticated person, the methods (RFC 8176), and the `login_tx` of their browser. */
type Proof = {
  readonly accountId: string
  readonly amr: readonly string[]
  readonly binding: string
  readonly now: Date
}

export type AfterFirstFactor = { code: string } | { two_factor: true; challenge: string }

const issueFor = (db: Database, purpose: Purpose, { accountId, amr, binding, now }: Proof, life: number) =>
  issue(db, {
    purpose,
    accountId,
    binding,
    data: { amr: [...amr] },
    expires: new Date(now.getTime() + life),
  })

/** A code for the callback, when no further step is required. */
export function signInCode(db: Database, proof: Proof): Promise<string> {
  return issueFor(db, 'sign-in', proof, lifetimes.code)
}

type SecondFactor = 'code' | 'passkey' | undefined

/** The second factor that an account asks for after a single one (password, Google). */
async function secondFactorOf(db: Database, accountId: string): Promise<SecondFactor> {
  if (await hasTwoFactor(db, accountId)) return 'code'
  return (await needsPasskey(db, accountId)) ? 'passkey' : undefined
}

/**
 * The next step after a single factor (password, Google): with two-factor authentication a challenge for the
 * second step, else the code for the callback. Both are valid only in the browser of `binding`. Throws `passkey_required` for
 * staff who have a passkey and no two-factor authentication.
 */
export async function afterFirstFactor(db: Database, proof: Proof): Promise<AfterFirstFactor> {
  return nextStep(db, proof, await secondFactorOf(db, proof.accountId))
}

/** Like `afterFirstFactor`, for an account whose second factor is known. */
async function nextStep(db: Database, proof: Proof, second: SecondFactor): Promise<AfterFirstFactor> {
  if (second === 'code')
    return { two_factor: true, challenge: await issueFor(db, 'second-factor', proof, lifetimes.challenge) }
  if (second === 'passkey') throw unauthenticated(reason('passkey_required'))
  return { code: await signInCode(db, proof) }
}

const isSingle = (amr: readonly string[]): boolean => amr.length === 1 && amr[0] !== 'passkey'

/** Consumes a sign-in code, after locking its account; undefined when it is invalid, or no longer enough. */
async function redeem({ tx, now }: Work, code: string, binding: string) {
  const presented = { purpose: 'sign-in', token: code, binding, now } as const
  const accountId = (await peek(tx, presented))?.account_id
  if (!accountId) return undefined
  await lockAccountById(tx, accountId)
  const redeemed = await consume(tx, presented)
  if (redeemed === undefined) return undefined
  const { amr } = proofData.parse(redeemed.data)
  // A second factor may have been added between the first factor and its code, which was then not withdrawn.
  if (isSingle(amr) && (await secondFactorOf(tx, accountId)) !== undefined) return undefined
  return { accountId, amr }
}

/**
 * Exchanges a sign-in code for a session, in the browser that requested it; `sign_in_expired` when it is
 * invalid.
 */
export function exchange(
  deps: Deps,
  { code, binding, origin }: { code: string; binding: string; origin: Origin },
): Promise<Opened> {
  return inOne(deps, origin, async (work) => {
    const redeemed = await redeem(work, code, binding)
    if (redeemed === undefined) throw unauthenticated(reason('sign_in_expired'))
    return enter(work, redeemed)
  })
}

/**
 * Uses the code of a new sign-in to mark an existing session as just authenticated. Throws
 * `confirmation_invalid` for a code that is used, expired, of another browser or of another account.
 */
export async function confirm(
  deps: Deps,
  {
    actor,
    code,
    binding,
    origin,
  }: { actor: Pick<Actor, 'accountId' | 'sessionId'>; code: string; binding: string; origin: Origin },
): Promise<void> {
  await inOne(deps, origin, async (work) => {
    const { tx, now } = work
    const redeemed = await redeem(work, code, binding)
    if (redeemed?.accountId !== actor.accountId) throw refuse('confirmation_invalid')
    await tx
      .updateTable('auth_sessions')
      .set({ authenticated_at: now.toISOString() })
      .where('id', '=', actor.sessionId)
      .execute()
  })
}
