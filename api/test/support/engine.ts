import type { PanelCheckAnswer } from '@portico/contract/engine/panel-calls.ts'
import type { AuditPage, EngineSeries } from '@portico/contract/engine/readings.ts'
import type { EngineCapabilities, ResourceKind } from '@portico/contract/engine/wire.ts'
import { makeVault, type Vault } from '#platform/vault.ts'
import type {
  EnginePanel,
  EngineResource,
  Engines,
  Health,
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
} from '#workspaces/engines/panel-engine.ts'

/** A vault as every part of a test may have one. */
export const testVault: Vault = makeVault('a secret that only tests have, and not a short one')

/** The capabilities that every engine of contract 1.0 has. */
export const leastCapabilities: EngineCapabilities = {
  provision: true,
  suspend: true,
  sso: true,
  events: false,
  domain_scopes: true,
  usage: 'none',
  kinds: ['server'],
  plans: [],
}

/** An engine that a test fills and breaks, and that remembers what it was asked. */
export class TestEngine implements PanelEngine {
  /** The resources of every panel. */
  resources: EngineResource[] = []
  readonly asked: string[] = []
  /** Thrown by the next calls, one each; then it works again. */
  readonly failures: Error[] = []
  /** Runs while a call is under way. */
  meanwhile: () => Promise<void> = async () => undefined
  refuses: string | undefined
  pageSize = 100
  /** The status of every panel. */
  status: EnginePanel['status'] = 'active'
  /** Which plan it says that every panel has. */
  plan: string | null = null
  /** Why every panel is as it is. */
  reasons: EnginePanel['reasons'] = []
  contract = '1.0'
  /** Capabilities in addition to the usual ones. */
  offers: Partial<EngineCapabilities> = {}
  /** The answer to checks. */
  verdict: PanelCheckAnswer = { ok: true }
  /** The answer to a change of plan. */
  planAnswer: PlanAnswer = { state: 'done' }
  series: EngineSeries | undefined
  audit: AuditPage = { items: [], next: null }
  /** The answer to each power verb; undefined: done, and the server runs. */
  powerAnswer: PowerAnswer | undefined
  /** Whether a deletion is over when it is answered. */
  deletesAtOnce = true

  async #ask(what: string): Promise<void> {
    this.asked.push(what)
    await this.meanwhile()
    const failure = this.failures.shift()
    if (failure) throw failure
  }

  async health(): Promise<Health> {
    await this.#ask('health')
    return {
      status: 'ok',
      version: 'test',
      contract: this.contract,
      capabilities: { ...leastCapabilities, ...this.offers },
    }
  }

  async createPanel({ panelId }: Pick<NewPanel, 'panelId'>): Promise<Made> {
    await this.#ask(`create ${panelId}`)
    if (this.refuses !== undefined) return { refused: true, reason: this.refuses }
    return { refused: false, externalId: `t-${panelId}`, region: 'eu-test', status: this.status }
  }

  async readPanel(externalId: string): Promise<EnginePanel> {
    await this.#ask(`read ${externalId}`)
    return { status: this.status, region: 'eu-test', plan: this.plan, reasons: this.reasons }
  }

  async updatePanel(externalId: string, { name }: { name: string }) {
    await this.#ask(`rename ${externalId} ${name}`)
  }

  async check(question: Question): Promise<PanelCheckAnswer> {
    await this.#ask('panel' in question ? `check ${question.panel.name}` : `check ${question.externalId}`)
    return this.verdict
  }

  async changePlan(externalId: string, { plan, changeId }: PlanAsk): Promise<PlanAnswer> {
    await this.#ask(`plan ${externalId} ${plan} ${changeId}`)
    return this.planAnswer
  }

  async readSeries(externalId: string, { kind, id }: { kind: ResourceKind; id: string }) {
    await this.#ask(`series ${externalId} ${kind} ${id}`)
    return this.series
  }

  async readAudit(externalId: string, cursor?: string): Promise<AuditPage> {
    await this.#ask(`audit ${externalId} ${cursor ?? 'first'}`)
    return this.audit
  }

  async powerServer(externalId: string, id: string, { action, requestId }: PowerAsk): Promise<PowerAnswer> {
    await this.#ask(`power ${externalId} ${id} ${action} ${requestId}`)
    return this.powerAnswer ?? { state: 'done', server: { ...server('1'), externalId: id } }
  }

  async suspendPanel(externalId: string, reason: string) {
    await this.#ask(`suspend ${externalId} ${reason}`)
    this.status = 'suspended'
  }

  async unsuspendPanel(externalId: string) {
    await this.#ask(`unsuspend ${externalId}`)
    this.status = 'active'
  }

  async deletePanel({ panelId }: Pick<PanelRef, 'panelId'>) {
    await this.#ask(`delete ${panelId}`)
    return this.deletesAtOnce
  }

  async createSsoLink(externalId: string, { subject, scopes }: SsoAsk) {
    await this.#ask(`sso ${externalId} ${subject} ${scopes.join()}`)
    return { url: `https://engine.test/sso/${externalId}`, expiresAt: '2030-01-01T00:00:00Z' }
  }

  async revokeSubject(externalId: string, subject: string) {
    await this.#ask(`revoke ${externalId} ${subject}`)
  }

  async listResources<K extends ResourceKind>(externalId: string, kind: K, cursor = '0') {
    await this.#ask(`list ${externalId} ${kind} ${cursor}`)
    const from = Number(cursor)
    const all = this.resources.filter((one): one is EngineResource<K> => one.kind === kind)
    const next = from + this.pageSize < all.length ? { next: String(from + this.pageSize) } : {}
    return { items: all.slice(from, from + this.pageSize), ...next }
  }
}

/** Opens the same engine for every access. */
export const only = (engine: PanelEngine): Engines => ({ open: () => engine })

/** A server as an engine reports it. */
export function server(
  externalId: string,
  status: EngineResource['status'] = 'running',
): EngineResource<'server'> {
  const spec = { ipv4: '192.0.2.1', vcpus: 2, memory_gb: 4, disk_gb: 80, cpu_percent: 12.5 }
  return { kind: 'server', externalId, name: `web-${externalId}`, status, region: 'eu-test', spec }
}
