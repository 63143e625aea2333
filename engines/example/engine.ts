import { randomBytes } from 'node:crypto'
import { Audit } from './audit.ts'
import { type Answer, type Asked, answered, type Call, callOf, pageSize, placeIn } from './calls.ts'
import { capabilities } from './capabilities.ts'
import { contents } from './contents.ts'
import { Metering } from './metering.ts'
import { type Fault, type Fields, panelFault, planFault } from './offers.ts'
import { heldBy, type Panel, resourcesOf, shown, textOr } from './panel.ts'
import { isVerb, serverOf, switchPower, type Verb } from './power.ts'
import { parsed, Refusal, refusal } from './refusal.ts'
import { Remembered } from './remembered.ts'
import { seriesOf } from './series.ts'
import { isGenuine } from './signature.ts'

type Link = { panel: string; subject: string; about: Fields; expires: number }
const replayMs = 600_000

/** An in-memory engine that demonstrates the contract; a real engine replaces the maps. */
export class ReferenceEngine {
  readonly panels = new Map<string, Panel>()
  readonly links = new Map<string, Link>()
  readonly #seen = new Map<string, number>()
  readonly answers = new Remembered<Answer>()
  readonly audit = new Audit()
  #places = 0
  readonly #metering = new Metering()
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
      const { status, fault } =
        error instanceof Refusal ? error : refusal(400, 'malformed', 'This cannot be read.')
      return { status, body: { error: fault } }
    }
  }

  /** Throws unless the portal signed the request and it was not sent before. */
  believe({ method, target, headers, body }: Asked): void {
    const text = body === '' ? `${method} ${target}` : body
    if (!isGenuine(this.#secrets, text, headers))
      throw refusal(401, 'signature_invalid', 'This is not signed by the portal, or too old.')
    const id = headers['webhook-id'] ?? ''
    for (const [known, at] of this.#seen) if (Date.now() - at > replayMs) this.#seen.delete(known)
    if (this.#seen.has(id)) throw refusal(409, 'repeated', 'This webhook-id was used before.')
    this.#seen.set(id, Date.now())
  }

  route({ method, target, body }: Asked): Answer {
    const { pathname, searchParams: query } = new URL(target, 'http://engine')
    const fields = body === '' ? {} : parsed(body)
    for (const [verb, pattern, handler] of this.routes) {
      const parts = verb === method ? pattern.exec(pathname) : null
      if (parts) return handler({ parts: parts.slice(1).map(decodeURIComponent), query, body: fields })
    }
    throw refusal(404, 'not_found', 'There is nothing here.')
  }

  readonly routes: readonly [string, RegExp, (call: Call) => Answer][] = [
    ['GET', /^\/v1\/health$/, () => this.health()],
    ['POST', /^\/v1\/checks$/, ({ body }) => this.check(body)],
    ['GET', /^\/v1\/panels$/, (call) => this.list(call)],
    ['POST', /^\/v1\/panels$/, ({ body }) => this.create(body)],
    ['POST', /^\/v1\/panels\/([^/]+)\/plan$/, (call) => this.changePlan(call)],
    ['POST', /^\/v1\/panels\/([^/]+)\/servers\/([^/]+)\/power$/, (call) => this.powerServer(call)],
    ['GET', /^\/v1\/panels\/([^/]+)\/series$/, (call) => this.series(call)],
    ['GET', /^\/v1\/panels\/([^/]+)\/audit$/, (call) => this.readAudit(call)],
    ['POST', /^\/v1\/panels\/([^/]+)\/adopt$/, (call) => this.adopt(call)],
    ['POST', /^\/v1\/panels\/([^/]+)\/release$/, (call) => this.release(call)],
    ['GET', /^\/v1\/panels\/([^/]+)$/, (call) => this.read(call)],
    ['PATCH', /^\/v1\/panels\/([^/]+)$/, (call) => this.rename(call)],
    ['DELETE', /^\/v1\/panels\/([^/]+)$/, (call) => this.remove(call)],
    ['POST', /^\/v1\/panels\/([^/]+)\/suspend$/, (call) => this.move(call, 'suspended')],
    ['POST', /^\/v1\/panels\/([^/]+)\/unsuspend$/, (call) => this.move(call, 'active')],
    ['POST', /^\/v1\/panels\/([^/]+)\/sso$/, (call) => this.sso(call)],
    ['DELETE', /^\/v1\/panels\/([^/]+)\/subjects\/([^/]+)$/, (call) => this.revoke(call)],
    ['GET', /^\/v1\/panels\/([^/]+)\/resources$/, (call) => this.resources(call)],
  ]

  health(): Answer {
    return { status: 200, body: { status: 'ok', version: '1.1.0', contract: '1.1', capabilities } }
  }

  panel({ parts: [id = ''] }: Call): Panel {
    const panel = this.panels.get(id)
    if (!panel) throw refusal(404, 'not_found', 'There is no such panel.')
    return panel
  }

  read(call: Call): Answer {
    return answered(this.panel(call))
  }

  /** The panel that has this id of the portal. */
  known(panel_id: unknown): Panel | undefined {
    return [...this.panels.values()].find((one) => one.panel_id === panel_id)
  }

  /** The fault of a requested panel; undefined when it can be created. */
  faultOf(asked: Fields): Fault | undefined {
    return panelFault(asked, (domain) => [...this.panels.values()].some((one) => one.domain === domain))
  }

  check({ panel, id, plan }: Fields): Answer {
    const fault =
      typeof id === 'string' ? planFault(plan, heldBy(this.panel(callOf(id)))) : this.faultOf(Object(panel))
    return { status: 200, body: fault ? { ok: false, ...fault } : { ok: true } }
  }

  create(asked: Fields): Answer {
    const { panel_id, name, plan = null, region = null, domain = null, owner } = asked
    if (typeof panel_id !== 'number' || typeof name !== 'string')
      throw refusal(422, 'invalid', 'panel_id and name are needed.')
    const known = this.known(panel_id)
    if (known) return answered(known)
    const fault = this.faultOf(asked)
    if (fault) throw new Refusal(422, fault)
    const id = `p-${randomBytes(8).toString('hex')}`
    const [of, at] = [textOr(plan), textOr(domain)]
    const holds = contents(of, at)
    const [place, created_at] = [++this.#places, new Date().toISOString()]
    const made = { panel_id, name, plan: of, status: 'active', region: textOr(region) ?? 'eu-example' }
    const panel: Panel = { id, ...made, domain: at, place, created_at, holds, owner: Object(owner) }
    this.panels.set(id, panel)
    this.#metering.begin(id)
    this.#news(panel)
    return answered(panel, 201)
  }

  /** Idempotent by change_id: a repeated change gets the first answer. */
  changePlan(call: Call): Answer {
    const panel = this.panel(call)
    const { plan, change_id } = call.body
    if (typeof plan !== 'string' || typeof change_id !== 'string')
      throw refusal(422, 'invalid', 'plan and change_id are needed.')
    return this.answers.once(`${panel.id} plan ${change_id}`, () => this.change(panel, plan))
  }

  change(panel: Panel, plan: string): Answer {
    if (panel.status === 'suspended')
      return { status: 409, body: { error: { code: 'suspended', message: 'This panel is suspended.' } } }
    const fault = planFault(plan, heldBy(panel))
    if (fault) return { status: fault.exceeded ? 409 : 422, body: { error: fault } }
    panel.plan = plan
    return answered(panel)
  }

  /** Idempotent by request_id. */
  powerServer(call: Call): Answer {
    const panel = this.panel(call)
    const { action, request_id } = call.body
    const server = serverOf(panel, call.parts[1] ?? '')
    if (typeof request_id !== 'string' || !isVerb(action))
      throw refusal(422, 'invalid', 'action and request_id are needed.')
    return this.answers.once(`${panel.id} ${call.parts[1]} ${request_id}`, () => {
      this.audit.note(call, action, call.parts[1])
      return this.power(panel, server, action)
    })
  }

  power(panel: Panel, server: number, action: Verb): Answer {
    if (panel.status === 'suspended')
      return { status: 409, body: { error: { code: 'suspended', message: 'This panel is suspended.' } } }
    switchPower(panel, server, action)
    return { status: 200, body: resourcesOf(panel, 'server')[server] }
  }

  series(call: Call): Answer {
    const { kind, resource } = Object.fromEntries(call.query)
    const found = resourcesOf(this.panel(call), kind ?? '').find(({ id }) => id === resource)
    if (!found || kind === 'domain') throw refusal(404, 'not_found', 'There is no such server or cluster.')
    return { status: 200, body: seriesOf(found) }
  }

  readAudit(call: Call): Answer {
    return { status: 200, body: this.audit.page(this.panel(call).id, placeIn(call.query)) }
  }

  list({ query }: Call): Answer {
    const from = placeIn(query)
    const wanted = query.get('panel_id')
    const all = [...this.panels.values()].filter(
      ({ place, panel_id }) => place > from && (wanted === null || wanted === String(panel_id)),
    )
    const items = all.slice(0, pageSize).map((panel) => ({
      ...shown(panel),
      owner: { name: panel.owner.display_name ?? null, email: panel.owner.email ?? null },
      counts: heldBy(panel),
    }))
    const next = all.length > pageSize ? String(all[pageSize - 1]?.place) : null
    return { status: 200, body: { items, next } }
  }

  adopt(call: Call): Answer {
    const panel = this.panel(call)
    const { panel_id, name, owner } = call.body
    if (typeof panel_id !== 'number' || typeof name !== 'string')
      throw refusal(422, 'invalid', 'panel_id and name are needed.')
    if (panel.panel_id === panel_id) return answered(panel)
    if (panel.panel_id !== null || this.known(panel_id))
      throw refusal(409, 'taken', 'It is the panel of somebody else.')
    this.#metering.begin(panel.id)
    return answered(Object.assign(panel, { panel_id, name, owner: Object(owner) }))
  }

  release(call: Call): Answer {
    const panel = this.panel(call)
    if (panel.panel_id === null) return { status: 200 }
    if (panel.panel_id !== call.body.panel_id) throw refusal(409, 'taken', 'It has another panel_id.')
    this.#metering.end(panel)
    panel.panel_id = null
    return { status: 200 }
  }

  rename(call: Call): Answer {
    const panel = this.panel(call)
    if (typeof call.body.name === 'string') panel.name = call.body.name
    this.audit.note(call, 'renamed', panel.name)
    return answered(panel)
  }

  move(call: Call, status: string): Answer {
    const panel = this.panel(call)
    if (panel.status !== status) this.#news(Object.assign(panel, { status }))
    return answered(panel)
  }

  remove(call: Call): Answer {
    const panel = this.panel(call)
    this.#metering.end(panel)
    this.panels.delete(panel.id)
    this.#news({ ...panel, status: 'deleted' })
    return { status: 204 }
  }

  sso(call: Call): Answer {
    const panel = this.panel(call)
    const { subject, ttl_seconds: ttl, ...about } = call.body
    if (panel.status === 'suspended') throw refusal(409, 'suspended', 'This panel is suspended.')
    if (typeof subject !== 'string' || typeof ttl !== 'number')
      throw refusal(422, 'invalid', 'subject and ttl_seconds are needed.')
    const token = randomBytes(32).toString('base64url')
    const expires = Date.now() + ttl * 1000
    this.links.set(token, { panel: panel.id, subject, about, expires })
    const url = `${this.#url()}/console?token=${token}`
    return { status: 201, body: { url, expires_at: new Date(expires).toISOString() } }
  }

  /** The page behind a sign-in link, shown once and before its expiry. */
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
    const from = placeIn(call.query)
    const all = resourcesOf(this.panel(call), call.query.get('kind') ?? '')
    const items = all.slice(from, from + pageSize)
    const next = from + pageSize < all.length ? String(from + pageSize) : null
    return { status: 200, body: { items, next } }
  }

  /** The unreported usage until a moment, as CloudEvents. The caller has to deliver it to the portal. */
  used(until: number): Fields[] {
    return this.#metering.used(this.panels.values(), until)
  }

  #news({ id, status, region }: Panel): void {
    this.#report({ type: 'panel.status', panel: id, occurred_at: new Date().toISOString(), status, region })
  }
}
