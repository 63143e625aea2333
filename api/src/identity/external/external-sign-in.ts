import * as z from 'zod/mini'
import { lifetimes } from '#identity/config.ts'
import { sha256 } from '#identity/crypto.ts'
import type { Deps, Origin } from '#identity/deps.ts'
import { inOne, type Work } from '#identity/identity-context.ts'
import type { Opened } from '#identity/sessions/sessions.ts'
import { consume, issue, peek } from '#identity/sign-in/one-time.ts'
import { afterFirstFactor, confirm, exchange } from '#identity/sign-in/sign-in.ts'
import type { Actor } from '#platform/context.ts'
import { isSqlState } from '#platform/db/sql-states.ts'
import { refuse } from '#platform/errors/problem.ts'
import { accountFor, linkTo } from './identities.ts'
import { notSignedIn, type RelyingParty, type Secrets, type Vouched } from './oidc.ts'

const kept = z.object({ verifier: z.string(), nonce: z.string() })
const stored = z.object({ sealed: z.string() })

/** The OAuth state: it identifies the browser's cookie without revealing it. */
const stateOf = (cookie: string) => sha256(`state of ${cookie}`).toString('base64url')

/**
 * Starts a sign-in with a provider, or linking for a signed-in person: returns the address to redirect to,
 * and the cookie that the return requires. Throws `provider_unreachable`.
 */
export async function begin(
  { pool, clock, vault }: Deps,
  party: RelyingParty,
  accountId: string | null,
): Promise<{ url: string; cookie: string }> {
  const { secrets, url } = await party.begin()
  const cookie = await issue(pool.kysely, {
    purpose: 'elsewhere',
    accountId,
    binding: party.provider.name,
    data: { sealed: vault.seal(JSON.stringify(secrets)).toString('base64') },
    expires: new Date(clock.now().getTime() + lifetimes.elsewhere),
  })
  return { url: url(stateOf(cookie)), cookie }
}

/** An external sign-in that returned to the browser that started it. */
export type Begun = {
  readonly state: string
  /** The account to link; null for a sign-in. */
  readonly accountId: string | null
  /** Returns the stored secrets, once. Throws `external_sign_in_incomplete`. */
  readonly redeem: () => Promise<Secrets>
}

/**
 * Finds the sign-in for a returning browser. Throws `external_sign_in_incomplete` when this browser started
 * none, or it has expired.
 */
export async function resumeExternalSignIn(
  { pool, clock, vault }: Deps,
  { provider }: RelyingParty,
  { cookie, state }: { cookie: string | undefined; state: string | undefined },
): Promise<Begun> {
  // Compared before anything is consumed: a forged state must not end a sign-in in progress.
  if (cookie === undefined || state === undefined || !sha256(state).equals(sha256(stateOf(cookie))))
    throw notSignedIn()
  const presented = { purpose: 'elsewhere', token: cookie, binding: provider.name, now: clock.now() } as const
  const begun = await peek(pool.kysely, presented)
  if (begun === undefined) throw notSignedIn()
  const redeem = async () => {
    const redeemed = await consume(pool.kysely, presented)
    if (redeemed === undefined) throw notSignedIn()
    const sealed = Buffer.from(stored.parse(redeemed.data).sealed, 'base64')
    return kept.parse(JSON.parse(vault.unseal(sealed)))
  }
  return { state, accountId: begun.account_id, redeem }
}

/**
 * Repeats the work once after a unique violation: a concurrent request may have opened or linked the same
 * account.
 */
async function inOneOrAgain<T>(deps: Deps, origin: Origin, verb: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await inOne(deps, origin, verb)
  } catch (error) {
    if (!isSqlState(error, 'uniqueViolation')) throw error
    return inOne(deps, origin, verb)
  }
}

/** Links the external identity to the account that started the linking; see `linkTo`. */
export function completeLink(deps: Deps, actor: Actor, vouched: Vouched, origin: Origin): Promise<void> {
  return inOneOrAgain(deps, origin, (work) => linkTo(work, actor, vouched))
}

type Completed =
  | { readonly opened: Opened }
  /** The second step is required, in the browser of `binding`. */
  | { readonly challenge: string }
  /**
   * The account of a person who was already signed in: their session counts as just authenticated, and no new
   * one is opened.
   */
  | { readonly confirmed: Pick<Actor, 'accountId' | 'sessionId'> }

/**
 * Completes a sign-in: finds or opens the account (see `accountFor`), then its session, unless a second step
 * follows. Throws `identity_not_linked`.
 */
export async function completeSignIn(
  deps: Deps,
  vouched: Vouched,
  more: {
    readonly binding: string
    readonly origin: Origin
    readonly language: string
    /** The person who is already signed in to the browser. */
    readonly present: Actor | undefined
  },
): Promise<Completed> {
  const { binding, origin, language, present } = more
  const proven = await inOneOrAgain(deps, origin, async (work) => {
    const found = await accountFor(work, vouched, language)
    if (found === undefined) return undefined
    const proof = { accountId: found, amr: ['google'], binding, now: work.now }
    return { accountId: found, next: await afterFirstFactor(work.tx, proof) }
  })
  // Thrown after the commit, so that the letter to the owner and the log entry are kept.
  if (proven === undefined) throw refuse('identity_not_linked')
  const { accountId, next } = proven
  if ('challenge' in next) return { challenge: next.challenge }
  const { code } = next
  if (present?.accountId !== accountId) return { opened: await exchange(deps, { code, binding, origin }) }
  await confirm(deps, { actor: present, code, binding, origin })
  return { confirmed: present }
}
