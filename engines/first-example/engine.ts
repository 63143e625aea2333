import { randomBytes } from 'node:crypto'
import { isGenuine } from '../example/signature.ts'

export type Asked = {
  readonly method: string
  /** Path and query, as they stand in the request line. */
  readonly target: string
  readonly headers: Record<string, string | undefined>
  readonly body: string
}
export type Answer = { readonly status: number; readonly body?: unknown }
type Fields = Record<string, unknown>
type Panel = {
  id: string
  panel_id: number
  name: string
  plan: string | null
  status: string
  region: string
}
type Link = { panel: string; subject: string; about: Fields; expires: number }
/** The path, query and body of a call. */
type Call = { readonly parts: string[]; readonly query: URLSearchParams; readonly body: Fields }

/** A call that is refused, as the contract says. */
class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const plans = ['standard', 'large']
const pageSize = 2
const replayMs = 600_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The example as it was when the contract was 1.0, so that engines of then are known to work still. */
export class FirstEngine {
  readonly panels = new Map<string, Panel>()
  readonly links = new Map<string, Link>()
  readonly #seen = new Map<string, number>()
  /** The time up to which the usage of each panel was reported. */
  readonly #measured = new Map<string, number>()
  /** Unreported usage of deleted panels. */
  #left: Fields[] = []
  readonly #secrets: readonly string[]
  readonly #url: () => string
  readonly #report: (event: Fields) => void

  /** `url`: this engine's address for browsers. `report`: sends an event to the portal. */
  constructor(parts: { secrets: readonly string[]; url: () => string; report: (event: Fields) => void }) {
    this.#secrets = parts.secrets
    this.#url = parts.url
    this.#report = parts.report
  }

  handle(asked: Asked): Answer {
    try {
      this.believe(asked)
      return this.route(asked)
    } catch (error) {
      const { status, code, message } =
        error instanceof Refusal ? error : new Refusal(400, 'malformed', 'This cannot be read.')
      return { status, body: { error: { code, message } } }
    }
  }

  /** Refuses what the portal did not sign, and what was sent before. */
  believe({ method, target, headers, body }: Asked): void {
    const text = body === '' ? `${method} ${target}` : body
    if (!isGenuine(this.#secrets, text, headers))
      throw new Refusal(401, 'signature_invalid', 'This is not signed by the portal, or too old.')
    const id = headers['webhook-id'] ?? ''
    for (const [known, at] of this.#seen) if (Date.now() - at > replayMs) this.#seen.delete(known)
    if (this.#seen.has(id)) throw new Refusal(409, 'repeated', 'This webhook-id was used before.')
    this.#seen.set(id, Date.now())
  }

  route({ method, target, body }: Asked): Answer {
    const { pathname, searchParams: query } = new URL(target, 'http://engine')
    const fields = body === '' ? {} : parsed(body)
    for (const [verb, pattern, handler] of this.routes) {
      const parts = verb === method ? pattern.exec(pathname) : null
      if (parts) return handler({ parts: parts.slice(1).map(decodeURIComponent), query, body: fields })
    }
    throw new Refusal(404, 'not_found', 'There is nothing here.')
  }

  readonly routes: readonly [string, RegExp, (call: Call) => Answer][] = [
    ['GET', /^\/v1\/health$/, () => this.health()],
    ['POST', /^\/v1\/panels$/, ({ body }) => this.create(body)],
    ['GET', /^\/v1\/panels\/([^/]+)$/, (call) => ({ status: 200, body: this.panel(call) })],
    ['PATCH', /^\/v1\/panels\/([^/]+)$/, (call) => this.rename(call)],
    ['DELETE', /^\/v1\/panels\/([^/]+)$/, (call) => this.remove(call)],
    ['POST', /^\/v1\/panels\/([^/]+)\/suspend$/, (call) => this.move(call, 'suspended')],
    ['POST', /^\/v1\/panels\/([^/]+)\/unsuspend$/, (call) => this.move(call, 'active')],
    ['POST', /^\/v1\/panels\/([^/]+)\/sso$/, (call) => this.sso(call)],
    ['DELETE', /^\/v1\/panels\/([^/]+)\/subjects\/([^/]+)$/, (call) => this.revoke(call)],
    ['GET', /^\/v1\/panels\/([^/]+)\/resources$/, (call) => this.resources(call)],
  ]

  health(): Answer {
    const kinds = ['server', 'cluster', 'domain']
    const can = { provision: true, suspend: true, sso: true, events: true, domain_scopes: true }
    const capabilities = { ...can, usage: 'push', kinds, plans }
    return { status: 200, body: { status: 'ok', version: '1.0.0', capabilities } }
  }

  panel({ parts: [id = ''] }: Call): Panel {
    const panel = this.panels.get(id)
    if (!panel) throw new Refusal(404, 'not_found', 'There is no such panel.')
    return panel
  }

  create({ panel_id, name, plan = null }: Fields): Answer {
    if (typeof panel_id !== 'number' || typeof name !== 'string')
      throw new Refusal(422, 'invalid', 'panel_id and name are needed.')
    const known = [...this.panels.values()].find((one) => one.panel_id === panel_id)
    if (known) return { status: 200, body: known }
    if (plan !== null && !(typeof plan === 'string' && plans.includes(plan)))
      throw new Refusal(422, 'no_such_plan', `There is no plan ${String(plan)}.`)
    const id = `p-${randomBytes(8).toString('hex')}`
    const panel: Panel = { id, panel_id, name, plan, status: 'active', region: 'eu-example' }
    this.panels.set(id, panel)
    this.#measured.set(id, Date.now())
    this.#news(panel)
    return { status: 201, body: panel }
  }

  rename(call: Call): Answer {
    const panel = this.panel(call)
    if (typeof call.body.name === 'string') panel.name = call.body.name
    return { status: 200, body: panel }
  }

  move(call: Call, status: string): Answer {
    const panel = this.panel(call)
    if (panel.status !== status) this.#news(Object.assign(panel, { status }))
    return { status: 200, body: panel }
  }

  remove(call: Call): Answer {
    const panel = this.panel(call)
    this.#left.push(...this.#measure(panel, Date.now()))
    this.#measured.delete(panel.id)
    this.panels.delete(panel.id)
    this.#news({ ...panel, status: 'deleted' })
    return { status: 204 }
  }

  sso(call: Call): Answer {
    const panel = this.panel(call)
    const { subject, ttl_seconds: ttl, ...about } = call.body
    if (panel.status === 'suspended') throw new Refusal(409, 'suspended', 'This panel is suspended.')
    if (typeof subject !== 'string' || typeof ttl !== 'number')
      throw new Refusal(422, 'invalid', 'subject and ttl_seconds are needed.')
    const token = randomBytes(32).toString('base64url')
    const expires = Date.now() + ttl * 1000
    this.links.set(token, { panel: panel.id, subject, about, expires })
    const url = `${this.#url()}/console?token=${token}`
    return { status: 201, body: { url, expires_at: new Date(expires).toISOString() } }
  }

  /** The page behind a sign-in link, which works once and until it expires. */
  enter(token: string): Answer {
    const link = this.links.get(token)
    this.links.delete(token)
    if (!link || link.expires < Date.now()) return { status: 410, body: 'This link has expired.' }
    return { status: 200, body: link }
  }

  revoke(call: Call): Answer {
    const { id } = this.panel(call)
    for (const [token, { panel, subject }] of this.links)
      if (panel === id && subject === call.parts[1]) this.links.delete(token)
    return { status: 204 }
  }

  resources(call: Call): Answer {
    const { id, region } = this.panel(call)
    const kind = call.query.get('kind') ?? ''
    const from = Number(call.query.get('cursor') ?? 0)
    if (!Number.isSafeInteger(from) || from < 0) throw new Refusal(400, 'bad_cursor', 'No page begins there.')
    const all = Object.hasOwn(contents, kind) ? (contents[kind] ?? []) : []
    const items = all
      .map((one, i) => ({ kind, id: `${id}-${i + 1}`, status: 'running', region, ...one }))
      .slice(from, from + pageSize)
    const next = from + pageSize < all.length ? String(from + pageSize) : null
    return { status: 200, body: { items, next } }
  }

  /** The usage until a moment that was not reported before, as CloudEvents. The caller has to send it to the portal. */
  used(until: number): Fields[] {
    const events = [
      ...this.#left,
      ...[...this.panels.values()].flatMap((panel) => this.#measure(panel, until)),
    ]
    this.#left = []
    return events
  }

  /** The hours of a panel, cut at each midnight of UTC. What an event is of makes its id, so that it stays the same. */
  #measure({ id, panel_id }: Panel, until: number): Fields[] {
    const events: Fields[] = []
    const since = this.#measured.get(id) ?? until
    for (let start = since; start < until; ) {
      const end = Math.min(until, (Math.floor(start / dayMs) + 1) * dayMs)
      const [from, to] = [new Date(start).toISOString(), new Date(end).toISOString()]
      const quantity = ((end - start) / hourMs).toFixed(6)
      const data = { resource: 'panel', meter: 'panel_hours', start: from, end: to, quantity }
      const about = { source: 'urn:engine:example', type: 'usage.v1', subject: `panel/${panel_id}` }
      events.push({ specversion: '1.0', id: `${id}:panel_hours:${from}`, ...about, data })
      start = end
    }
    this.#measured.set(id, Math.max(since, until))
    return events
  }

  #news({ id, status, region }: Panel): void {
    this.#report({ type: 'panel.status', panel: id, occurred_at: new Date().toISOString(), status, region })
  }
}

function parsed(body: string): Fields {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // Falls through: what is no object is refused alike.
  }
  throw new Refusal(400, 'malformed', 'The body is not a JSON object.')
}

const size = { vcpus: 2, memory_gb: 4, cpu_percent: 12.5 }
const machine = (name: string, ipv4: string) => ({ name, spec: { ...size, ipv4, disk_gb: 80 } })
const domain = (name: string) => ({ name, spec: { mailboxes: 3, tls_expires_on: '2030-01-31' } })

/** The contents of every panel. */
const contents: Record<string, Fields[]> = {
  server: [
    machine('web-1', '198.51.100.1'),
    machine('web-2', '198.51.100.2'),
    machine('db-1', '198.51.100.3'),
  ],
  cluster: [{ name: 'cluster-1', spec: { ...size, nodes: 3, nodes_ready: 3 } }],
  domain: ['amber.test', 'brisk.test', 'clear.test', 'dawn.test', 'ever.test'].map(domain),
}
