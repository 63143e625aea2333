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

/** What the provider is told of the browser's cookie: enough to tell browsers apart, and nothing to make the cookie from. */
const stateOf = (cookie: string) => sha256(`state of ${cookie}`).toString('base64url')

/**
 * Begins a sign-in with a provider, or a linking for somebody who is signed in: the address to go to, and the cookie without
 * which nobody comes back. Throws `provider_unreachable`.
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

/** A sign-in that comes back to the browser that began it. */
export type Begun = {
  readonly state: string
  /** Whose account is to be linked; null for a sign-in. */
  readonly accountId: string | null
  /** What was kept for it, this one time. Throws `external_sign_in_incomplete`. */
  readonly redeem: () => Promise<Secrets>
}

/** Finds what comes back. Throws `external_sign_in_incomplete` when nothing like it was begun in this browser, or not any more. */
export async function comeBack(
  { pool, clock, vault }: Deps,
  { provider }: RelyingParty,
  { cookie, state }: { cookie: string | undefined; state: string | undefined },
): Promise<Begun> {
  // Compared before anything is used up: a link with a made-up state must not end a sign-in that is under way.
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

/** Somebody else may open or link the very account at this moment: at the second look it is there. */
async function inOneOrAgain<T>(deps: Deps, origin: Origin, verb: (work: Work) => Promise<T>): Promise<T> {
  try {
    return await inOne(deps, origin, verb)
  } catch (error) {
    if (!isSqlState(error, 'uniqueViolation')) throw error
    return inOne(deps, origin, verb)
  }
}

/** Links what a provider vouched for to the account that the linking was begun in; see `linkTo`. */
export function completeLink(deps: Deps, actor: Actor, vouched: Vouched, origin: Origin): Promise<void> {
  return inOneOrAgain(deps, origin, (work) => linkTo(work, actor, vouched))
}

type Completed =
  | { readonly opened: Opened }
  /** What the second step asks for, in the browser of `binding`. */
  | { readonly challenge: string }
  /** The account of somebody who was signed in already: their session counts as signed in just now, and no other is opened. */
  | { readonly confirmed: string }

/** Ends a sign-in: finds or opens the account (see `accountFor`), then its session, unless a second step is to follow. Throws `identity_not_linked`. */
export async function completeSignIn(
  deps: Deps,
  vouched: Vouched,
  more: {
    readonly binding: string
    readonly origin: Origin
    readonly language: string
    /** Who is signed in to the browser already. */
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
  // After the commit, which the letter to the owner and the line of the log are part of.
  if (proven === undefined) throw refuse('identity_not_linked')
  const { accountId, next } = proven
  if ('challenge' in next) return { challenge: next.challenge }
  const { code } = next
  if (present?.accountId !== accountId) return { opened: await exchange(deps, { code, binding, origin }) }
  await confirm(deps, { actor: present, code, binding, origin })
  return { confirmed: accountId }
}
