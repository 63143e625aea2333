import path from 'node:path'
import { PowerDns } from './dns/client.ts'
import type { Host, Machine } from './host.ts'
import { Locks } from './locks.ts'
import { Lxd } from './lxd/client.ts'
import { type Happened, listen } from './lxd/events.ts'
import { type Instance, type InstanceState, instancePath } from './lxd/types.ts'
import { mend } from './mending/mend.ts'
import { Counters } from './metering/counters.ts'
import { closeHours } from './metering/hours.ts'
import { Outbox } from './metering/outbox.ts'
import { sampleAll, samplePanel } from './metering/sample.ts'
import { plansIn } from './panels/offers.ts'
import { allPanels, findPanel, isNamedHere, isOurs, panelsOfHost } from './panels/truth.ts'
import { serversIn } from './servers/making.ts'
import { asCluster, asServer, clusterOf } from './servers/resources.ts'
import type { Settings } from './settings.ts'
import { Store } from './store/store.ts'

/** The engine without its ports. */
export type Opened = { readonly host: Host; readonly begin: () => Promise<void>; readonly close: () => void }

/** Tells the portal of a server, or of the cluster that it is a node of. */
async function tellServer(host: Host, { project, name, isGone }: Happened): Promise<void> {
  const panel = await findPanel(host, project)
  if (!panel || panel.panelId === null) return
  const about = { panel: project, occurred_at: new Date().toISOString() }
  const server = await host.lxd.find<Instance>(instancePath(project, name))
  if (!server) {
    if (isGone) host.tell({ type: 'resource.removed', ...about, kind: 'server', resource: name })
    return
  }
  const cluster = clusterOf(server)
  if (cluster !== null) {
    const nodes = (await serversIn(host, project)).filter((one) => clusterOf(one) === cluster)
    host.tell({ type: 'resource.upserted', ...about, resource: asCluster(host, panel, cluster, nodes) })
    return
  }
  const state = await host.lxd.find<InstanceState>(instancePath(project, name, '/state'))
  host.tell({ type: 'resource.upserted', ...about, resource: asServer(host, panel, server, state) })
}

async function tellAll(host: Host): Promise<void> {
  for (const { id } of (await allPanels(host)).filter(isOurs))
    for (const { name } of await serversIn(host, id))
      await tellServer(host, { project: id, name, isGone: false })
}

/** The panels with names of this engine that carry another code: with it they would be as if deleted. */
async function assertCode(host: Host): Promise<void> {
  const { code } = host.settings
  // Without LXD the engine starts and waits for it.
  const panels = await panelsOfHost(host).catch(() => [])
  const other = panels.find(
    (panel) => isNamedHere(host.settings, panel) && panel.engine !== null && panel.engine !== code,
  )
  if (other)
    throw new Error(
      `ENGINE_CODE is ${code}, and the panel ${other.id} is of ${other.engine}: set it back, or another PREFIX.`,
    )
}

const complain = (about: string) => (error: unknown) => console.error(`${about}: ${error}`)

/** Repeats an act with a pause between its end and its next beginning; its failure is said, and no end. */
function repeat(about: string, ms: number, act: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  const again = async () => {
    await act().catch(complain(about))
    if (!isEnded) timer = setTimeout(again, ms)
  }
  timer = setTimeout(again, ms)
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

export function openEngine(settings: Settings, machine: Machine): Opened {
  const store = new Store(settings.store)
  const outbox = new Outbox(store, settings)
  const counters = new Counters(store, settings.usageSeconds * 1000)
  const host: Host = {
    settings,
    machine,
    store,
    plans: plansIn(settings.region),
    lxd: new Lxd(settings.lxdSocket),
    dns: new PowerDns(settings.dnsUrl, settings.dnsKey),
    locks: new Locks(path.dirname(settings.lxdSocket)),
    sample: (panel) => samplePanel(host, counters, panel),
    tell: (event) => outbox.tell(event),
  }
  const ends = [() => outbox.end(), () => host.locks.close()]
  const readAll = async () => {
    await host.locks.alone('sampling', () => sampleAll(host, counters))
    closeHours(host)
  }
  const mendAll = async () => {
    for (const said of await mend(host)) console.log(said)
    store.sweep()
  }
  const begin = async () => {
    await assertCode(host)
    await readAll().catch(complain('reading'))
    const told = (happened: Happened) => void tellServer(host, happened).catch(complain('telling'))
    // What fell with LXD would lose what it used since the reading before.
    const lookAnew = () => {
      void readAll().catch(complain('reading'))
      void tellAll(host).catch(complain('telling'))
    }
    ends.push(listen(settings.lxdSocket, told, lookAnew))
    ends.push(
      repeat('mending', settings.mendSeconds * 1000, mendAll),
      repeat('reading', settings.sampleSeconds * 1000, readAll),
    )
    void outbox.run()
    void mendAll().catch(complain('mending'))
  }
  const close = () => {
    for (const end of ends) end()
    store.close()
  }
  return { host, begin, close }
}
