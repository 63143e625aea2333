import {
  engineHealth,
  enginePanel,
  engineRefusal,
  type newEnginePanel,
  type ResourceKind,
  resourcePage,
  ssoLink,
  type ssoRequest,
} from '@portico/contract/engine/wire.ts'
import { faultInWords } from '@portico/contract/refusals/fields.ts'
import type { Dispatcher } from 'undici'
import * as z from 'zod/mini'
import { sign } from '#platform/webhook-signature.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type {
  EngineAccess,
  EnginePanel,
  EngineResource,
  Made,
  NewPanel,
  PanelEngine,
  PanelRef,
  SsoAsk,
  SsoLink,
} from './panel-engine.ts'

/** The engine was unreachable, or its response violates the contract. The call can be retried later. */
class EngineFailed extends Error {
  override readonly name = 'EngineFailed'
}

/** The engine refused the request permanently; a retry changes nothing. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The time limit of one call to an engine in milliseconds, connecting and reading included. */
const patienceMs = 10_000

/** The 4xx statuses that are worth a retry. */
const passing = new Set([408, 425, 429])

/**
 * Refusals that concern the requested panel. The contract names 422; 401, 403 and 404 come from a wrong
 * secret or address.
 */
const ofNewPanel = [400, 409, 422]

type Call = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the engine's base address, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Asked = z.input<typeof ssoRequest>
type Answer = { readonly status: number; readonly text: string }

export type Way = {
  readonly dispatcher: () => Promise<Dispatcher>
  readonly breaker: CircuitBreaker
  /** In milliseconds; tests set a shorter limit. */
  readonly patience?: number
}

/** Turns a refusal with one of these statuses into a value; rethrows everything else. */
const unless =
  <T>(statuses: readonly number[], value: (refusal: EngineRefused) => T) =>
  (error: unknown): T => {
    if (error instanceof EngineRefused && statuses.includes(error.status)) return value(error)
    throw error
  }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonIn(text: string): string {
  const refusal = z.safeParse(engineRefusal, parsed(text))
  return refusal.success ? `${refusal.data.error.code}: ${refusal.data.error.message}` : 'no reason given'
}

const panelPath = (id: string, more = '') => `/v1/panels/${encodeURIComponent(id)}${more}`

/** An engine that implements `contract/panel-engine.v1.yaml` over HTTP. */
export class HttpEngine implements PanelEngine {
  readonly #access: EngineAccess
  readonly #way: Way

  constructor(access: EngineAccess, way: Way) {
    this.#access = access
    this.#way = way
  }

  /** Sends one signed call, without redirects and with a time limit. */
  async #send({ method, path, body, headers }: Call): Promise<Answer> {
    const { baseUrl, secrets } = this.#access
    const base = new URL(baseUrl ?? '')
    const target = `${base.pathname.replace(/\/$/, '')}${path}`
    const text = body === undefined ? undefined : JSON.stringify(body)
    const dispatcher = await this.#way.dispatcher()
    const { request } = await import('undici')
    const response = await request(`${base.origin}${target}`, {
      method,
      dispatcher,
      signal: AbortSignal.timeout(this.#way.patience ?? patienceMs),
      headers: {
        accept: 'application/json',
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...sign(secrets, text ?? `${method} ${target}`),
      },
      ...(text !== undefined && { body: text }),
    })
    return { status: response.statusCode, text: await response.body.text() }
  }

  /** Sends a call, and resolves with the response when it succeeded. */
  async #ask(call: Call): Promise<Answer> {
    const about = `${this.#access.code} ${call.method} ${call.path}`
    return this.#way.breaker.run(async () => {
      const answer = await this.#send(call).catch((error: unknown) => {
        throw new EngineFailed(`${about}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        })
      })
      const { status, text } = answer
      if (status >= 200 && status < 300) return answer
      const told = `${about} was answered ${status}, ${reasonIn(text)}`
      if (status >= 400 && status < 500 && !passing.has(status)) throw new EngineRefused(status, told)
      throw new EngineFailed(told)
    })
  }

  /** Like `#ask`, and parses the response by the contract. */
  async #read<S extends z.ZodMiniType>(call: Call, schema: S): Promise<z.output<S>> {
    const { text } = await this.#ask(call)
    const result = z.safeParse(schema, parsed(text))
    if (result.success) return result.data
    const [issue] = result.error.issues
    const place = issue?.path.map(String).join('.') || 'the body'
    throw new EngineFailed(
      `${this.#access.code} ${call.method} ${call.path} was answered what is not in the contract (${place}: ${faultInWords(issue?.message ?? '', 'en')})`,
    )
  }

  health() {
    return this.#read({ method: 'GET', path: '/v1/health' }, engineHealth)
  }

  async createPanel({ panelId, name, plan, region, owner }: NewPanel): Promise<Made> {
    const body = {
      panel_id: panelId,
      name,
      plan,
      region,
      owner: { subject: owner.subject, display_name: owner.displayName },
    } satisfies z.input<typeof newEnginePanel>
    const headers = { 'idempotency-key': String(panelId) }
    return this.#read({ method: 'POST', path: '/v1/panels', body, headers }, enginePanel).then(
      (made): Made => ({ refused: false, externalId: made.id, status: made.status, region: made.region }),
      unless(ofNewPanel, ({ message }): Made => ({ refused: true, reason: message })),
    )
  }

  readPanel(externalId: string): Promise<EnginePanel> {
    return this.#read({ method: 'GET', path: panelPath(externalId) }, enginePanel).catch(
      unless([404], (): EnginePanel => ({ status: 'deleted', region: null })),
    )
  }

  async updatePanel(externalId: string, { name }: { readonly name: string }): Promise<void> {
    await this.#ask({ method: 'PATCH', path: panelPath(externalId), body: { name } })
  }

  async suspendPanel(externalId: string, reason: string): Promise<void> {
    await this.#ask({ method: 'POST', path: panelPath(externalId, '/suspend'), body: { reason } })
  }

  async unsuspendPanel(externalId: string): Promise<void> {
    await this.#ask({ method: 'POST', path: panelPath(externalId, '/unsuspend') })
  }

  async deletePanel(panel: PanelRef): Promise<boolean> {
    if (panel.externalId !== null) return this.#delete(panel.externalId)
    // The creation may or may not have reached the engine; repeating it returns the id and creates no second
    // panel.
    const made = await this.createPanel(panel)
    return made.refused || this.#delete(made.externalId)
  }

  #delete(externalId: string): Promise<boolean> {
    return this.#ask({ method: 'DELETE', path: panelPath(externalId) }).then(
      ({ status }) => status !== 202,
      unless([404], () => true),
    )
  }

  async createSsoLink(externalId: string, ask: SsoAsk): Promise<SsoLink> {
    const body = {
      subject: ask.subject,
      display_name: ask.displayName,
      role: ask.role,
      scopes: [...ask.scopes],
      domains: ask.domains && [...ask.domains],
      client_ip: ask.clientIp,
      ttl_seconds: ask.ttlSeconds,
    } satisfies Asked
    const call = { method: 'POST', path: panelPath(externalId, '/sso'), body } as const
    const { url, expires_at } = await this.#read(call, ssoLink)
    return { url, expiresAt: expires_at }
  }

  async revokeSubject(externalId: string, subject: string): Promise<void> {
    const path = panelPath(externalId, `/subjects/${encodeURIComponent(subject)}`)
    await this.#ask({ method: 'DELETE', path }).catch(unless([404], () => undefined))
  }

  async listResources<K extends ResourceKind>(externalId: string, kind: K, cursor?: string) {
    const query = new URLSearchParams({ kind, ...(cursor !== undefined && { cursor }) })
    const path = panelPath(externalId, `/resources?${query}`)
    const { items, next } = await this.#read({ method: 'GET', path }, resourcePage)
    const found = items
      .filter((item) => item.kind === kind)
      .map(({ id, ...item }) => ({ ...item, externalId: id }))
    // Only items of the requested kind are left, which the compiler cannot see.
    return { items: found as unknown as EngineResource<K>[], ...(next !== null && { next }) }
  }
}
