import { randomUUID } from 'node:crypto'
import { base } from '@portico/contract/wire.ts'
import { sql } from 'kysely'
import type { Connection } from '#platform/db/connection.ts'
import type { Pool } from '#platform/db/pool.ts'
import { makeBuyer } from './documents.ts'
import { password, person } from './people.ts'
import { freePort, layCheckout, type PortalProcess, spawnPortal } from './portal-process.ts'
import { makeMember } from './staff.ts'
import { type CardKind, type StripeServer, stripeSettings } from './stripe.ts'
import { temporaryFolder } from './temporary.ts'

// The portal as a process of its own, which can be killed, and people who pay at it over HTTP. Stripe lives outside of it.

const tokenSecret = 'only for processes that pay: thirty-two and more'

/** The address of a test database, for another process. */
export function urlOf({
  user = '',
  password: secret = '',
  host = '',
  port = 5432,
  database,
}: Connection): string {
  return `postgres://${user}:${encodeURIComponent(secret)}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** A signed-in person and the token of their requests. */
export type Payer = { readonly id: number; readonly email: string; readonly token: string }

/** A response; status 0 when there was none because the process has ended. */
export type Told = { readonly status: number; readonly text: string; readonly replayed: boolean }

export class PayingPortal {
  // A separate checkout, whose browser app is not rebuilt.
  readonly #checkout = temporaryFolder()
  #process: PortalProcess | undefined
  port = 0

  readonly #flags: readonly string[]
  /** The variables of the process. */
  readonly env: Readonly<Record<string, string>>

  constructor(
    connection: Connection,
    stripeBase: string,
    flags: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ) {
    const stripe = stripeSettings(stripeBase)
    this.env = {
      DATABASE_URL: urlOf(connection),
      TOKEN_SECRET: tokenSecret,
      RATE_LIMIT_SCALE: '100000',
      LOG_LEVEL: 'error',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecrets.join(','),
      STRIPE_API_BASE: stripe.apiBase,
      ...env,
    }
    this.#flags = flags
    layCheckout(this.#checkout.folder)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number {
    return this.#process?.child.pid ?? 0
  }

  async start(): Promise<void> {
    this.port = this.port || (await freePort())
    this.#process = spawnPortal({
      folder: this.#checkout.folder,
      port: this.port,
      flags: this.#flags,
      env: this.env,
    })
    await this.#process.ready()
  }

  /** The output of the process since its start. */
  output(): string {
    return this.#process?.output() ?? ''
  }

  /** Kills it where it is, as `kill -9` does. */
  async kill(): Promise<void> {
    // Forgotten first: a start during the wait sets the next one, which must stay known.
    const killed = this.#process
    this.#process = undefined
    await killed?.end('SIGKILL')
  }

  /** Asks it to stop, as an orchestrator does. */
  async stop(): Promise<{ code: number | null; took: number }> {
    const stopped = this.#process
    this.#process = undefined
    if (!stopped) throw new Error('The portal does not run.')
    return stopped.end('SIGTERM')
  }

  async end(): Promise<void> {
    await this.kill()
    this.#checkout.remove()
  }

  async ask(who: Payer | undefined, method: 'GET' | 'POST', url: string, more: Asked = {}): Promise<Told> {
    const headers = {
      ...(who && { authorization: `Bearer ${who.token}` }),
      ...(more.body !== undefined && { 'content-type': 'application/vnd.api+json' }),
      ...(more.key !== undefined && { 'idempotency-key': more.key }),
      ...more.headers,
    }
    const body =
      more.body === undefined || typeof more.body === 'string' ? more.body : JSON.stringify(more.body)
    const sent = fetch(`${this.url}${url}`, { method, headers, ...(body !== undefined && { body }) })
    return sent.then(
      async (answer) => ({
        status: answer.status,
        text: await answer.text(),
        replayed: answer.headers.get('idempotency-replayed') === 'true',
      }),
      (error: Error) => ({ status: 0, text: String(error.cause), replayed: false }),
    )
  }

  /** A new person with a card that was entered in Stripe's form. */
  async payer(pool: Pool, stripe: StripeServer, kind: CardKind = 'ok'): Promise<Payer> {
    const { id, email } = await person(pool, `payer-${randomUUID()}@example.com`)
    await makeBuyer(pool, { id })
    // Their credit of the trial would only be in the way of sums.
    await sql`update clients set trial_ends_at = null where id = ${id}`.execute(pool.kysely)
    const who = { id, email, token: await this.#signIn(email) }
    const asked = await this.ask(who, 'POST', `${base}/stripe-setup-intents`, {
      body: { data: { type: 'stripe-setup-intents', attributes: {} } },
      key: randomUUID(),
    })
    const { data } = JSON.parse(asked.text)
    stripe.fillIn(data.attributes.provider_ref, kind)
    const confirm = `${base}/stripe-setup-intents/${data.id}/-actions/confirm`
    const confirmed = await this.ask(who, 'POST', confirm, { body: {} })
    if (confirmed.status !== 200) throw new Error(`The card was not added: ${confirmed.text}`)
    return who
  }

  /** The same person with another session. */
  async signedIn(who: Payer): Promise<Payer> {
    return { ...who, token: await this.#signIn(who.email) }
  }

  /** A new member of staff for money, without a second factor. */
  async billing(pool: Pool): Promise<Payer> {
    const { admin, email } = await makeMember(pool, 'billing')
    return { id: admin, email, token: await this.#signIn(email) }
  }

  async #signIn(email: string): Promise<string> {
    const headers = { 'content-type': 'application/json', 'x-portico-client': 'api' }
    const login = await fetch(`${this.url}/auth/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, password }),
    })
    const { code } = JSON.parse(await login.text())
    const cookie = login.headers.getSetCookie().map((one) => one.split(';', 1)[0])
    const callback = await fetch(`${this.url}/auth/callback?code=${code}`, {
      headers: { ...headers, cookie: cookie.join('; ') },
    })
    return JSON.parse(await callback.text()).token
  }

  /** A deposit of so much net; the same key again is the same request. */
  topUp(who: Payer, net: number, key: string = randomUUID()): Promise<Told> {
    const body = { data: { type: 'transactions', attributes: { purpose: 'deposit', net } } }
    return this.ask(who, 'POST', `${base}/transactions`, { body, key })
  }

  deliver(event: { body: string; signature: string }): Promise<Told> {
    const headers = { 'content-type': 'application/json', 'stripe-signature': event.signature }
    return this.ask(undefined, 'POST', '/webhooks/stripe', { body: event.body, headers })
  }
}

type Asked = {
  readonly body?: unknown
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}
