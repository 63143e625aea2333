import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineEvent } from '@portico/contract/engine/events.ts'
import type { UsageEvent } from '@portico/contract/engine/usage.ts'
import { type EnginePanelStatus, type ResourceKind, resourceKind } from '@portico/contract/engine/wire.ts'
import type { Clock } from '#platform/clock.ts'
import type {
  Made,
  NewPanel,
  PanelEngine,
  PanelRef,
  PlanAnswer,
  PlanAsk,
  PowerAnswer,
  PowerAsk,
  Question,
  SsoAsk,
  SsoLink,
} from '#workspaces/engines/panel-engine.ts'
import { capabilities, panelRefusal, planRefusal } from './offer.ts'
import { Powers } from './power.ts'
import { listing, type Since, type Tenant, tenant } from './tenant.ts'
import { simulatedUsage } from './usage-figures.ts'

/** Deliberate faults for tests and demonstrations. Each affected call decrements its counter. */
export type Faults = {
  /** The delay of each response, in milliseconds. */
  slowMs: number
  /** The number of calls that fail without effect. */
  failing: number
  /** The number of calls that take effect but lose their response. */
  losing: number
  /** Every message is delivered twice. */
  twice: boolean
}

/** The data of the console page: the person, the panel, and the rights. */
export type Visit = { readonly panel: string; readonly ask: SsoAsk; readonly expiresAt: number }

const kinds = resourceKind.options

// More links and panels than this occur only in load tests, and their data is dropped.
const mostLinks = 1000
const mostReported = 200

const hashed = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * An in-process engine for trying the portal and for tests. A panel's content follows from its id and plan,
 * and its health from the time, so both survive a restart. It remembers sign-in links, suspensions and sent
 * events only while the process lives; the portal tells it again which plan and domain a panel has.
 */
export class SimulatedEngine implements PanelEngine {
  readonly faults: Faults = { slowMs: 0, failing: 0, losing: 0, twice: false }
  readonly #clock: Clock
  readonly #consoleUrl: string
  readonly #speed: number
  readonly #links = new Map<string, Visit>()
  readonly #suspended = new Set<string>()
  readonly #since = new Map<string, Since>()
  /** The answers to changes of plan, by panel and change. */
  readonly #changes = new Map<string, PlanAnswer>()
  readonly #powers = new Powers()
  /** The last reported state of each resource, by panel. */
  readonly #reported = new Map<string, Map<string, string>>()
  #news: EngineEvent[] = []

  /** `consoleUrl`: the target of sign-in links. `speed`: a factor on usage. */
  constructor(clock: Clock, consoleUrl: string, speed = 1) {
    this.#clock = clock
    this.#consoleUrl = consoleUrl
    this.#speed = speed
  }

  async #answer<T>(work: () => T): Promise<T> {
    const { faults } = this
    if (faults.slowMs > 0) await sleep(faults.slowMs)
    if (faults.failing-- > 0) throw new Error('The simulated engine fails, as requested.')
    faults.failing = 0
    const answer = work()
    if (faults.losing-- > 0) throw new Error('The simulated engine loses its answer, as requested.')
    faults.losing = 0
    return answer
  }

  #tenant(externalId: string): Tenant {
    return tenant(externalId, this.#since.get(externalId), this.#powers.of(externalId))
  }

  #know(externalId: string): void {
    this.#tenant(externalId)
    if (this.#reported.size < mostReported && !this.#reported.has(externalId))
      this.#reported.set(externalId, new Map())
  }

  #report(externalId: string, status: EnginePanelStatus): void {
    if (this.#news.length >= mostReported) return
    const occurred_at = this.#clock.now().toISOString()
    this.#news.push({ type: 'panel.status', panel: externalId, occurred_at, status })
  }

  #statusOf(externalId: string): EnginePanelStatus {
    return this.#suspended.has(externalId) ? 'suspended' : 'active'
  }

  health() {
    return this.#answer(() => ({
      status: 'ok' as const,
      version: 'simulated',
      contract: '1.1',
      capabilities,
    }))
  }

  /** Restores the current plan, domain and region: the id of a panel contains only its first plan. */
  remember({ externalId, plan, domain, region }: Since & Pick<PanelRef, 'externalId'>): void {
    if (externalId !== null) this.#since.set(externalId, { plan, domain, region })
  }

  #isTaken(domain: string, by?: string): boolean {
    for (const [id, since] of this.#since) if (since.domain === domain && id !== by) return true
    return false
  }

  check(question: Question) {
    return this.#answer(() => {
      const refusal =
        'panel' in question
          ? panelRefusal(question.panel, (domain) => this.#isTaken(domain))
          : planRefusal(this.#tenant(question.externalId), question.plan, this.#clock.now())
      return refusal ?? { ok: true }
    })
  }

  createPanel({ panelId, plan, domain, region: asked }: NewPanel): Promise<Made> {
    return this.#answer(() => {
      const wanted = `sim-${panelId}-${plan ?? 'standard'}`
      const refusal = panelRefusal({ plan, domain }, (name) => this.#isTaken(name, wanted))
      if (refusal) return { refused: true, reason: `${refusal.code}: ${refusal.message}` }
      this.remember({ externalId: wanted, plan, domain, region: asked })
      const { id, region } = this.#tenant(wanted)
      if (!this.#reported.has(id)) this.#report(id, 'active')
      this.#know(id)
      return { refused: false, externalId: id, region, status: this.#statusOf(id) }
    })
  }

  readPanel(externalId: string) {
    return this.#answer(() => {
      this.#know(externalId)
      const { region, planCode: plan } = this.#tenant(externalId)
      return { status: this.#statusOf(externalId), region, plan, reasons: [] }
    })
  }

  updatePanel(externalId: string): Promise<void> {
    return this.#answer(() => void tenant(externalId))
  }

  /** Idempotent by change: a repeated change gets the first answer and changes nothing. */
  changePlan(externalId: string, { plan, changeId }: PlanAsk): Promise<PlanAnswer> {
    return this.#answer(() => {
      const key = `${externalId} ${changeId}`
      const answer = this.#changes.get(key) ?? this.#change(externalId, plan)
      const [oldest] = this.#changes.keys()
      if (this.#changes.size >= mostLinks && oldest !== undefined) this.#changes.delete(oldest)
      this.#changes.set(key, answer)
      return answer
    })
  }

  #change(externalId: string, plan: string): PlanAnswer {
    const of = this.#tenant(externalId)
    if (this.#suspended.has(externalId))
      return { state: 'refused', code: 'suspended', reason: 'The panel is suspended.', exceeded: [] }
    const refusal = planRefusal(of, plan, this.#clock.now())
    if (refusal) {
      const { code, message: reason, exceeded = [] } = refusal
      return { state: 'refused', code, reason, exceeded }
    }
    this.remember({ externalId, plan, domain: of.domain, region: of.region })
    return { state: 'done' }
  }

  powerServer(panel: string, server: string, ask: PowerAsk): Promise<PowerAnswer> {
    return this.#answer(() => {
      const at = this.#clock.now()
      const found = (of: Tenant) => listing.server(of, at).find(({ externalId }) => externalId === server)
      const before = this.#tenant(panel)
      if (!found(before)) return { state: 'refused', code: 'not_found' }
      if (this.#suspended.has(panel)) return { state: 'refused', code: 'suspended' }
      return this.#powers.ask({ panel, server }, ask, at.toISOString(), (power) => {
        const now = found({ ...before, power })
        if (!now) throw new Error(`The server ${server} is gone.`)
        return { state: 'done', server: now }
      })
    })
  }

  suspendPanel(externalId: string): Promise<void> {
    return this.#answer(() => {
      tenant(externalId)
      if (!this.#suspended.has(externalId)) this.#report(externalId, 'suspended')
      this.#suspended.add(externalId)
    })
  }

  unsuspendPanel(externalId: string): Promise<void> {
    return this.#answer(() => {
      tenant(externalId)
      if (this.#suspended.delete(externalId)) this.#report(externalId, 'active')
    })
  }

  deletePanel({ externalId }: PanelRef): Promise<boolean> {
    return this.#answer(() => {
      if (externalId !== null && this.#reported.delete(externalId)) this.#report(externalId, 'deleted')
      if (externalId !== null) this.#since.delete(externalId)
      return true
    })
  }

  createSsoLink(externalId: string, ask: SsoAsk): Promise<SsoLink> {
    return this.#answer(() => {
      tenant(externalId)
      const token = randomBytes(32).toString('base64url')
      const expiresAt = this.#clock.now().getTime() + ask.ttlSeconds * 1000
      const [oldest] = this.#links.keys()
      if (this.#links.size >= mostLinks && oldest !== undefined) this.#links.delete(oldest)
      this.#links.set(hashed(token), { panel: externalId, ask, expiresAt })
      return {
        url: `${this.#consoleUrl}?token=${token}`,
        expiresAt: new Date(expiresAt).toISOString(),
      }
    })
  }

  /** Redeems a sign-in link, once and before its expiry. */
  redeem(token: string): Visit | undefined {
    const key = hashed(token)
    const visit = this.#links.get(key)
    this.#links.delete(key)
    return visit && visit.expiresAt > this.#clock.now().getTime() ? visit : undefined
  }

  revokeSubject(externalId: string, subject: string): Promise<void> {
    return this.#answer(() => {
      for (const [key, { panel, ask }] of this.#links)
        if (panel === externalId && ask.subject === subject) this.#links.delete(key)
    })
  }

  listResources<K extends ResourceKind>(externalId: string, kind: K) {
    return this.#answer(() => {
      this.#know(externalId)
      return { items: listing[kind](this.#tenant(externalId), this.#clock.now()) }
    })
  }

  /** The usage of a panel in intervals that end after `from` and no later than `to`. */
  usage(panel: string, from: Date, to: Date): UsageEvent[] {
    const of = { panel: this.#tenant(panel), suspended: this.#suspended.has(panel), speed: this.#speed }
    return simulatedUsage(of, from, to)
  }

  /** The events since the last call: changed panels and resources. */
  changes(): EngineEvent[] {
    const at = this.#clock.now()
    const events = this.#news.splice(0)
    for (const [externalId, reported] of this.#reported) {
      for (const kind of kinds) {
        for (const { externalId: id, ...resource } of listing[kind](this.#tenant(externalId), at)) {
          const now = JSON.stringify(resource)
          if (reported.get(`${kind} ${id}`) === now) continue
          reported.set(`${kind} ${id}`, now)
          // The listing of a kind holds that kind, which the compiler cannot see through the loop.
          const event = { id, ...resource } as Extract<EngineEvent, { type: 'resource.upserted' }>['resource']
          events.push({
            type: 'resource.upserted',
            panel: externalId,
            occurred_at: at.toISOString(),
            resource: event,
          })
        }
      }
    }
    return events
  }

  /** Returns undelivered events, so that they are reported again. */
  undelivered(events: readonly EngineEvent[]): void {
    this.#news.unshift(...events.filter(({ type }) => type === 'panel.status'))
    for (const event of events)
      if (event.type === 'resource.upserted')
        this.#reported.get(event.panel)?.delete(`${event.resource.kind} ${event.resource.id}`)
  }
}
