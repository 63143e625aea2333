import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '../host.ts'
import { type Config, type Network, networkPath, profilePath } from '../lxd/types.ts'
import type { Panel } from './truth.ts'

// A bridge for each panel. The firewall of the host knows them by their names, so the name comes first.

const attempts = 6

/** The name of a panel's bridge; the kernel allows 15 letters. */
export const bridgeOf = (prefix: string, panelId: number) => `${prefix}${panelId.toString(36)}`

/** A /24 that no panel has. */
export function freeSubnet(taken: readonly string[], first: number): string {
  const used = new Set(taken)
  for (let second = first; second < 256; second++)
    for (let third = 0; third < 256; third++) {
      const subnet = `10.${second}.${third}.1/24`
      if (!used.has(subnet)) return subnet
    }
  throw new Error('There is no free network.')
}

/** Made from what is wanted, never from what is read: after a crash LXD's row may be empty. */
const networkConfig = ({ id, subnet }: Panel): Config => ({
  'ipv4.address': subnet,
  'ipv4.nat': 'true',
  'ipv6.address': 'none',
  'user.portico.panel': id,
})

const isWhole = (network: Network | undefined, panel: Panel) =>
  network?.managed === true &&
  network.status.toLowerCase() === 'created' &&
  network.config?.['ipv4.address'] === panel.subnet

/** Removes what is left of a bridge whose making was broken off, with the name server that LXD forgot. */
async function clearBridge(
  { lxd, machine }: Host,
  panel: Panel,
  network: Network | undefined,
): Promise<void> {
  await lxd.send('PUT', profilePath(panel.id), { config: {}, devices: {} })
  await machine.endStrayNameServers(panel.bridge)
  if (network?.managed) await lxd.remove(networkPath(panel.bridge))
  await machine.removeLink(panel.bridge)
}

/** Makes the bridge of a panel, or mends it, and lets new servers be on it. */
export async function ensureNetwork(host: Host, panel: Panel): Promise<void> {
  const { lxd } = host
  const asked = { name: panel.bridge, type: 'bridge', config: networkConfig(panel) }
  let network = await lxd.find<Network>(networkPath(panel.bridge))
  for (let attempt = 1; !isWhole(network, panel); attempt++) {
    if (attempt > attempts) throw new Error(`The bridge ${panel.bridge} of ${panel.id} could not be made.`)
    if (network) await clearBridge(host, panel, network)
    try {
      await lxd.make('/1.0/networks', asked)
    } catch (error) {
      console.error(`${panel.id}: ${error}`)
      await clearBridge(host, panel, await lxd.find<Network>(networkPath(panel.bridge)))
      // A name server that was just ended still holds its address for a moment.
      await sleep(100 * attempt)
    }
    network = await lxd.find<Network>(networkPath(panel.bridge))
  }
  const eth0 = { type: 'nic', network: panel.bridge, name: 'eth0' }
  await lxd.send('PUT', profilePath(panel.id), { config: {}, devices: { eth0 } })
}

export async function removeNetwork(host: Host, panel: Panel): Promise<void> {
  if (panel.bridge === '') return
  await host.machine.endStrayNameServers(panel.bridge)
  await host.lxd.remove(networkPath(panel.bridge))
}
