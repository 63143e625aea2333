import { lockAccountById } from '#identity/accounts.ts'
import { lifetimes, limits } from '#identity/config.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import { record, recordSeldom } from '#identity/security/events.ts'
import { queueOwnerLetter } from '#identity/security/letters.ts'
import { assertWayIn } from '#identity/security/sign-in-methods.ts'
import { lockLive } from '#identity/sessions/live-session.ts'
import { unauthenticated } from '#identity/sessions/refusal.ts'
import { consume, issue } from '#identity/sign-in/one-time.ts'
import { assertByPasskey, beginSecondFactor } from '#identity/sign-in/passkeys/staff-passkeys.ts'
import { signInCode } from '#identity/sign-in/sign-in.ts'
import { networkOf, type Throttle } from '#identity/sign-in/throttle.ts'
import type { Actor } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { mayAct } from '#reference/client-status.ts'
import { creationOptions, readAsserted, readCreated, requestOptions } from './webauthn.ts'

// More than a person has devices; browsers are sent all of them when adding one.
const mostPasskeys = 20

/** The maximum of failures per hour that the owner is notified of. */
const mostNotices = 5

const columns = ['id', 'name', 'synced', 'created_at', 'last_used_at'] as const

const until = (deps: Deps) => new Date(deps.clock.now().getTime() + lifetimes.challenge)

type Person = Pick<Actor, 'accountId' | 'sessionId'>

/** The passkeys of an account, oldest first. */
export function passkeysOf(db: Database, accountId: string) {
  return db
    .selectFrom('auth_passkeys')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
}

/** How many passkeys an account has. */
export async function countPasskeys(db: Database, accountId: string): Promise<number> {
  return (await passkeysOf(db, accountId)).length
}

/**
 * The options to create a passkey, valid in this session for five minutes. Throws `passkeys_most` when the
 * account has the maximum.
 */
export async function newPasskeyOptions(deps: Deps, { accountId, sessionId }: Person) {
  const db = deps.pool.kysely
  const person = await db
    .selectFrom('auth_accounts as a')
    .innerJoin('clients as c', 'c.auth_id', 'a.id')
    .select(['a.email', 'c.first_name', 'c.last_name'])
    .where('a.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const known = await db
    .selectFrom('auth_passkeys')
    .select(['credential_id as id', 'transports'])
    .where('account_id', '=', accountId)
    .execute()
  if (known.length >= mostPasskeys) throw refuse('passkeys_most', { most: mostPasskeys })
  const challenge = await issue(db, {
    purpose: 'new-passkey',
    accountId,
    binding: sessionId,
    data: {},
    expires: until(deps),
  })
  const name = `${person.first_name} ${person.last_name}`
  return creationOptions(deps, { accountId, email: person.email, name, challenge, known })
}

/** Stores the created passkey. Throws `passkey_unverified` when its response is invalid, `passkey_known`. */
export async function addPasskey(
  deps: Deps,
  { accountId, sessionId }: Person,
  { name, response, origin }: { name: string; response: unknown; origin: Origin },
) {
  const refused = () => refuse('passkey_unverified', {}, { source: { pointer: '/response' } })
  const answer = readCreated(response)
  if (answer === undefined) throw refused()
  const asked = { purpose: 'new-passkey', token: answer.challenge, binding: sessionId } as const
  // Outside the transaction below, because a failure consumes the challenge too.
  if (!(await consume(deps.pool.kysely, { ...asked, now: deps.clock.now() }))) throw refused()
  const credential = await answer.verify(deps)
  if (credential === undefined) throw refused()
  return inOne(deps, origin, async (work) => {
    await lockLive(work, { accountId, sessionId })
    await assertByPasskey(work, { accountId, sessionId })
    const added = await work.tx
      .insertInto('auth_passkeys')
      .values({
        credential_id: credential.id,
        account_id: accountId,
        name,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: [...credential.transports],
        synced: credential.synced,
        created_at: work.now.toISOString(),
      })
      .onConflict((on) => on.column('credential_id').doNothing())
      .returning(columns)
      .executeTakeFirst()
    if (added === undefined) throw refuse('passkey_known')
    await beginSecondFactor(work, { accountId, sessionId })
    await record(work, { accountId, kind: 'passkey-added', about: name })
    await queueOwnerLetter(work, accountId, (about) => ({ kind: 'passkey-added', passkey: name, ...about }))
    return added
  })
}

const noPasskey = () => refuse('passkey_not_found')

export function renamePasskey(
  deps: Deps,
  person: Person,
  { id, name, origin }: { id: number; name: string; origin: Origin },
) {
  const { accountId } = person
  return inOne(deps, origin, async (work) => {
    await lockLive(work, person)
    const renamed = await work.tx
      .updateTable('auth_passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning(columns)
      .executeTakeFirst()
    if (renamed === undefined) throw noPasskey()
    await record(work, { accountId, kind: 'passkey-renamed', about: name })
    return renamed
  })
}

/** Removes a passkey. Throws `way_in_last` when it is the only way in, and `staff_second_factor_required`. */
export function removePasskey(
  deps: Deps,
  person: Person,
  { id, origin }: { id: number; origin: Origin },
): Promise<void> {
  const { accountId } = person
  return inOne(deps, origin, async (work) => {
    await lockLive(work, person)
    await assertByPasskey(work, person)
    const removed = await work.tx
      .deleteFrom('auth_passkeys')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning('name')
      .executeTakeFirst()
    if (removed === undefined) throw noPasskey()
    await assertWayIn(work.tx, accountId)
    await record(work, { accountId, kind: 'passkey-removed', about: removed.name })
    await queueOwnerLetter(work, accountId, (about) => ({
      kind: 'passkey-removed',
      passkey: removed.name,
      ...about,
    }))
  })
}

/** The options to sign in with any passkey, for the browser of `binding` and five minutes. */
export async function passkeyOptions(deps: Deps, binding: string) {
  const challenge = await issue(deps.pool.kysely, {
    purpose: 'passkey',
    accountId: null,
    binding,
    data: {},
    expires: until(deps),
  })
  return requestOptions(deps, challenge)
}

async function findPasskey(db: Database, credentialId: string) {
  return db
    .selectFrom('auth_passkeys as p')
    .innerJoin('auth_accounts as a', 'a.id', 'p.account_id')
    .innerJoin('clients as c', 'c.auth_id', 'a.id')
    .select(['p.id', 'p.account_id', 'p.name', 'p.public_key', 'p.counter'])
    .where('p.credential_id', '=', credentialId)
    .where('a.disabled_at', 'is', null)
    .where('c.status', 'in', mayAct)
    .executeTakeFirst()
}

/**
 * Stores the counter of a valid response. It must increase: otherwise the authenticator was cloned, or the
 * response was replayed. Synced passkeys always report zero.
 */
async function advance({ tx, now }: Work, id: number, seen: { counter: number; synced: boolean }) {
  const { numUpdatedRows } = await tx
    .updateTable('auth_passkeys')
    .set({ ...seen, last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('counter', '<', seen.counter),
        eb.and([eb('counter', '=', 0), eb(eb.val(seen.counter), '=', 0)]),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Signs in with a passkey and returns a code for the callback. It needs no second factor, because the
 * authenticator has verified the person. Every refusal is the same, `passkey_not_accepted`;
 * `attempts_too_many` after too many from one address.
 */
export async function verifyPasskey(
  deps: Deps,
  throttle: Throttle,
  { response, binding, origin }: { response: unknown; binding: string; origin: Origin },
): Promise<string> {
  const refused = () => unauthenticated(reason('passkey_not_accepted'))
  const charged = await throttle.charge(limits.passkey, networkOf(origin.ip))
  const answer = readAsserted(response)
  if (answer === undefined) throw refused()
  const asked = { purpose: 'passkey', token: answer.challenge, binding, now: deps.clock.now() } as const
  if (!(await consume(deps.pool.kysely, asked))) throw refused()
  const passkey = await findPasskey(deps.pool.kysely, answer.credentialId)
  if (passkey === undefined || !answer.isOf(passkey.account_id)) throw refused()
  const { id, account_id: accountId, name, counter } = passkey
  const publicKey = new Uint8Array(passkey.public_key)
  const seen = await answer.verify(deps, { id: answer.credentialId, publicKey, counter })
  const code = await inOne(deps, origin, async (work) => {
    await lockAccountById(work.tx, accountId)
    if (seen && (await advance(work, id, seen)))
      return signInCode(work.tx, { accountId, amr: ['passkey'], binding, now: work.now })
    await recordSeldom(work, { accountId, kind: 'sign-in-failed', about: name }, mostNotices)
    return undefined
  })
  if (code === undefined) throw refused()
  await throttle.refund([charged])
  return code
}
