import { hash } from '@node-rs/argon2'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { openAccount } from '#accounts/open-account.ts'
import { createAccount } from '#identity/accounts.ts'
import type { Pool } from '#platform/db/pool.ts'

export const password = 'correct horse battery'

// A hash of the real cost takes longer to verify than all the rest of a sign-in; those of the portal itself have it.
const quickHash = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

type Person = { id: number; accountId: string; email: string }

/** A person with an identity and a client, who can sign in with `password`. */
export async function person(
  pool: Pool,
  email: string,
  more: { verified?: boolean; status?: number; passwordHash?: string } = {},
): Promise<Person> {
  const { verified = true, status = 1, passwordHash = await quickHash } = more
  return pool.kysely.transaction().execute(async (tx) => {
    const verifiedAt = verified ? new Date() : null
    const accountId = await createAccount(tx, { email, passwordHash, verifiedAt })
    const { clientId } = await openAccount(tx, {
      authId: accountId,
      email,
      firstName: 'Ada',
      lastName: 'Example',
      emailVerifiedAt: verifiedAt,
      language: 'ro',
      currency: 'EUR',
      status,
      billingStatus: 0,
      entity: { accountType: 1, companyName: 'Example SRL', country: 'RO' },
      workspace: 'My Workspace',
    })
    return { id: clientId, accountId, email }
  })
}

/** Gives a client who was written straight to the tables an identity, as those have who registered with `password`. */
export const letSignIn = (
  { kysely }: Pool,
  { id, email }: { readonly id: number; readonly email: string },
): Promise<string> =>
  kysely.transaction().execute(async (tx) => {
    const passwordHash = await quickHash
    const accountId = await createAccount(tx, { email, passwordHash, verifiedAt: new Date() })
    await tx.updateTable('clients').set({ auth_id: accountId }).where('id', '=', id).execute()
    return accountId
  })

type Answer = LightMyRequestResponse

/** Something that asks as a browser does, one in which English was chosen: it keeps cookies, and sends its token in the bearer header. */
export class Browser {
  readonly cookies: Map<string, string>
  readonly #app: FastifyInstance
  readonly #defaults: InjectOptions

  constructor(app: FastifyInstance, defaults: InjectOptions = {}, cookies = new Map([['lang', 'en']])) {
    this.#app = app
    this.#defaults = defaults
    this.cookies = cookies
  }

  /** The same browser, which asks otherwise, such as from another network. */
  asking(defaults: InjectOptions): Browser {
    return new Browser(this.#app, defaults, this.cookies)
  }

  async ask(options: InjectOptions): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...this.#defaults.headers, ...(cookie && { cookie }), ...options.headers }
    const answer = await this.#app.inject({ ...this.#defaults, ...options, headers })
    for (const { name, value } of answer.cookies) {
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  /** A GET with the token of the cookie, or with the one that is given. */
  get(url: string, token = this.cookies.get('token')): Promise<Answer> {
    return this.ask({ url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })
  }

  /** A request with the token of the cookie, and a JSON body when there is something to send. */
  send(method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object): Promise<Answer> {
    const authorization = `Bearer ${this.cookies.get('token')}`
    return this.ask({ method, url, headers: { authorization }, ...(payload && { payload }) })
  }

  login(email: string, secret = password): Promise<Answer> {
    return this.ask({ method: 'POST', url: '/auth/login', payload: { email, password: secret } })
  }

  /** Goes the whole way in, and returns what the callback answered. */
  async signIn(email: string): Promise<Answer> {
    const answer = await this.login(email)
    return this.get(`/auth/callback?code=${answer.json().code}`)
  }

  refresh(token = 'cookie'): Promise<Answer> {
    return this.ask({ url: `/auth/token?refreshToken=${token}` })
  }
}

/**
 * Creates browsers with an IP address of their own each, so that limits per address do not affect each other.
 * `on`: another replica.
 */
export function browsersOn(app: FastifyInstance) {
  let count = 0
  return (defaults: InjectOptions = {}, on = app) =>
    new Browser(on, { remoteAddress: `198.51.${100 + (++count >> 8)}.${count & 255}`, ...defaults })
}

/** The security log of an account, oldest first. */
export const securityEvents = (pool: Pool, accountId: string) =>
  pool.kysely
    .selectFrom('auth_events')
    .select(['kind', 'about'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()

/** A clock that stands still until it is moved. */
export function stoppedClock(at = Date.UTC(2026, 0, 15, 12)) {
  let time = at
  return {
    now: () => new Date(time),
    forward: (milliseconds: number) => {
      time += milliseconds
    },
  }
}
