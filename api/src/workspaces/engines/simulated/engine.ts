import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineEvent } from '@portico/contract/engine/events.ts'
import type { UsageEvent } from '@portico/contract/engine/usage.ts'
import type { EngineActor, EnginePanelStatus, ResourceKind } from '@portico/contract/engine/wire.ts'
import type { Clock } from '#platform/clock.ts'
import { EngineRefused } from '#workspaces/engines/engine-calls.ts'
import type {
  Adoption,
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
import { Accounts } from './accounts.ts'
import { Audit } from './audit.ts'
import { Links, type Visit } from './links.ts'
import { News } from './news.ts'
import { capabilities, panelRefusal, planRefusal } from './offer.ts'
import { Powers } from './power.ts'
import { seriesOf } from './series.ts'
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

// More answers than this occur only in load tests, and their data is dropped.
const mostAnswers = 1000

/**
 * An in-process engine for trying the portal and for tests. A panel's content follows from its id and plan,
 * and its health from the time, so both survive a restart. It remembers sign-in links, suspensions and sent
 * events only while the process lives; the portal tells it again which plan and domain a panel has.
 */
export class SimulatedEngine implements PanelEngine {
  readonly faults: Faults = { slowMs: 0, failing: 0, losing: 0, twice: false }
  readonly #clock: Clock
  readonly #speed: number
  readonly #links: Links
  readonly #audit = new Audit()
  readonly #suspended = new Set<string>()
  readonly #since = new Map<string, Since>()
  /** The answers to changes of plan, by panel and change. */
  readonly #changes = new Map<string, PlanAnswer>()
  readonly #powers = new Powers()
  /** Filled by tests with accounts from before the portal. */
  readonly accounts = new Accounts()
  readonly #news = new News()

  /** `consoleUrl`: the target of sign-in links. `speed`: a factor on usage. */
  constructor(clock: Clock, consoleUrl: string, speed = 1) {
    this.#clock = clock
    this.#links = new Links(consoleUrl)
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
    this.#news.know(externalId)
  }

  #report(externalId: string, status: EnginePanelStatus): void {
    this.#news.report(externalId, status, this.#clock.now())
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
      if (!this.#news.knows(id)) this.#report(id, 'active')
      this.#know(id)
      this.accounts.made(id, panelId)
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

  updatePanel(externalId: string, { name, actor }: { name: string; actor: EngineActor }): Promise<void> {
    return this.#answer(() => {
      tenant(externalId)
      const at = this.#clock.now().getTime()
      this.#audit.note(externalId, { at, actor, action: 'renamed', target: name })
    })
  }

  /** Idempotent by change: a repeated change gets the first answer and changes nothing. */
  changePlan(externalId: string, { plan, changeId }: PlanAsk): Promise<PlanAnswer> {
    return this.#answer(() => {
      const key = `${externalId} ${changeId}`
      const answer = this.#changes.get(key) ?? this.#change(externalId, plan)
      const [oldest] = this.#changes.keys()
      if (this.#changes.size >= mostAnswers && oldest !== undefined) this.#changes.delete(oldest)
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
        const done = { start: 'started', stop: 'stopped', restart: 'restarted' }[ask.action]
        this.#audit.note(panel, { at: at.getTime(), actor: ask.actor, action: done, target: now.name })
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
      if (externalId !== null && this.#news.forget(externalId)) this.#report(externalId, 'deleted')
      if (externalId === null) return true
      this.#since.delete(externalId)
      this.accounts.forget(externalId)
      return true
    })
  }

  listPanels(which: { readonly cursor?: string; readonly panelId?: number }) {
    const at = this.#clock.now()
    const seen = (id: string) => ({ of: this.#tenant(id), status: this.#statusOf(id), at })
    return this.#answer(() => this.accounts.page(seen, which))
  }

  adoptPanel(externalId: string, { panelId }: Pick<Adoption, 'panelId'>): Promise<boolean> {
    return this.#answer(() => this.accounts.adopt(externalId, panelId))
  }

  releasePanel(externalId: string, { panelId }: Pick<Adoption, 'panelId'>): Promise<boolean> {
    return this.#answer(() => this.accounts.release(externalId, panelId))
  }

  createSsoLink(externalId: string, ask: SsoAsk): Promise<SsoLink> {
    return this.#answer(() => {
      tenant(externalId)
      if (this.#suspended.has(externalId)) throw new EngineRefused(409, 'The panel is suspended.')
      const at = this.#clock.now().getTime()
      this.#audit.note(externalId, {
        at,
        actor: { subject: ask.subject, kind: ask.role },
        action: 'signed in',
      })
      return this.#links.make(externalId, ask, at)
    })
  }

  /** Redeems a sign-in link, once and before its expiry. */
  redeem(token: string): Visit | undefined {
    const visit = this.#links.redeem(token, this.#clock.now().getTime())
    return visit && !this.#suspended.has(visit.panel) ? visit : undefined
  }

  revokeSubject(externalId: string, subject: string): Promise<void> {
    return this.#answer(() => this.#links.revoke(externalId, subject))
  }

  readSeries(externalId: string, { kind, id }: { readonly kind: ResourceKind; readonly id: string }) {
    return this.#answer(() => seriesOf(this.#tenant(externalId), kind, id, this.#clock.now()))
  }

  readAudit(externalId: string, cursor?: string) {
    return this.#answer(() => {
      tenant(externalId)
      return this.#audit.page(externalId, cursor)
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
    return this.#news.changes((panel) => this.#tenant(panel), this.#clock.now())
  }

  /** Returns undelivered events, so that they are reported again. */
  undelivered(events: readonly EngineEvent[]): void {
    this.#news.undelivered(events)
  }
}
