import { lockAccountById } from '#identity/accounts.ts'
import { limits } from '#identity/config.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { knownDevice } from '#identity/security/devices.ts'
import { record } from '#identity/security/events.ts'
import { tell } from '#identity/security/letters.ts'
import { lockLive } from '#identity/sessions/live-session.ts'
import { unauthenticated } from '#identity/sessions/refusal.ts'
import { revokeOthers } from '#identity/sessions/sessions.ts'
import { consume, peek } from '#identity/sign-in/one-time.ts'
import { proofData, signInCode } from '#identity/sign-in/sign-in.ts'
import type { Throttle } from '#identity/sign-in/throttle.ts'
import type { Actor } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { codesLeft, removeCodes, renewCodes, spendCode } from './recovery-codes.ts'
import { newSecret, otpauthUrl, stepOf } from './totp.ts'

type Person = Pick<Actor, 'accountId' | 'sessionId'>

const wrongCode = () => refuse('code_invalid', {}, { source: { pointer: '/code' } })

/** Whether two-factor authentication is on, and how many recovery codes were not used yet. */
export async function twoFactorOf(db: Database, accountId: string) {
  const totp = await db
    .selectFrom('auth_totp')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return { enabled: totp !== undefined, recovery_codes_left: await codesLeft(db, accountId) }
}

/** Accepts six digits of a secret, and their time step never again. */
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

/** What is stored of an account's authenticator app, locked, so that one thing at a time happens with it. */
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

/** Uses a code up: six digits of the app, or a recovery code; undefined when it is neither. */
async function spend(work: Work, accountId: string, code: string): Promise<How | undefined> {
  const totp = await lockTotp(work.tx, accountId)
  if (!totp?.enabled_at || !totp.secret_sealed) throw refuse('two_factor_off')
  const digits = code.replace(/[\s-]/g, '')
  if (/^\d{6}$/.test(digits))
    return (await spendDigits(work, accountId, totp.secret_sealed, digits)) ? 'otp' : undefined
  if (!(await spendCode(work.tx, accountId, code, work.now))) return undefined
  const left = await codesLeft(work.tx, accountId)
  await record(work, { accountId, kind: 'recovery-code-used' })
  await tell(work, accountId, (about) => ({ kind: 'recovery-code-used', left, ...about }))
  return 'recovery'
}

/** What the one who guesses may not notice: the owner is told, once for each block. */
const tellGuessed = (deps: Deps, origin: Origin, accountId: string) => () =>
  inOne(deps, origin, async (work) => {
    await record(work, { accountId, kind: 'sign-in-blocked' })
    await tell(work, accountId, (about) => ({ kind: 'two-factor-guessed', ...about }))
  })

/** What tries are counted for: in a browser that the owner uses apart, so that a stranger's do not shut the owner out. */
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
  /** The session that a code is given in; null while one signs in. */
  readonly sessionId: string | null
  readonly code: string
  readonly origin: Origin
}

/** Locks the account of whoever gives a code, who is still to be signed in where they were. */
const lockHolder = (work: Work, { accountId, sessionId }: Pick<Try, 'accountId' | 'sessionId'>) =>
  sessionId === null ? lockAccountById(work.tx, accountId) : lockLive(work, { accountId, sessionId })

/**
 * Does what a code of the person is needed for, in the transaction that uses the code up. Throws `code_invalid`, and
 * `attempts_too_many` after five wrong ones, wherever in the portal they were tried.
 */
async function withCode<T>(
  deps: Deps,
  throttle: Throttle,
  { accountId, sessionId, code, origin }: Try,
  verb: (work: Work, how: How) => Promise<T>,
): Promise<T> {
  const subject = await guessedAt(deps, accountId, origin)
  const charged = await throttle.charge(limits.secondFactor, subject, tellGuessed(deps, origin, accountId))
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

/** The second step of a sign-in: a code for the callback, in exchange for the challenge of the first step and a code. */
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

/** A new secret, which is worth nothing until `enable`. Throws `two_factor_on` while another one is in use. */
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
  return { secret, otpauth_url: await otpauthUrl(secret, email) }
}

async function setEnabled({ tx, now }: Work, accountId: string, enabled: boolean): Promise<void> {
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

/** Ends what one factor opened, or is about to open, but the session that turns the other factor on. */
async function endOneFactor(work: Work, person: Person): Promise<void> {
  await revokeOthers(work, person, 'two-factor-enabled')
  await work.tx
    .deleteFrom('auth_one_time')
    .where('account_id', '=', person.accountId)
    .where('purpose', '=', 'sign-in')
    .execute()
}

/**
 * Turns two-factor authentication on, once a code shows that the app has the secret, and returns the recovery codes. The
 * other sessions end: they were opened without the second factor. Throws `code_invalid`,
 * `two_factor_on` and `two_factor_not_set_up`.
 */
export async function enable(
  deps: Deps,
  throttle: Throttle,
  { accountId, sessionId }: Person,
  { code, origin }: Omit<Try, keyof Person>,
): Promise<string[]> {
  // Counted apart: who sets it up was told the secret and guesses nothing, but mistakes here are not to close sign-in.
  const charged = await throttle.charge(limits.secondFactor, `enable:${accountId}`)
  const codes = await inOne(deps, origin, async (work) => {
    await lockLive(work, { accountId, sessionId })
    const totp = await lockTotp(work.tx, accountId)
    if (totp?.enabled_at) throw refuse('two_factor_on')
    if (!totp?.secret_sealed) throw refuse('two_factor_not_set_up')
    const digits = code.replace(/[\s-]/g, '')
    if (!/^\d{6}$/.test(digits)) return undefined
    if (!(await spendDigits(work, accountId, totp.secret_sealed, digits))) return undefined
    await setEnabled(work, accountId, true)
    await endOneFactor(work, { accountId, sessionId })
    await record(work, { accountId, kind: 'two-factor-enabled' })
    await tell(work, accountId, (about) => ({ kind: 'two-factor-enabled', ...about }))
    return renewCodes(work.tx, accountId)
  })
  if (codes === undefined) throw wrongCode()
  await throttle.refund([charged])
  return codes
}

/** Turns two-factor authentication off, for a code of the app or a recovery code. */
export function disable(deps: Deps, throttle: Throttle, given: Try): Promise<void> {
  return withCode(deps, throttle, given, async (work) => {
    await setEnabled(work, given.accountId, false)
    await removeCodes(work.tx, given.accountId)
    await record(work, { accountId: given.accountId, kind: 'two-factor-disabled' })
    await tell(work, given.accountId, (about) => ({ kind: 'two-factor-disabled', ...about }))
  })
}

/** Ten new recovery codes in place of the old ones, for a code of the app or one of the old ones. */
export function renewRecoveryCodes(deps: Deps, throttle: Throttle, given: Try): Promise<string[]> {
  return withCode(deps, throttle, given, async (work) => {
    await record(work, { accountId: given.accountId, kind: 'recovery-codes-renewed' })
    await tell(work, given.accountId, (about) => ({ kind: 'recovery-codes-renewed', ...about }))
    return renewCodes(work.tx, given.accountId)
  })
}
