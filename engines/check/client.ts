import { randomInt } from 'node:crypto'
import { panelPage } from '@portico/contract/engine/panel-calls.ts'
import { enginePanel, firstPanel, healthOf, isLater, ssoLink } from '@portico/contract/engine/wire.ts'
import { faultInWords } from '@portico/contract/refusals/fields.ts'
import * as z from 'zod/mini'
import { type Signed, sign } from '../example/signature.ts'

/** The response of an engine; `json` is undefined when it is no JSON. */
export type Answer = { readonly status: number; readonly text: string; readonly json: unknown }

export type Sent = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | undefined
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Overrides the correct signature. */
  readonly signed?: (text: string) => Partial<Signed>
}

export type Panel = z.output<typeof enginePanel>

const patienceMs = 10_000
/** The time limit in milliseconds to create or delete a panel. */
const finishMs = 60_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Throws when the status differs from the expected ones. */
export function expectStatus(answer: Answer, expected: readonly number[], about: string): void {
  if (expected.includes(answer.status)) return
  throw new Error(
    `${about}: expected ${expected.join(' or ')}, was answered ${answer.status} ${answer.text.slice(0, 200)}`,
  )
}

/** Parses a response by the contract. */
export function readAs<S extends z.ZodMiniType>(schema: S, answer: Answer, about: string): z.output<S> {
  const result = z.safeParse(schema, answer.json)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new Error(
    `${about}: ${issue?.path.map(String).join('.') || 'the body'}: ${faultInWords(issue?.message ?? '', 'en')}`,
  )
}

const subject = 'client-1'
const owner = { subject, display_name: 'Ana Marin' }

/** The actor that the checks send with changes. */
export const actor = { subject, kind: 'owner' } as const

/** A domain that no run before has asked for. */
export const domainOf = (panelId: number): string => `check-${panelId}.example.com`

/** The request body for a sign-in link. */
export const visitor = (more: object = {}) => ({
  subject,
  display_name: 'Ana Marin',
  role: 'owner',
  scopes: ['account_access', 'domain_access'],
  domains: null,
  client_ip: '198.51.100.9',
  ttl_seconds: 60,
  ...more,
})

/** The portal's side of the contract, for the checks. */
export class Client {
  readonly #base: URL
  readonly #secret: string
  readonly #patience: number
  readonly #made = new Set<string>()
  /** The panels whose making was asked for again, as no answer came in time. */
  readonly #askedAgain = new Set<number>()
  #lists = false
  /** Whether the engine speaks contract 1.1 or later. */
  later = false
  /** Whether every panel of the engine needs a domain. */
  needsDomain = false

  constructor(
    url: string,
    secret: string,
    /** The time limit of a call in milliseconds; shorter in tests. */
    patience = patienceMs,
  ) {
    this.#base = new URL(url)
    this.#secret = secret
    this.#patience = patience
  }

  async send({ method = 'GET', path, body, headers, signed }: Sent): Promise<Answer> {
    const target = `${this.#base.pathname.replace(/\/$/, '')}${path}`
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const toSign = text ?? `${method} ${target}`
    const response = await fetch(`${this.#base.origin}${target}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(this.#patience),
      headers: {
        accept: 'application/json',
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...(signed ? signed(toSign) : sign(this.#secret, toSign)),
      },
      ...(text !== undefined && { body: text }),
    })
    const answered = await response.text()
    return { status: response.status, text: answered, json: parsed(answered) }
  }

  /** Signs like the portal, with the deviations of a check. */
  signature(text: string, more: { secret?: string; id?: string; at?: number } = {}): Signed {
    return sign(more.secret ?? this.#secret, text, more.id, more.at)
  }

  /** Asks what the engine can do, and remembers what it speaks. */
  async health() {
    const answer = await this.send({ path: '/v1/health' })
    expectStatus(answer, [200], 'GET /v1/health')
    const schema = healthOf(answer.json)
    const health = readAs(schema, answer, 'GET /v1/health')
    this.#lists = 'list' in health.capabilities && health.capabilities.list === true
    this.later = 'contract' in health && isLater(health.contract)
    this.needsDomain = 'domain' in health.capabilities && health.capabilities.domain === 'required'
    return health.capabilities
  }

  /** A panel with an id that no earlier run has used. */
  newPanel(more: { plan?: string; domain?: string | null } = {}) {
    const panel_id = 900_000_000_000 + randomInt(10 ** 9)
    const domain = more.domain === undefined && this.needsDomain ? domainOf(panel_id) : (more.domain ?? null)
    return {
      panel_id,
      name: 'Conformance check',
      plan: more.plan ?? null,
      region: null,
      owner,
      ...(this.later && { domain, actor }),
    }
  }

  /** Repeats a call that is not answered in time, as the portal does: its panel may have been made. */
  async create(panel: ReturnType<Client['newPanel']>): Promise<Answer> {
    const { panel_id } = panel
    const headers = { 'idempotency-key': String(panel_id) }
    for (const until = Date.now() + finishMs; ; ) {
      try {
        const answer = await this.send({ method: 'POST', path: '/v1/panels', body: panel, headers })
        const made = z.safeParse(firstPanel, answer.json)
        if (made.success) this.#made.add(made.data.id)
        if (this.#askedAgain.has(panel_id)) await this.#assertOne(panel_id)
        return answer
      } catch (error) {
        const isLate = error instanceof DOMException && error.name === 'TimeoutError'
        if (!isLate || Date.now() > until) throw error
        this.#askedAgain.add(panel_id)
      }
    }
  }

  /** The answers to the making of a panel that is new: that to a repeated call may find it there. */
  newlyMade({ panel_id }: { readonly panel_id: number }): readonly number[] {
    return this.#askedAgain.has(panel_id) ? [200, 201, 202] : [201, 202]
  }

  /** Throws when a repeated making made two panels; an engine that lists none is not asked. */
  async #assertOne(panelId: number): Promise<void> {
    if (!this.#lists) return
    const answer = await this.send({ path: `/v1/panels?panel_id=${panelId}` })
    expectStatus(answer, [200], 'looking for a panel')
    const { items } = readAs(panelPage, answer, 'looking for a panel')
    for (const { id } of items) this.#made.add(id)
    if (items.length !== 1)
      throw new Error(`${items.length} panels were made of one that was asked for again`)
  }

  at(id: string, more = ''): string {
    return `/v1/panels/${encodeURIComponent(id)}${more}`
  }

  /** The panel that was answered, by the contract that the engine speaks. */
  panelIn(answer: Answer, about: string): Panel {
    return readAs(this.later ? enginePanel : firstPanel, answer, about)
  }

  async read(id: string): Promise<Panel> {
    const answer = await this.send({ path: this.at(id) })
    expectStatus(answer, [200], 'reading the panel')
    return this.panelIn(answer, 'reading the panel')
  }

  /** Creates a panel and waits until it is ready. */
  async panel(more: { plan?: string; domain?: string | null } = {}): Promise<Panel> {
    const answer = await this.create(this.newPanel(more))
    expectStatus(answer, [200, 201, 202], 'making a panel')
    let panel = this.panelIn(answer, 'making a panel')
    for (const until = Date.now() + finishMs; panel.status === 'provisioning'; ) {
      if (Date.now() > until) throw new Error(`the panel was not ready after ${finishMs / 1000} s`)
      await pause(500)
      panel = await this.read(panel.id)
    }
    return panel
  }

  async link(id: string, more: object = {}): Promise<string> {
    const answer = await this.send({ method: 'POST', path: this.at(id, '/sso'), body: visitor(more) })
    expectStatus(answer, [200, 201], 'asking for a sign-in link')
    return readAs(ssoLink, answer, 'asking for a sign-in link').url
  }

  /** Opens a link like a browser; returns the status. */
  async open(url: string): Promise<number> {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    await answer.body?.cancel()
    return answer.status
  }

  /** Deletes a panel and waits until it is gone. */
  async remove(id: string, until = Date.now() + finishMs): Promise<void> {
    const first = await this.send({ method: 'DELETE', path: this.at(id) })
    expectStatus(first, [202, 204, 404], 'deleting the panel')
    for (; Date.now() < until; await pause(500)) {
      const answer = await this.send({ path: this.at(id) })
      expectStatus(answer, [200, 404], 'reading a panel that is being deleted')
      const left = z.safeParse(enginePanel, answer.json)
      if (answer.status === 404 || (left.success && left.data.status === 'deleted')) return
    }
    throw new Error(`the panel was still there after ${finishMs / 1000} s`)
  }

  /** Deletes the leftovers of the checks, as far as that goes in a minute: a check has said already what the engine did wrong. */
  async clear(): Promise<void> {
    const until = Date.now() + finishMs
    for (const id of this.#made) await this.remove(id, until).catch(() => undefined)
  }
}
