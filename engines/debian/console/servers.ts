import { randomUUID } from 'node:crypto'
import type { Fields } from '../http/calls.ts'
import { LxdError } from '../lxd/client.ts'
import { type Instance, instancePath } from '../lxd/types.ts'
import { seriesOf } from '../metering/series.ts'
import { panelLock } from '../panels/making.ts'
import { mostNodes, planNamed, sizes } from '../panels/offers.ts'
import { countsOf } from '../panels/plans.ts'
import { readPanel } from '../panels/truth.ts'
import { isSuspended, noServer, refusal } from '../refusal.ts'
import { isReady, makeServer, removeServer } from '../servers/making.ts'
import { isVerb, powerServer } from '../servers/power.ts'
import { clusterOf, clusterResources, serverResources } from '../servers/resources.ts'
import { note, type Visitor } from './visitor.ts'

const mostActs = 50
export const isName = (text: unknown): text is string =>
  typeof text === 'string' && /^[a-z][a-z0-9-]{0,30}[a-z0-9]$/.test(text)

export const sizeNamed = (code: unknown) => Object.entries(sizes).find(([name]) => name === code)?.[1]

export const overLimit = (message: string) => refusal(409, 'limit_exceeded', message)

/** LXD refuses what exceeds the processors, memory or disk of the project. */
export function asLimit(error: unknown): never {
  const isLimit = error instanceof LxdError && /limit|exceed/i.test(error.message)
  throw isLimit ? overLimit('The plan does not allow it.') : error
}

async function serverOf({ host, panel, asked }: Visitor): Promise<Instance> {
  const name = asked.server
  const server = isName(name) ? await host.lxd.find<Instance>(instancePath(panel.id, name)) : undefined
  if (!server || !isReady(server)) throw noServer()
  return server
}

export async function list({ host, panel }: Visitor): Promise<Fields> {
  const [servers, clusters] = await Promise.all([serverResources(host, panel), clusterResources(host, panel)])
  const plan = planNamed(host.plans, panel.plan)
  return {
    servers,
    clusters,
    sizes: Object.entries(sizes).map(([code, size]) => ({ code, ...size })),
    most: plan.limits.servers,
    mostClusters: plan.limits.clusters,
    mostNodes,
  }
}

/** Adds a server within the plan; LXD refuses what exceeds its processors, memory or disk. */
export async function add(visitor: Visitor): Promise<Fields> {
  const { host, panel, asked } = visitor
  const size = sizeNamed(asked.size)
  if (!isName(asked.server) || !size) throw refusal(422, 'name_invalid', 'Small letters, digits and hyphens.')
  const name = asked.server
  await host.locks.alone(panelLock(panel.id), async () => {
    if ((await readPanel(host, panel.id)).state !== 'active') throw isSuspended()
    if (await host.lxd.find(instancePath(panel.id, name)))
      throw refusal(409, 'name_taken', 'There is such a server.')
    const { servers } = await countsOf(host, panel.id)
    const most = planNamed(host.plans, panel.plan).limits.servers
    if (most != null && servers >= most) throw overLimit('The plan allows no more servers.')
    await makeServer(host, panel, { name, size }).catch(asLimit)
  })
  note(visitor, 'added', name)
  return {}
}

/** Deletes a server with all that is in it. The nodes of a cluster go with it alone. */
export async function remove(visitor: Visitor): Promise<Fields> {
  const { host, panel } = visitor
  const { name } = await serverOf(visitor)
  await host.locks.alone(panelLock(panel.id), async () => {
    if ((await readPanel(host, panel.id)).state !== 'active') throw isSuspended()
    const server = await serverOf(visitor)
    if (clusterOf(server) !== null) throw noServer()
    // What it used since the last reading counts.
    await host.sample(panel.id)
    await removeServer(host, panel.id, server)
  })
  note(visitor, 'deleted', name)
  return {}
}

export async function power(visitor: Visitor): Promise<Fields> {
  const { host, panel, asked } = visitor
  if (!isVerb(asked.action)) throw refusal(422, 'invalid', 'An action is needed.')
  const { name } = await serverOf(visitor)
  const ask = { verb: asked.action, force: asked.force === true, request: `page-${randomUUID()}` }
  const server = await powerServer(host, panel.id, name, ask)
  note(visitor, asked.action, name)
  return server
}

export async function series(visitor: Visitor): Promise<Fields> {
  const { config } = await serverOf(visitor)
  return seriesOf(visitor.host.store, [config['volatile.uuid'] ?? ''])
}

/** Begins a shell; its secrets open it once, at LXD's own address, without any other right. */
export async function terminal(visitor: Visitor): Promise<Fields> {
  const { host, panel } = visitor
  const { name, status } = await serverOf(visitor)
  if (status !== 'Running') throw refusal(409, 'not_possible', 'The server does not run.')
  const { operation, metadata } = await host.lxd.begin(instancePath(panel.id, name, '/exec'), {
    command: ['/bin/sh', '-c', 'exec $(command -v bash || echo /bin/sh) -l'],
    'wait-for-websocket': true,
    interactive: true,
    environment: { TERM: 'xterm-256color', HOME: '/root', LANG: 'C.UTF-8' },
    ...{ width: 80, height: 24 },
  })
  note(visitor, 'opened a terminal', name)
  return { operation, fds: Object(Object(metadata).metadata).fds }
}

export async function activity({ host, panel }: Visitor): Promise<Fields> {
  const rows = host.store.audit(panel.id, Number.MAX_SAFE_INTEGER, mostActs)
  return {
    acts: rows.map(({ at, actor, action, target }) => ({
      at,
      kind: JSON.parse(String(actor)).kind,
      action,
      target,
    })),
  }
}
