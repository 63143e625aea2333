import type { Host } from '../host.ts'
import { type Instance, type Network, networkPath } from '../lxd/types.ts'
import { mendCertificates } from '../panels/certificates.ts'
import { buildPanel, finishDeletion, panelLock } from '../panels/making.ts'
import { startAll, stopAll } from '../panels/suspension.ts'
import {
  allPanels,
  findPanel,
  isNamedHere,
  isOurs,
  type Panel,
  panelsOfHost,
  setWords,
} from '../panels/truth.ts'
import { finishServers } from '../servers/finishing.ts'

// What a crash left half done is finished, at the start and each minute. The failure of one panel stops neither the
// others nor the engine.

/** Finishes what was begun with a panel; says what it did. */
async function mendPanel(host: Host, id: string): Promise<string | undefined> {
  const panel = await findPanel(host, id)
  switch (panel?.state) {
    case undefined:
      return undefined
    case 'provisioning':
      await buildPanel(host, id)
      return `${id} was built`
    case 'deleting':
      await finishDeletion(host, id)
      return `${id} was deleted`
    case 'suspended': {
      const stopped = await stopAll(host, id)
      return stopped === 0 ? undefined : `${id}: ${stopped} servers were stopped`
    }
    case 'active': {
      await startAll(host, id)
      const finished = await finishServers(host, panel)
      return finished === 0 ? undefined : `${id}: ${finished} servers were made again or deleted`
    }
  }
}

/** The bridges that have a name of ours and belong to no panel; LXD is asked about no other, as each answer costs it a look at all panels. */
async function strayBridges(host: Host): Promise<Network[]> {
  const { lxd, settings } = host
  const ours = new RegExp(`^${settings.bridges}[0-9a-z]+$`)
  const names = (await lxd.get<string[]>('/1.0/networks')).map((at) => at.slice(at.lastIndexOf('/') + 1))
  // After the names: a panel comes before its bridge, also where another engine makes it.
  const panels = await panelsOfHost(host)
  const taken = new Set(panels.map(({ bridge }) => bridge))
  const found: Network[] = []
  for (const name of names.filter((one) => ours.test(one) && !taken.has(one))) {
    const network = await lxd.find<Network>(networkPath(name))
    // Of a making that was broken off only the name is left, without the mark.
    const owner = network?.config?.['user.portico.panel']
    if (network && !panels.some(({ id }) => id === owner)) found.push(network)
  }
  return found
}

/** Removes bridges of panels that are gone. */
async function mendBridges(host: Host): Promise<string[]> {
  const { lxd, machine, locks } = host
  // Under the lock of claims, or a bridge would be removed whose panel appears at this moment.
  return locks.aloneOnHost('claims', async () => {
    const done: string[] = []
    for (const network of await strayBridges(host)) {
      await machine.endStrayNameServers(network.name)
      if (network.managed) await lxd.remove(networkPath(network.name))
      else await machine.removeLink(network.name)
      done.push(`the bridge ${network.name} was removed`)
    }
    return done
  })
}

/** Removes pairs of links that belong to no server. */
async function mendLinks({ lxd, machine, locks }: Host): Promise<string[]> {
  // No server is being started meanwhile, whose pair might look like that for a moment.
  return locks.aloneOnHost('creation', async () => {
    const loose = await machine.looseLinks()
    if (loose.length === 0) return []
    const servers = await lxd.get<Instance[]>('/1.0/instances?recursion=1&all-projects=true')
    const used = new Set(servers.flatMap(({ config }) => Object.values(config)))
    const left = loose.filter((link) => !used.has(link))
    for (const link of left) await machine.removeLink(link)
    return left.map((link) => `the link ${link} was removed`)
  })
}

/** The zones whose panel is gone. They are reported and kept: a zone may hold somebody's work. */
async function strayZones(host: Host): Promise<string[]> {
  const [zones, panels] = [await host.dns.zones(), await panelsOfHost(host)]
  const ids = new Set(panels.map(({ id }) => id))
  return zones
    .filter(({ account }) => account.startsWith(host.settings.prefix) && !ids.has(account))
    .map(({ name, account }) => `the zone ${name} of ${account} has no panel; it was kept`)
}

/**
 * Marks the panels from before several engines could share one LXD: those with a name of this engine, and the adopted ones where
 * no other engine has made a panel. Of the rest a person knows whose they are.
 */
async function markPanels(host: Host): Promise<string[]> {
  const { code } = host.settings
  const all = await panelsOfHost(host)
  const isNamed = (panel: Panel) => isNamedHere(host.settings, panel)
  const isAlone = all.every((one) =>
    one.engine === null ? one.bridge === '' || isNamed(one) : one.engine === code,
  )
  const said: string[] = []
  for (const panel of all.filter((one) => one.engine === null && isOurs(one)))
    if (isNamed(panel) || (isAlone && panel.bridge === '')) await setWords(host, panel.id, { engine: code })
    else
      said.push(
        `the panel ${panel.id} says no engine: lxc project set ${panel.id} user.portico.engine=${code}`,
      )
  return said
}

async function quietly(about: string, act: () => Promise<string[]>): Promise<string[]> {
  try {
    return await act()
  } catch (error) {
    console.error(`mending ${about}: ${error}`)
    return []
  }
}

/** Mends everything; says what it did. */
export async function mend(host: Host): Promise<string[]> {
  const panels = await allPanels(host)
  // A panel that is being worked on is left to that work.
  const idle = panels.filter((panel) => isOurs(panel) && !host.locks.isBusy(panelLock(panel.id)))
  const done = await quietly('marks', () => markPanels(host))
  // Before the panels, which may take minutes: one that is opened meanwhile may be given certificates again.
  done.push(...(await quietly('certificates', () => mendCertificates(host, panels))))
  for (const panel of idle)
    done.push(
      ...(await quietly(panel.id, async () => {
        const said = await host.locks.alone(panelLock(panel.id), () => mendPanel(host, panel.id))
        return said === undefined ? [] : [said]
      })),
    )
  done.push(...(await quietly('bridges', () => mendBridges(host))))
  done.push(...(await quietly('links', () => mendLinks(host))))
  done.push(...(await quietly('zones', () => strayZones(host))))
  return done
}
