import { lockAccountById } from '#identity/accounts.ts'
import { limits } from '#identity/config.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { endSetup } from '#identity/first-admin/setup-state.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { knownDevice } from '#identity/security/devices.ts'
import { record } from '#identity/security/events.ts'
import { queueOwnerLetter } from '#identity/security/letters.ts'
import { lockLive } from '#identity/sessions/live-session.ts'
import { unauthenticated } from '#identity/sessions/refusal.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { consume, peek } from '#identity/sign-in/one-time.ts'
import { assertByPasskey } from '#identity/sign-in/passkeys/staff-passkeys.ts'
import { proofData, signInCode } from '#identity/sign-in/sign-in.ts'
import type { Throttle } from '#identity/sign-in/throttle.ts'
import type { Actor } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { hasTwoFactor } from './has-two-factor.ts'
import { codesLeft, removeCodes, renewCodes, spendCode } from './recovery-codes.ts'
import { newSecret, otpauthUrl, stepOf } from './totp.ts'

type Person = Pick<Actor, 'accountId' | 'sessionId'>

const wrongCode = () => refuse('code_invalid', {}, { source: { pointer: '/code' } })

/** Whether two-factor authentication is on, and the number of unused recovery codes. */
export async function twoFactorOf(db: Database, accountId: string) {
  return {
    enabled: await hasTwoFactor(db, accountId),
    recovery_codes_left: await codesLeft(db, accountId),
  }
}

/** Accepts six digits of a secret, each time step only once. */
async function spendDigits({ tx, now, vault }: Work, accountId: string, sealed: Buffer, digits: string) {
  const step = await stepOf(vault.unseal(sealed), digits, now)
  if (step === undefined) return false
  const { numUpdatedRows } = await tx
    .updateTable('auth_totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The stored authenticator secret of an account, locked to serialize its use. */
async function lockTotp(tx: Database, accountId: string) {
  return tx
    .selectFrom('auth_totp')
    .select(['secret_sealed', 'enabled_at'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
}

/** How a code was accepted, for `amr`: six digits (RFC 8176) or a recovery code. */
type How = 'otp' | 'recovery'

/** Consumes a code: six digits of the app, or a recovery code; undefined when it is neither. */
async function spend(work: Work, accountId: string, code: string): Promise<How | undefined> {
  const totp = await lockTotp(work.tx, accountId)
  if (!totp?.enabled_at || !totp.secret_sealed) throw refuse('two_factor_off')
  const digits = code.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(digits))
    return (await spendDigits(work, accountId, totp.secret_sealed, digits)) ? 'otp' : undefined
  if (!(await spendCode(work.tx, accountId, code, work.now))) return undefined
  const left = await codesLeft(work.tx, accountId)
  await record(work, { accountId, kind: 'recovery-code-used' })
  await queueOwnerLetter(work, accountId, (about) => ({ kind: 'recovery-code-used', left, ...about }))
  return 'recovery'
}

/** Notifies the owner of guessed codes, once per block, without the guesser noticing. */
const notifyOfGuessing = (deps: Deps, origin: Origin, accountId: string) => () =>
  inOne(deps, origin, async (work) => {
    await record(work, { accountId, kind: 'sign-in-blocked' })
    await queueOwnerLetter(work, accountId, (about) => ({ kind: 'two-factor-guessed', ...about }))
  })

/**
 * The subject for counting attempts: a known browser of the owner is separate, so that a stranger cannot lock
 * the owner out.
 */
async function guessedAt(
  { pool, clock }: Deps,
  accountId: string,
  { device: cookie }: Origin,
): Promise<string> {
  const asked = { account: { id: accountId }, cookie, now: clock.now() }
  const device = await knownDevice(pool.kysely, asked)
  return device === undefined ? accountId : `${accountId}:${device.toString('hex')}`
}

type Try = {
  readonly accountId: string
  /** The session of the code; null during sign-in. */
  readonly sessionId: string | null
  readonly code: string
  readonly origin: Origin
}

/** Locks the account of a code, and re-checks the session if there is one. */
const lockHolder = (work: Work, { accountId, sessionId }: Pick<Try, 'accountId' | 'sessionId'>) =>
  sessionId === null ? lockAccountById(work.tx, accountId) : lockLive(work, { accountId, sessionId })

/**
 * Runs work that needs a second-factor code, in the transaction that consumes the code. Throws
 * `code_invalid`, and `attempts_too_many` after five wrong ones anywhere in the portal.
 */
async function withCode<T>(
  deps: Deps,
  throttle: Throttle,
  { accountId, sessionId, code, origin }: Try,
  verb: (work: Work, how: How) => Promise<T>,
): Promise<T> {
  const subject = await guessedAt(deps, accountId, origin)
  const charged = await throttle.charge(
    limits.secondFactor,
    subject,
    notifyOfGuessing(deps, origin, accountId),
  )
  const done = await inOne(deps, origin, async (work) => {
    await lockHolder(work, { accountId, sessionId })
    const how = await spend(work, accountId, code)
    if (how !== undefined) return { result: await verb(work, how) }
    await record(work, { accountId, kind: 'two-factor-failed' })
    return undefined
  })
  if (done === undefined) throw wrongCode()
  await throttle.refund([charged])
  return done.result
}

/** The second step of a sign-in: exchanges the challenge of the first step and a code for a callback code. */
export async function secondStep(
  deps: Deps,
  throttle: Throttle,
  { challenge, code, binding, origin }: { challenge: string; binding: string } & Omit<Try, keyof Person>,
): Promise<string> {
  const expired = () => unauthenticated(reason('sign_in_expired'))
  const presented = { purpose: 'second-factor', token: challenge, binding, now: deps.clock.now() } as const
  const accountId = (await peek(deps.pool.kysely, presented))?.account_id
  if (!accountId) throw expired()
  const given = { accountId, sessionId: null, code, origin }
  return withCode(deps, throttle, given, async ({ tx, now }, how) => {
    const redeemed = await consume(tx, presented)
    if (redeemed === undefined) throw expired()
    const { amr } = proofData.parse(redeemed.data)
    return signInCode(tx, { accountId, amr: [...amr, how], binding, now })
  })
}

/** A new secret, which has no effect until `enable`. Throws `two_factor_on` while another one is in use. */
export async function setUp(deps: Deps, person: Person, origin: Origin) {
  const { accountId } = person
  const secret = await newSecret()
  const secret_sealed = deps.vault.seal(secret)
  const email = await inOne(deps, origin, async (work) => {
    const account = await lockLive(work, person)
    const kept = await work.tx
      .insertInto('auth_totp')
      .values({ account_id: accountId, secret_sealed })
      .onConflict((on) =>
        on.column('account_id').doUpdateSet({ secret_sealed }).where('auth_totp.enabled_at', 'is', null),
      )
      .returning('account_id')
      .executeTakeFirst()
    if (kept === undefined) throw refuse('two_factor_on')
    return account.email
  })
  return { secret, otpauth_url: await otpauthUrl(secret, email, deps.brandName()) }
}

/** Turns the second factor of an account on or off; its sessions and codes are the caller’s. */
export async function setEnabled(
  { tx, now }: Pick<Work, 'now'> & { readonly tx: Database },
  accountId: string,
  enabled: boolean,
): Promise<void> {
  await tx
    .updateTable('auth_totp')
    .set(enabled ? { enabled_at: now.toISOString() } : { enabled_at: null, secret_sealed: null })
    .where('account_id', '=', accountId)
    .execute()
  await tx
    .updateTable('clients')
    .set({ two_fa_enabled: enabled ? 1 : 0 })
    .where('auth_id', '=', accountId)
    .execute()
}

/** Ends sessions and pending sign-ins with a single factor, except the session that enables the second. */
async function endOneFactor(work: Work, person: Person): Promise<void> {
  await revokeOthers(work, person, 'two-factor-enabled')
  await work.tx
    .deleteFrom('auth_one_time')
    .where('account_id', '=', person.accountId)
    .where('purpose', '=', 'sign-in')
    .execute()
}

/**
 * Enables two-factor authentication, once a code proves that the app has the secret, and returns the recovery
 * codes. The other sessions end, because they were opened without the second factor. Throws `code_invalid`,
 * `two_factor_on`, `two_factor_not_set_up`, and `staff_second_factor_required`.
 */
export async function enable(
  deps: Deps,
  throttle: Throttle,
  { accountId, sessionId }: Person,
  { code, origin }: Omit<Try, keyof Person>,
): Promise<string[]> {
  // Counted separately: during set-up the person knows the secret, and mistakes must not block sign-in.
  const charged = await throttle.charge(limits.secondFactor, `enable:${accountId}`)
  const codes = await inOne(deps, origin, async (work) => {
    await lockLive(work, { accountId, sessionId })
    await assertByPasskey(work, { accountId, sessionId })
    const totp = await lockTotp(work.tx, accountId)
    if (totp?.enabled_at) throw refuse('two_factor_on')
    if (!totp?.secret_sealed) throw refuse('two_factor_not_set_up')
    const digits = code.replace(/[\s-]/g, '')
    if (!/^\d{6}$/.test(digits)) return undefined
    if (!(await spendDigits(work, accountId, totp.secret_sealed, digits))) return undefined
    await setEnabled(work, accountId, true)
    await endOneFactor(work, { accountId, sessionId })
    await record(work, { accountId, kind: 'two-factor-enabled' })
    await endSetup(work, accountId)
    await queueOwnerLetter(work, accountId, (about) => ({ kind: 'two-factor-enabled', ...about }))
    return renewCodes(work.tx, accountId)
  })
  if (codes === undefined) throw wrongCode()
  await throttle.refund([charged])
  return codes
}

/** Disables two-factor authentication, with a code of the app or a recovery code. */
export function disable(deps: Deps, throttle: Throttle, given: Try): Promise<void> {
  return withCode(deps, throttle, given, async (work) => {
    await setEnabled(work, given.accountId, false)
    await removeCodes(work.tx, given.accountId)
    await record(work, { accountId: given.accountId, kind: 'two-factor-disabled' })
    await queueOwnerLetter(work, given.accountId, (about) => ({ kind: 'two-factor-disabled', ...about }))
  })
}

/** Replaces the recovery codes by ten new ones, with a code of the app or an old recovery code. */
export function renewRecoveryCodes(deps: Deps, throttle: Throttle, given: Try): Promise<string[]> {
  return withCode(deps, throttle, given, async (work) => {
    await record(work, { accountId: given.accountId, kind: 'recovery-codes-renewed' })
    await queueOwnerLetter(work, given.accountId, (about) => ({ kind: 'recovery-codes-renewed', ...about }))
    return renewCodes(work.tx, given.accountId)
  })
}
