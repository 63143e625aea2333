import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  adoption,
  type ListedPanel,
  panelCheck,
  panelRelease,
  planChange,
  powerAsk,
} from '@portico/contract/engine/panel-calls.ts'
import { actor, newEnginePanel, resourceKind, ssoRequest } from '@portico/contract/engine/wire.ts'
import { afterAll } from 'vitest'
import * as z from 'zod/mini'
import { systemClock } from '#platform/clock.ts'
import { verify } from '#platform/webhook-signature.ts'
import { EngineRefused } from '#workspaces/engines/engine-calls.ts'
import { type NewPanel, system } from '#workspaces/engines/panel-engine.ts'
import { SimulatedEngine } from '#workspaces/engines/simulated/engine.ts'

// Serves the simulated engine by the contract, so that the check of engines can ask it: the portal asks it without a wire.
// Names, domains, signatures and repeated calls are handled here, so for those the check tests this server and not the engine.

class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly body: object

  constructor(status: number, code: string, more: object = {}) {
    super(code)
    this.status = status
    this.body = { error: { code, message: code, ...more } }
  }
}

type Answer = { readonly status: number; readonly body?: object | undefined }
type Call = {
  readonly engine: SimulatedEngine
  /** What the portal keeps of a panel, and a real engine would. */
  readonly kept: Map<string, { name: string; domain: string | null }>
  readonly parts: readonly string[]
  readonly query: URLSearchParams
  readonly body: unknown
}
type Handler = (call: Call) => Promise<Answer>

function read<S extends z.ZodMiniType>(schema: S, body: unknown): z.output<S> {
  const { data, success } = z.safeParse(schema, body)
  if (!success) throw new Refused(422, 'invalid')
  return data
}

async function allOf(engine: SimulatedEngine): Promise<ListedPanel[]> {
  const found: ListedPanel[] = []
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const page: Awaited<ReturnType<SimulatedEngine['listPanels']>> & { next?: string } =
      await engine.listPanels({ cursor })
    found.push(...page.items)
    cursor = page.next
  }
  return found
}

const named = (panel: ListedPanel, { kept }: Call): ListedPanel => ({ ...panel, ...kept.get(panel.id) })

async function panelIn(call: Call): Promise<ListedPanel> {
  const panel = (await allOf(call.engine)).find(({ id }) => id === call.parts[0])
  if (!panel) throw new Refused(404, 'not_found')
  return named({ ...panel, ...(await call.engine.readPanel(panel.id)) }, call)
}

const shown = async (call: Call, status = 200): Promise<Answer> => ({ status, body: await panelIn(call) })
const askedOf = ({ owner, actor: by, domain = null, ...panel }: z.output<typeof newEnginePanel>) => ({
  ...panel,
  domain,
  owner: { subject: owner.subject, displayName: owner.display_name, email: '' },
  actor: by ?? system,
})

const create: Handler = async (call) => {
  const { panel_id: panelId, ...asked } = read(newEnginePanel, call.body)
  const panel: NewPanel = { panelId, ...askedOf({ panel_id: panelId, ...asked }) }
  const isKnown = (await allOf(call.engine)).some((one) => one.panel_id === panelId)
  const made = await call.engine.createPanel(panel)
  if (made.refused) {
    const { ok: _, code, ...more } = { code: 'refused', ...(await call.engine.check({ panel })) }
    throw new Refused(422, code, more)
  }
  const { externalId: id } = made
  if (!isKnown) call.kept.set(id, { name: panel.name, domain: panel.domain })
  return shown({ ...call, parts: [id] }, isKnown ? 200 : 201)
}

const check: Handler = async ({ engine, body }) => {
  const asked = read(panelCheck, body)
  if ('id' in asked)
    return { status: 200, body: await engine.check({ externalId: asked.id, plan: asked.plan }) }
  const { panel_id: _, ...panel } = asked.panel
  return { status: 200, body: await engine.check({ panel: askedOf({ panel_id: 1, ...panel }) }) }
}

const list: Handler = async (call) => {
  const panelId = call.query.get('panel_id')
  const which = { cursor: call.query.get('cursor') ?? '0', ...(panelId && { panelId: Number(panelId) }) }
  const { items, next = null } = { next: null, ...(await call.engine.listPanels(which)) }
  return { status: 200, body: { items: items.map((panel) => named(panel, call)), next } }
}

const rename: Handler = async (call) => {
  const { id, domain = null } = await panelIn(call)
  const { name, actor: by = system } = read(
    z.object({ name: z.string(), actor: z.optional(actor) }),
    call.body,
  )
  await call.engine.updatePanel(id, { name, actor: by })
  call.kept.set(id, { name, domain })
  return shown(call)
}

const remove: Handler = async (call) => {
  const { id } = await panelIn(call)
  const nobody = { subject: '', displayName: '', email: '' }
  const none = { name: '', plan: null, region: null, domain: null, owner: nobody, actor: system }
  await call.engine.deletePanel({ ...none, panelId: 1, externalId: id })
  return { status: 204 }
}

const turn =
  (way: 'suspendPanel' | 'unsuspendPanel'): Handler =>
  async (call) => {
    await call.engine[way]((await panelIn(call)).id)
    return shown(call)
  }

const plan: Handler = async (call) => {
  const { id } = await panelIn(call)
  const asked = read(planChange, call.body)
  const answer = await call.engine.changePlan(id, { ...asked, changeId: asked.change_id })
  if (answer.state !== 'refused') return shown(call)
  const { code, exceeded } = answer
  throw new Refused(code === 'no_such_plan' ? 422 : 409, code, { exceeded })
}

const adopt: Handler = async (call) => {
  const { id } = await panelIn(call)
  const asked = read(adoption, call.body)
  if (!(await call.engine.adoptPanel(id, { panelId: asked.panel_id }))) throw new Refused(409, 'taken')
  return shown(call)
}

const release: Handler = async (call) => {
  const { id } = await panelIn(call)
  const { panel_id: panelId } = read(panelRelease, call.body)
  if (!(await call.engine.releasePanel(id, { panelId }))) throw new Refused(409, 'taken')
  return { status: 200 }
}

const resources: Handler = async (call) => {
  const { id } = await panelIn(call)
  const kind = z.safeParse(resourceKind, call.query.get('kind')).data
  const { items } = kind ? await call.engine.listResources(id, kind) : { items: [] }
  const things = items.map(({ externalId, ...thing }) => ({ id: externalId, ...thing }))
  return { status: 200, body: { items: things, next: null } }
}

const power: Handler = async (call) => {
  const { id } = await panelIn(call)
  const asked = read(powerAsk, call.body)
  const answer = await call.engine.powerServer(id, call.parts[1] ?? '', {
    ...asked,
    requestId: asked.request_id,
  })
  if (answer.state === 'refused') throw new Refused(answer.code === 'not_found' ? 404 : 409, answer.code)
  if (answer.state === 'waiting') return { status: 202 }
  const { externalId, ...server } = answer.server
  return { status: 200, body: { id: externalId, ...server } }
}

const series: Handler = async (call) => {
  const { id } = await panelIn(call)
  const kind = read(resourceKind, call.query.get('kind'))
  const body = await call.engine.readSeries(id, { kind, id: call.query.get('resource') ?? '' })
  if (!body) throw new Refused(404, 'not_found')
  return { status: 200, body }
}

const audit: Handler = async (call) => {
  const { id } = await panelIn(call)
  return { status: 200, body: await call.engine.readAudit(id, call.query.get('cursor') ?? undefined) }
}

const sso: Handler = async (call) => {
  const { id } = await panelIn(call)
  const { subject, display_name: displayName, client_ip: clientIp, ...ask } = read(ssoRequest, call.body)
  const asked = { ...ask, subject, displayName, clientIp, ttlSeconds: ask.ttl_seconds }
  const { url, expiresAt: expires_at } = await call.engine.createSsoLink(id, asked)
  return { status: 201, body: { url, expires_at } }
}

const revoke: Handler = async (call) => {
  await call.engine.revokeSubject((await panelIn(call)).id, call.parts[1] ?? '')
  return { status: 204 }
}

const routes: readonly (readonly [method: string, path: RegExp, handler: Handler])[] = [
  ['GET', /^\/v1\/health$/, async ({ engine }) => ({ status: 200, body: await engine.health() })],
  ['POST', /^\/v1\/checks$/, check],
  ['POST', /^\/v1\/panels$/, create],
  ['GET', /^\/v1\/panels$/, list],
  ['GET', /^\/v1\/panels\/([^/]+)$/, (call) => shown(call)],
  ['PATCH', /^\/v1\/panels\/([^/]+)$/, rename],
  ['DELETE', /^\/v1\/panels\/([^/]+)$/, remove],
  ['POST', /^\/v1\/panels\/([^/]+)\/suspend$/, turn('suspendPanel')],
  ['POST', /^\/v1\/panels\/([^/]+)\/unsuspend$/, turn('unsuspendPanel')],
  ['POST', /^\/v1\/panels\/([^/]+)\/plan$/, plan],
  ['POST', /^\/v1\/panels\/([^/]+)\/adopt$/, adopt],
  ['POST', /^\/v1\/panels\/([^/]+)\/release$/, release],
  ['GET', /^\/v1\/panels\/([^/]+)\/resources$/, resources],
  ['POST', /^\/v1\/panels\/([^/]+)\/servers\/([^/]+)\/power$/, power],
  ['GET', /^\/v1\/panels\/([^/]+)\/series$/, series],
  ['GET', /^\/v1\/panels\/([^/]+)\/audit$/, audit],
  ['POST', /^\/v1\/panels\/([^/]+)\/sso$/, sso],
  ['DELETE', /^\/v1\/panels\/([^/]+)\/subjects\/([^/]+)$/, revoke],
]

async function route(request: IncomingMessage, text: string, call: Omit<Call, 'parts' | 'query' | 'body'>) {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://engine')
  for (const [method, path, handler] of routes) {
    const found = method === request.method ? path.exec(pathname) : null
    if (!found) continue
    let body: unknown
    try {
      body = text === '' ? undefined : JSON.parse(text)
    } catch {
      throw new Refused(400, 'malformed')
    }
    return handler({ ...call, parts: found.slice(1).map(decodeURIComponent), query, body })
  }
  throw new Refused(404, 'not_found')
}

function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error
  return error instanceof EngineRefused
    ? new Refused(error.status, 'refused')
    : new Refused(500, String(error))
}

type Served = Pick<Call, 'engine' | 'kept'> & { readonly secret: string; readonly seen: Set<unknown> }

/** Answers a signed call, or the browser that opens a link. */
async function answerTo(request: IncomingMessage, text: string, served: Served): Promise<Answer> {
  const { engine, kept, secret, seen } = served
  const token = /^\/console\?token=([\w-]+)$/.exec(request.url ?? '')?.[1]
  if (token !== undefined) return { status: engine.redeem(token) ? 200 : 404 }
  const signed = text === '' ? `${request.method} ${request.url}` : text
  if (verify([secret], Buffer.from(signed), request.headers) !== 'genuine')
    throw new Refused(401, 'signature_invalid')
  const id = request.headers['webhook-id']
  if (seen.has(id)) throw new Refused(409, 'repeated')
  seen.add(id)
  return route(request, text, { engine, kept })
}

/** Serves a simulated engine until the file ends; returns its address. */
export async function simulatedFront(secret: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { status, body } = await answerTo(request, Buffer.concat(chunks).toString(), served).catch(
      refusalOf,
    )
    response.writeHead(status).end(body && JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a port has an address of this shape.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const engine = new SimulatedEngine(systemClock, `${url}/console`)
  const served: Served = { engine, kept: new Map(), secret, seen: new Set() }
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return url
}
