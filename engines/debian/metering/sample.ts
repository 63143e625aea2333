import type { Host } from '../host.ts'
import { type Instance, type InstanceState, instancePath } from '../lxd/types.ts'
import { allPanels, type Panel, readPanel } from '../panels/truth.ts'
import { serversIn } from '../servers/making.ts'
import { diskMbOf, memoryMbOf, vcpusOf } from '../servers/resources.ts'
import type { Counters, ServerReading } from './counters.ts'
import { type Reading, readMetrics, serverKey } from './metrics.ts'

/** LXD answers metrics that are up to 8 seconds old: a server that started since would get the counter of its former run. */
const staleMs = 15_000

const nothing: Reading = { cpuSeconds: 0, memoryBytes: 0, outBytes: 0 }

async function stateOf({ lxd }: Host, { project, name }: Instance): Promise<Reading> {
  const state = await lxd.find<InstanceState>(instancePath(project, name, '/state'))
  return { ...nothing, cpuSeconds: (state?.cpu?.usage ?? 0) / 1e9, memoryBytes: state?.memory?.usage ?? 0 }
}

/**
 * What the metrics say, but for the processor: LXD adds up the user's and the system's time there, which kernels with groups of
 * the first version guess by ticks, several percent beside what they count exactly.
 */
async function metricsOf({ machine }: Host, { project, name }: Instance, known: Reading): Promise<Reading> {
  const exact = await machine.cpuSeconds(project, name)
  return exact === undefined ? known : { ...known, cpuSeconds: exact }
}

function readingOf(server: Instance, panel: Panel, reading: Reading): ServerReading {
  return {
    ...reading,
    uuid: server.config['volatile.uuid'] ?? serverKey(server.project, server.name),
    panel: panel.panelId ?? 0,
    resource: `server/${server.name}`,
    runs: server.status === 'Running',
    started: server.last_used_at,
    createdAt: Date.parse(server.created_at),
    vcpus: vcpusOf(server),
    memoryMb: memoryMbOf(server),
    diskMb: diskMbOf(server),
  }
}

/** Counts a panel itself: its hours, and what left its bridge. */
function countPanel(counters: Counters, panel: Panel, left: ReadonlyMap<string, number>, now: number): void {
  const of = { panel: panel.panelId ?? 0, resource: 'panel' }
  const createdAt = Date.parse(panel.createdAt ?? '') || 0
  counters.being({ ...of, uuid: `${panel.id}:being` }, 'panel_hours', createdAt, now)
  if (panel.bridge !== '')
    counters.traffic({ ...of, uuid: `${panel.id}:bridge` }, left.get(panel.bridge), now)
}

/** Reads all servers at once. */
export async function sampleAll(host: Host, counters: Counters, now = Date.now()): Promise<void> {
  const { lxd, dns, machine, store } = host
  // In this order: a server that appears between the two is in the list without a reading, and never the other way round.
  const metrics = readMetrics(await lxd.text('GET', '/1.0/metrics'))
  const [servers, panels, zones, left] = await Promise.all([
    lxd.get<Instance[]>('/1.0/instances?recursion=1&all-projects=true'),
    allPanels(host),
    dns.zones(),
    machine.leftBridges(),
  ])
  const byId = new Map(panels.map((panel) => [panel.id, panel]))
  const readings = await Promise.all(
    servers.map(async (server): Promise<ServerReading[]> => {
      const panel = byId.get(server.project)
      if (!panel) return []
      const isFresh = Date.parse(server.last_used_at) > now - staleMs
      const known = metrics.get(serverKey(server.project, server.name))
      const needsState = server.status === 'Running' && (isFresh || !known)
      if (needsState) return [readingOf(server, panel, await stateOf(host, server))]
      const isCounted = server.status === 'Running' && known !== undefined
      return [readingOf(server, panel, isCounted ? await metricsOf(host, server, known) : nothing)]
    }),
  )
  store.together(() => {
    for (const reading of readings.flat()) counters.server(reading, now)
    for (const panel of panels) countPanel(counters, panel, left, now)
    for (const { name, account } of zones) {
      const domain = name.replace(/\.$/, '')
      const subject = {
        uuid: `zone:${domain}`,
        panel: byId.get(account)?.panelId ?? 0,
        resource: `domain/${domain}`,
      }
      counters.being(subject, 'domain_days', now, now)
    }
    store.setMark('sampled', now)
  })
}

/** Reads the servers of one panel as they are at this moment. */
export async function samplePanel(host: Host, counters: Counters, id: string): Promise<void> {
  const panel = await readPanel(host, id)
  const servers = await serversIn(host, id)
  const readings = await Promise.all(
    servers.map(async (server) => {
      const state = server.status === 'Running' ? await stateOf(host, server) : nothing
      return readingOf(server, panel, state)
    }),
  )
  const [now, left] = [Date.now(), await host.machine.leftBridges()]
  host.store.together(() => {
    for (const reading of readings) counters.server(reading, now)
    countPanel(counters, panel, left, now)
  })
}
