import { domainsOf } from '../dns/zones.ts'
import type { Host } from '../host.ts'
import { seriesOf } from '../metering/series.ts'
import { readPanel } from '../panels/truth.ts'
import { isSuspended, noServer, refusal } from '../refusal.ts'
import { serversIn } from '../servers/making.ts'
import { isVerb, powerServer } from '../servers/power.ts'
import { clusterOf, clusterResources, serverResources } from '../servers/resources.ts'
import { type Answer, actorOf, type Call, pageOf, panelIn } from './calls.ts'

const pageSize = 100

export async function resources(host: Host, call: Call): Promise<Answer> {
  const panel = await readPanel(host, panelIn(call))
  const readers = { server: serverResources, cluster: clusterResources, domain: domainsOf }
  const kind = call.query.get('kind') ?? ''
  const reader = Object.entries(readers).find(([name]) => name === kind)?.[1]
  const all = reader ? await reader(host, panel) : []
  return { status: 200, body: pageOf(all, ({ id }) => String(id), call.query, pageSize) }
}

export async function power(host: Host, call: Call): Promise<Answer> {
  const [id = '', name = ''] = call.parts
  const { action: verb, request_id: request, force } = call.body
  if (typeof request !== 'string' || !isVerb(verb)) {
    await readPanel(host, id)
    throw refusal(422, 'invalid', 'action and request_id are needed.')
  }
  const body = await powerServer(host, id, name, { verb, request, force: force === true })
  host.store.note({ panel: id, actor: actorOf(call), action: verb, target: name })
  return { status: 200, body }
}

export async function series(host: Host, call: Call): Promise<Answer> {
  const panel = await readPanel(host, panelIn(call))
  const { kind, resource } = Object.fromEntries(call.query)
  const servers = (await serversIn(host, panel.id)).filter((server) =>
    kind === 'cluster' ? clusterOf(server) === resource : kind === 'server' && server.name === resource,
  )
  if (servers.length === 0) throw noServer()
  return {
    status: 200,
    body: seriesOf(
      host.store,
      servers.map(({ config }) => config['volatile.uuid'] ?? ''),
    ),
  }
}

export async function audit(host: Host, call: Call): Promise<Answer> {
  const { id: panel } = await readPanel(host, panelIn(call))
  const before = Number(call.query.get('cursor') ?? Number.MAX_SAFE_INTEGER)
  if (!Number.isSafeInteger(before)) throw refusal(400, 'bad_cursor', 'No page begins there.')
  const rows = host.store.audit(panel, before, pageSize + 1)
  const items = rows.slice(0, pageSize).map(({ id, at, actor, action, target, ip }) => ({
    id: `a-${id}`,
    at: new Date(Number(at)).toISOString(),
    actor: JSON.parse(String(actor)),
    ...{ label: null, action, target, ip },
  }))
  const last = rows[pageSize - 1]
  return { status: 200, body: { items, next: rows.length > pageSize && last ? String(last.id) : null } }
}

/** A link to the page of the engine. Who opens it is let in once. */
export async function sso(host: Host, call: Call): Promise<Answer> {
  const panel = await readPanel(host, panelIn(call))
  const { subject, ttl_seconds: ttl, actor: _, ...about } = call.body
  if (panel.state === 'suspended') throw isSuspended()
  if (panel.state !== 'active') throw refusal(409, 'busy', 'This panel is being made or deleted.')
  if (typeof subject !== 'string' || typeof ttl !== 'number' || ttl < 1 || ttl > 300)
    throw refusal(422, 'invalid', 'subject and ttl_seconds are needed.')
  const expires = Date.now() + ttl * 1000
  const token = host.store.addLink({ panel: panel.id, subject, about }, expires)
  const url = `${host.settings.console}/open?token=${token}`
  return { status: 201, body: { url, expires_at: new Date(expires).toISOString() } }
}

export async function revoke(host: Host, call: Call): Promise<Answer> {
  const panel = await readPanel(host, panelIn(call))
  host.store.endVisits(panel.id, call.parts[1] ?? '')
  return { status: 204 }
}
