import type { FastifyRequest } from 'fastify'
import { ApiKeys, isApiKey } from '#identity/api-keys/authenticate-key.ts'
import { lifetimes } from '#identity/config.ts'
import type { Deps } from '#identity/deps.ts'
import type { Actor } from '#platform/context.ts'
import type { Pool } from '#platform/db/pool.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { languageOf } from '#platform/http/language.ts'
import { mayAct } from '#reference/client-status.ts'
import { accessOf, mayBeGuest, readGrants } from '#sharing/grants.ts'
import { enteredBySecondFactor, staffActor } from '#staff/roles.ts'
import { AccessTokens } from './access-token.ts'
import { bearerOf, isViewToken } from './bearer.ts'
import { type Principal, PrincipalLoader } from './principal-loader.ts'
import { sessionEnded, unauthenticated } from './refusal.ts'

const principalsSql = `
select s.id as "sessionId", a.id as "accountId", c.id as "clientId", a.verified_at is not null as "emailVerified", l.code as language,
  s.authenticated_at as "authenticatedAt",
  ${mayBeGuest('c.id')} as guest,
  case when m.id is not null then json_build_object('id', m.id, 'role', m.role) end as staff,
  m.id is not null and not ${enteredBySecondFactor('m', 's')} as "needsSecondFactor"
from auth_sessions s join auth_accounts a on a.id = s.account_id join clients c on c.auth_id = a.id
  join languages l on l.id = c.language_id
  left join admins m on m.auth_id = a.id
where m.disabled_at is null and s.id = any($1::uuid[]) and s.revoked_at is null and s.idle_expires_at > $2 and s.expires_at > $2
  and a.disabled_at is null and c.status in (${mayAct.join(', ')})`

async function readPrincipals(pool: Pool, sessionIds: readonly string[], now: Date): Promise<Principal[]> {
  const rows = await pool.run({ sql: principalsSql, values: [sessionIds, now.toISOString()] })
  // The statement names its columns as the type does.
  const principals = rows as (Omit<Principal, 'grants'> & { guest: boolean })[]
  const guests = principals.filter(({ guest }) => guest).map(({ clientId }) => clientId)
  const grants = await readGrants(pool, guests, now)
  return principals.map((one) => ({ ...one, grants: grants.get(one.clientId) ?? [] }))
}

/** Authenticates a request: by its bearer token, and by the database on every request. */
export class Authenticator {
  readonly tokens: AccessTokens
  readonly keys: ApiKeys
  readonly #deps: Deps
  readonly #principals: PrincipalLoader
  readonly #seen = new Map<string, number>()
  #forgotten = 0

  constructor(deps: Deps) {
    this.#deps = deps
    this.tokens = new AccessTokens(deps)
    this.keys = new ApiKeys(deps)
    this.#principals = new PrincipalLoader((ids) => readPrincipals(deps.pool, ids, deps.clock.now()))
  }

  /**
   * The signed-in person, even with an unverified e-mail. Throws `unauthenticated` without a token,
   * `session_ended`.
   */
  async signedIn(request: FastifyRequest): Promise<Actor> {
    const token = bearerOf(request)
    if (token === undefined) throw unauthenticated(reason('unauthenticated'))
    const claims = await this.tokens.claims(token)
    const principal = claims && (await this.#principals.load(claims.sessionId))
    if (principal === undefined || principal.accountId !== claims?.accountId) throw sessionEnded()
    // The response is that of an ended session, so that it does not confirm a stolen token.
    if (principal.staff && !this.#deps.config.deskOpenTo(request.ip)) throw sessionEnded()
    this.#touch(principal.sessionId, request)
    request.clientId = principal.clientId
    request.language = principal.language
    const language = languageOf(request)
    // Staff have no client role: their sign-in account is no client's.
    if (principal.staff)
      return staffActor(principal.needsSecondFactor ? undefined : principal.staff, { ...principal, language })
    return {
      kind: 'client',
      id: principal.clientId,
      accountId: principal.accountId,
      sessionId: principal.sessionId,
      emailVerified: principal.emailVerified,
      authenticatedAt: principal.authenticatedAt,
      language,
      ...accessOf(principal.clientId, principal.grants),
    }
  }

  /** Records the last use of a session, without delaying the request, at most once a minute. */
  #touch(sessionId: string, request: FastifyRequest): void {
    const now = this.#deps.clock.now().getTime()
    if (now - (this.#seen.get(sessionId) ?? 0) < lifetimes.lastSeen) return
    if (now - this.#forgotten >= lifetimes.lastSeen) {
      this.#seen.clear()
      this.#forgotten = now
    }
    this.#seen.set(sessionId, now)
    const values = [sessionId, new Date(now).toISOString(), new Date(now - lifetimes.lastSeen).toISOString()]
    this.#deps.pool
      .run({ sql: 'update auth_sessions set last_seen_at = $2 where id = $1 and last_seen_at <= $3', values })
      .catch((error: unknown) => request.log.warn({ err: error }, 'last_seen_at could not be updated'))
  }
}

/**
 * The person of a request, loaded for each request. Throws `unauthenticated` or `session_ended` without an
 * active session, `email_not_confirmed` while the person's e-mail is unverified.
 */
export async function authenticate(request: FastifyRequest): Promise<Actor> {
  const actor = await request.server.identity.signedIn(request)
  if (!actor.emailVerified) throw refuse('email_not_confirmed')
  return actor
}

/**
 * Like `authenticate`, for everything but a person's own sign-in pages. Throws `staff_second_factor_required`
 * for staff without a second factor.
 */
export async function authenticateWithRights(request: FastifyRequest): Promise<Actor> {
  const actor = await authenticate(request)
  if (actor.kind === 'staff' && !actor.staff) throw refuse('staff_second_factor_required')
  return actor
}

/**
 * Like `authenticateWithRights`, for the data API, which also accepts an API key, and the reads of a view. Throws like
 * `ApiKeys.actor` for a key.
 */
export async function authenticateData(request: FastifyRequest): Promise<Actor> {
  if (request.viewer) return request.viewer
  const token = bearerOf(request)
  // Who may send a large body is asked before a view is admitted: a write.
  if (token !== undefined && isViewToken(token)) throw refuse('view_read_only')
  return token !== undefined && isApiKey(token)
    ? request.server.identity.keys.actor(token, request)
    : authenticateWithRights(request)
}

/**
 * The account in a request's token, or of its key, without a query: for rate limiting, not for
 * authentication. Undefined without a valid token.
 */
export async function namedBy(request: FastifyRequest): Promise<string | undefined> {
  const token = bearerOf(request)
  if (token === undefined) return undefined
  const { keys, tokens } = request.server.identity
  return isApiKey(token) ? keys.known(token, request.ip) : (await tokens.claims(token))?.accountId
}

declare module 'fastify' {
  interface FastifyInstance {
    identity: Authenticator
  }
}
