import * as z from 'zod/mini'
import { emailKey, lockAccountById, mayAct } from '#identity/accounts.ts'
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
import { enter } from './enter.ts'
import { failSlowly } from './minimum-time.ts'
import { consume, issue, type Purpose, peek } from './one-time.ts'
import { networkOf, type Throttle } from './throttle.ts'

/** What is kept with a code or a challenge. */
export const proofData = z.object({ amr: z.array(z.string()) })

// One answer for a wrong password, an unknown address and an account that may not sign in.
const wrong = () => unauthenticated(reason('credentials_wrong'))

/** The identity behind an address, with whether it may sign in at all. */
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

/** How many failures of an hour the owner is told, at most. */
const mostTold = 5

const note =
  (deps: Deps, { email, origin }: Try, kind: SecurityEventKind) =>
  async () => {
    const account = await findAccount(deps, email)
    if (account === undefined) return
    await inOne(deps, origin, (work) => recordSeldom(work, { accountId: account.id, kind }, mostTold))
  }

/** Counts a try in a browser that the owner uses apart from those of everybody else, who could lock the owner out. */
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
    // The flood is others' doing: this try was not looked at, and does not count.
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
 * Checks e-mail and password and returns what comes next, bound to the browser by `binding`. Unknown addresses are
 * answered, counted and blocked as known ones are, and after the same time.
 */
export async function login(
  deps: Deps,
  throttle: Throttle,
  { binding, ...given }: Try & { readonly binding: string },
): Promise<AfterFirstFactor> {
  const accountId = await failSlowly(() => checkPassword(deps, throttle, given))
  const now = deps.clock.now()
  return afterFirstFactor(deps.pool.kysely, { accountId, amr: ['pwd'], binding, now })
}

/** Who has proved who they are, how (RFC 8176), and the `login_tx` of the browser that the proof came from. */
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

/** A code for the callback, for somebody of whom nothing more is to be asked. */
export function signInCode(db: Database, proof: Proof): Promise<string> {
  return issueFor(db, 'sign-in', proof, lifetimes.code)
}

/**
 * What follows a first proof that is not enough by itself where two-factor authentication is on (password, Google): then a
 * challenge for the second step, else the code for the callback. Both only work in the browser of `binding`.
 */
export async function afterFirstFactor(db: Database, proof: Proof): Promise<AfterFirstFactor> {
  const totp = await db
    .selectFrom('auth_totp')
    .select('account_id')
    .where('account_id', '=', proof.accountId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  if (totp === undefined) return { code: await signInCode(db, proof) }
  return { two_factor: true, challenge: await issueFor(db, 'second-factor', proof, lifetimes.challenge) }
}

/** Uses a sign-in code up, with the account that it is for locked before; undefined when it is good for nothing. */
async function redeem({ tx, now }: Work, code: string, binding: string) {
  const presented = { purpose: 'sign-in', token: code, binding, now } as const
  const accountId = (await peek(tx, presented))?.account_id
  if (!accountId) return undefined
  await lockAccountById(tx, accountId)
  const redeemed = await consume(tx, presented)
  return redeemed && { accountId, ...proofData.parse(redeemed.data) }
}

/** Exchanges a sign-in code for a session, in the browser that asked for it; `sign_in_expired` when it is good for nothing. */
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
 * Redeems the code of a new sign-in for a session that is there already, which then counts as signed in just now. Throws
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
