import type { Host } from '../host.ts'
import { type Instance, type InstanceState, instancePath } from '../lxd/types.ts'
import type { Panel } from '../panels/truth.ts'
import { isReady, serversIn } from './making.ts'

export type Fields = Readonly<Record<string, unknown>>

const bytesOfGb = 1024 ** 3
const rounded = (value: number) => Math.round(value * 1000) / 1000

/** A size of LXD in megabytes: `256MiB`, `2GiB`. */
function megabytesOf(text: string | undefined): number {
  const [, number = '0', unit = 'M'] = /^(\d+)([MG])i?B$/.exec(text ?? '') ?? []
  return Number(number) * (unit === 'G' ? 1024 : 1)
}

export const clusterOf = ({ config }: Instance) => config['user.portico.cluster'] || null
export const vcpusOf = ({ expanded_config: config }: Instance) => Number(config['limits.cpu'] ?? 1)
export const memoryMbOf = ({ expanded_config: config }: Instance) => megabytesOf(config['limits.memory'])
export const diskMbOf = ({ expanded_devices: devices }: Instance) => megabytesOf(devices.root?.size)

const byStatus: Readonly<Record<string, string>> = {
  Running: 'running',
  Stopped: 'stopped',
  Frozen: 'stopped',
  Starting: 'starting',
  Stopping: 'running',
}

/** In the words of the contract; a server whose making was broken off is being made. */
function statusOf(server: Instance): string {
  return isReady(server) ? (byStatus[server.status] ?? 'error') : 'starting'
}

const addressesOf = ({ network }: InstanceState) =>
  Object.entries(network ?? {})
    .filter(([device]) => device !== 'lo')
    .flatMap(([, { addresses }]) => addresses)
    .filter(({ scope }) => scope === 'global')

/** LXD writes the year 1970 while a server starts for the first time. */
function startOf({ last_used_at: at }: Instance): string | null {
  const start = new Date(at)
  return start.getUTCFullYear() > 2000 ? start.toISOString() : null
}

/** The verbs that make sense now. */
const verbsNow = (panel: Panel, status: string) => {
  if (panel.state !== 'active') return []
  return status === 'stopped' ? ['start'] : ['stop', 'restart']
}

/** A server as the contract has it, from its row alone or with what it uses now. */
export function asServer(host: Host, panel: Panel, server: Instance, state?: InstanceState): Fields {
  const status = statusOf(server)
  const runs = status === 'running'
  const addresses = state ? addressesOf(state) : []
  const of = (family: string) =>
    addresses.filter((one) => one.family === family).map(({ address }) => address)
  const [ipv4 = null, ...more] = of('inet')
  const [ipv6 = null, ...others] = of('inet6')
  const memoryGb = rounded(memoryMbOf(server) / 1024)
  const diskGb = rounded(diskMbOf(server) / 1024)
  const used = (bytes: number | undefined, most: number) =>
    bytes === undefined ? null : rounded(Math.min(most, bytes / bytesOfGb))
  const reasons = host.store.reasonsOf(server.config['volatile.uuid'] ?? '')
  const spec = {
    ipv4,
    vcpus: vcpusOf(server),
    memory_gb: memoryGb,
    disk_gb: diskGb,
    cpu_percent: runs ? host.store.loadOf(server.config['volatile.uuid'] ?? '') : 0,
    ipv6,
    addresses: [...more, ...others].slice(0, 20),
    memory_used_gb: used(runs ? state?.memory?.usage : undefined, memoryGb),
    disk_used_gb: used(state?.disk?.root?.usage, diskGb),
    up_since: runs ? startOf(server) : null,
    power: verbsNow(panel, status),
  }
  return { kind: 'server', id: server.name, name: server.name, status, region: panel.region, reasons, spec }
}

/** The servers of a panel with what they use: the nodes of clusters are not among them. */
export async function serverResources(host: Host, panel: Panel): Promise<Fields[]> {
  const servers = (await serversIn(host, panel.id)).filter((server) => clusterOf(server) === null)
  const states = await Promise.all(
    servers.map(({ name }) => host.lxd.find<InstanceState>(instancePath(panel.id, name, '/state'))),
  )
  return servers.map((server, i) => asServer(host, panel, server, states[i]))
}

/** A cluster as the contract has it. */
export function asCluster(host: Host, panel: Panel, name: string, nodes: readonly Instance[]): Fields {
  const ready = nodes.filter((node) => statusOf(node) === 'running').length
  const partly = ready === 0 ? 'stopped' : 'degraded'
  const status = ready === nodes.length ? 'running' : partly
  const sum = (of: (node: Instance) => number) => nodes.reduce((all, node) => all + of(node), 0)
  const load = sum((node) => host.store.loadOf(node.config['volatile.uuid'] ?? ''))
  const spec = {
    nodes: nodes.length,
    nodes_ready: ready,
    vcpus: sum(vcpusOf),
    memory_gb: rounded(sum(memoryMbOf) / 1024),
    cpu_percent: ready === 0 ? 0 : rounded(load / nodes.length),
  }
  return { kind: 'cluster', id: name, name, status, region: panel.region, reasons: [], spec }
}

/** The nodes of each cluster among servers. */
export function clustersAmong(servers: readonly Instance[]): Map<string, Instance[]> {
  const nodes = servers.filter((server) => clusterOf(server) !== null)
  return Map.groupBy(nodes, (node) => clusterOf(node) ?? '')
}

export async function clusterResources(host: Host, panel: Panel): Promise<Fields[]> {
  const clusters = clustersAmong(await serversIn(host, panel.id))
  return [...clusters]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, nodes]) => asCluster(host, panel, name, nodes))
}
