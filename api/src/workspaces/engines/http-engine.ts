import {
  type adoption,
  type panelCheck,
  panelCheckAnswer,
  panelPage,
  type panelRelease,
  type planChange,
} from '@portico/contract/engine/panel-calls.ts'
import { type AuditPage, auditPage, engineSeries } from '@portico/contract/engine/readings.ts'
import type { PowerVerb } from '@portico/contract/engine/reasons.ts'
import {
  type EngineActor,
  enginePanel,
  firstPanel,
  firstResourcePage,
  healthOf,
  isLater,
  type newEnginePanel,
  type ResourceKind,
  resourcePage,
  ssoLink,
  type ssoRequest,
} from '@portico/contract/engine/wire.ts'
import type * as z from 'zod/mini'
import { EngineCalls, type EngineRefused, panelPath, unless, type Way } from './engine-calls.ts'
import { powerServer } from './http-power.ts'
import {
  type Adoption,
  type EngineAccess,
  type EnginePanel,
  type EngineResource,
  type Made,
  type NewPanel,
  type PanelEngine,
  type PanelOwner,
  type PanelRef,
  type PlanAnswer,
  type PlanAsk,
  type PowerAnswer,
  type PowerAsk,
  type Question,
  type SsoAsk,
  type SsoLink,
  system,
} from './panel-engine.ts'

/**
 * Refusals that concern the requested panel. The contract names 422; 401, 403 and 404 come from a wrong
 * secret or address.
 */
const ofNewPanel = [400, 409, 422]

/** The time limit of checks, because a person waits for them. */
const checkMs = 3000

/** The time limit of what a person looks at. */
const lookMs = 5000

type Asked = z.input<typeof ssoRequest>
type Shown = z.output<typeof enginePanel>

const planRefused = ({ said, message }: EngineRefused): PlanAnswer => ({
  state: 'refused',
  code: said?.code ?? 'refused',
  reason: message,
  exceeded: said?.exceeded ?? [],
})

type Word = 'check' | 'change_plan' | 'list' | 'adopt' | 'series' | 'audit'

/** An engine that implements `contract/panel-engine.v1.yaml` over HTTP. */
export class HttpEngine implements PanelEngine {
  readonly #access: EngineAccess
  readonly #calls: EngineCalls
  readonly #later: boolean

  constructor(access: EngineAccess, way: Way) {
    this.#access = access
    this.#calls = new EngineCalls(access, way)
    this.#later = isLater(access.contract)
  }

  /** Throws for what an engine does not offer: it is not asked. */
  #offered(word: Word): void
  #offered(word: 'power', verb: PowerVerb): void
  #offered(word: Word | 'power', verb?: PowerVerb): void {
    const { code, capabilities } = this.#access
    const offers = word === 'power' ? verb && capabilities.power?.includes(verb) : capabilities[word]
    if (!this.#later || offers !== true) throw new Error(`The engine ${code} does not offer ${word}.`)
  }

  /** By what panels are read: what engines of 1.0 say beyond it means nothing. */
  get #panel(): typeof enginePanel | typeof firstPanel {
    return this.#later ? enginePanel : firstPanel
  }

  #actor(actor: EngineActor): { actor?: EngineActor } {
    return this.#later ? { actor } : {}
  }

  /** The same of a call without a body. */
  #actorQuery({ subject, kind }: EngineActor): string {
    return this.#later ? `?${new URLSearchParams({ ...(subject !== null && { actor: subject }), kind })}` : ''
  }

  #owner({ subject, displayName, email }: PanelOwner) {
    const wanted = this.#later && this.#access.capabilities.owner_email === true
    return { subject, display_name: displayName, ...(wanted && { email }) }
  }

  /** The body for a new panel. An engine without domains is sent none. */
  #asked({ name, plan, region, domain, owner, actor }: Omit<NewPanel, 'panelId'>) {
    const optional = this.#later && domain !== null ? { domain } : {}
    return { name, plan, region, ...optional, owner: this.#owner(owner), ...this.#actor(actor) }
  }

  async health() {
    const { contract, ...health } = {
      contract: undefined,
      ...(await this.#calls.read({ method: 'GET', path: '/v1/health' }, healthOf)),
    }
    return { ...health, contract: contract !== undefined && isLater(contract) ? contract : '1.0' }
  }

  async createPanel({ panelId, ...panel }: NewPanel): Promise<Made> {
    const body = { panel_id: panelId, ...this.#asked(panel) } satisfies z.input<typeof newEnginePanel>
    const headers = { 'idempotency-key': String(panelId) }
    return this.#calls.read({ method: 'POST', path: '/v1/panels', body, headers }, this.#panel).then(
      ({ id, status, region, progress, login_url }: Shown): Made => ({
        refused: false,
        ...{ externalId: id, status, region, progress, loginUrl: login_url },
      }),
      unless(ofNewPanel, ({ message }): Made => ({ refused: true, reason: message })),
    )
  }

  readPanel(externalId: string): Promise<EnginePanel> {
    return this.#calls.read({ method: 'GET', path: panelPath(externalId) }, this.#panel).then(
      ({ reasons = [], login_url: loginUrl = null, ...read }: Shown): EnginePanel => ({
        ...{ ...read, reasons, loginUrl },
      }),
      unless([404], (): EnginePanel => ({ status: 'deleted', region: null, plan: null, reasons: [] })),
    )
  }

  async updatePanel(
    externalId: string,
    { name, actor }: { readonly name: string; readonly actor: EngineActor },
  ): Promise<void> {
    const body = { name, ...this.#actor(actor) }
    await this.#calls.ask({ method: 'PATCH', path: panelPath(externalId), body })
  }

  async suspendPanel(externalId: string, reason: string): Promise<void> {
    const body = { reason, ...this.#actor(system) }
    await this.#calls.ask({ method: 'POST', path: panelPath(externalId, '/suspend'), body })
  }

  async unsuspendPanel(externalId: string): Promise<void> {
    const body = this.#later ? { body: this.#actor(system) } : {}
    await this.#calls.ask({ method: 'POST', path: panelPath(externalId, '/unsuspend'), ...body })
  }

  async deletePanel(panel: PanelRef): Promise<boolean> {
    if (panel.externalId !== null) return this.#delete(panel.externalId, panel.actor)
    if (this.#later && this.#access.capabilities.list === true) {
      const { items } = await this.listPanels({ panelId: panel.panelId })
      // The engine may list panels of other portals, which are not ours to delete.
      const made = items.find((one) => one.panel_id === panel.panelId)
      return made === undefined || this.#delete(made.id, panel.actor)
    }
    // The creation may or may not have reached the engine; repeating it returns the id and creates no second panel.
    const made = await this.createPanel(panel)
    return made.refused || this.#delete(made.externalId, panel.actor)
  }

  #delete(externalId: string, actor: EngineActor): Promise<boolean> {
    const path = `${panelPath(externalId)}${this.#actorQuery(actor)}`
    return this.#calls.ask({ method: 'DELETE', path }).then(
      ({ status }) => status !== 202,
      unless([404], () => true),
    )
  }

  async check(question: Question) {
    this.#offered('check')
    const body = (
      'panel' in question
        ? { panel: { panel_id: null, ...this.#asked(question.panel) } }
        : { id: question.externalId, plan: question.plan }
    ) satisfies z.input<typeof panelCheck>
    const call = { method: 'POST', path: '/v1/checks', body, patience: checkMs } as const
    return this.#calls.read(call, panelCheckAnswer)
  }

  async changePlan(externalId: string, { plan, changeId, actor }: PlanAsk): Promise<PlanAnswer> {
    this.#offered('change_plan')
    const body = { plan, change_id: changeId, actor } satisfies z.input<typeof planChange>
    return this.#calls
      .ask({ method: 'POST', path: panelPath(externalId, '/plan'), body })
      .then(
        ({ status }): PlanAnswer => ({ state: status === 202 ? 'waiting' : 'done' }),
        unless([400, 404, 409, 422], planRefused),
      )
  }

  async powerServer(externalId: string, server: string, ask: PowerAsk): Promise<PowerAnswer> {
    this.#offered('power', ask.action)
    return powerServer(this.#calls, panelPath(externalId), server, ask)
  }

  async readSeries(externalId: string, { kind, id }: { readonly kind: ResourceKind; readonly id: string }) {
    this.#offered('series')
    const path = panelPath(externalId, `/series?${new URLSearchParams({ kind, resource: id })}`)
    return this.#calls
      .read({ method: 'GET', path, patience: lookMs }, engineSeries)
      .catch(unless([404], () => undefined))
  }

  async readAudit(externalId: string, cursor?: string): Promise<AuditPage> {
    this.#offered('audit')
    const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`
    const path = panelPath(externalId, `/audit${query}`)
    return this.#calls.read({ method: 'GET', path, patience: lookMs }, auditPage)
  }

  async listPanels({ cursor, panelId }: { readonly cursor?: string; readonly panelId?: number }) {
    this.#offered('list')
    const query = new URLSearchParams({
      ...(cursor !== undefined && { cursor }),
      ...(panelId !== undefined && { panel_id: String(panelId) }),
    })
    // A question mark without a query would be signed, and not sent.
    const path = query.size === 0 ? '/v1/panels' : `/v1/panels?${query}`
    const { items, next } = await this.#calls.read({ method: 'GET', path }, panelPage)
    return { items, ...(next !== null && { next }) }
  }

  async adoptPanel(externalId: string, { panelId, name, owner, actor }: Adoption): Promise<boolean> {
    this.#offered('adopt')
    const body = { panel_id: panelId, name, owner: this.#owner(owner), actor } satisfies z.input<
      typeof adoption
    >
    return this.#taken({ method: 'POST', path: panelPath(externalId, '/adopt'), body })
  }

  async releasePanel(externalId: string, { panelId, actor }: Pick<Adoption, 'panelId' | 'actor'>) {
    this.#offered('adopt')
    const body = { panel_id: panelId, actor } satisfies z.input<typeof panelRelease>
    return this.#taken({ method: 'POST', path: panelPath(externalId, '/release'), body })
  }

  /** Asks for what is refused when another has the panel. */
  #taken(call: Parameters<EngineCalls['ask']>[0]): Promise<boolean> {
    return this.#calls.ask(call).then(
      () => true,
      unless([409], () => false),
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
    const { url, expires_at } = await this.#calls.read(call, ssoLink)
    return { url, expiresAt: expires_at }
  }

  async revokeSubject(externalId: string, subject: string): Promise<void> {
    const person = panelPath(externalId, `/subjects/${encodeURIComponent(subject)}`)
    const path = `${person}${this.#actorQuery(system)}`
    await this.#calls.ask({ method: 'DELETE', path }).catch(unless([404], () => undefined))
  }

  async listResources<K extends ResourceKind>(externalId: string, kind: K, cursor?: string) {
    const query = new URLSearchParams({ kind, ...(cursor !== undefined && { cursor }) })
    const path = panelPath(externalId, `/resources?${query}`)
    const page = this.#later ? resourcePage : firstResourcePage
    const { items, next } = await this.#calls.read({ method: 'GET', path }, page)
    const found = items
      .filter((item) => item.kind === kind)
      .map(({ id, ...item }) => ({ ...item, externalId: id }))
    // Only items of the requested kind are left, which the compiler cannot see.
    return { items: found as unknown as EngineResource<K>[], ...(next !== null && { next }) }
  }
}
