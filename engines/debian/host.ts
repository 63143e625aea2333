import type { PowerDns } from './dns/client.ts'
import type { Locks } from './locks.ts'
import type { Lxd } from './lxd/client.ts'
import type { Plan } from './panels/offers.ts'
import type { Settings } from './settings.ts'
import type { Store } from './store/store.ts'

/** What runs on the host itself, and is not asked over a socket; tests replace it. */
export type Machine = {
  /** Removes a link of the network; one that is gone is no fault. */
  removeLink(name: string): Promise<void>
  /** Ends name servers of a bridge that LXD does not know of. */
  endStrayNameServers(bridge: string): Promise<void>
  /** Removes the directory of a half-made server, when it is empty. */
  removeEmptyVolume(project: string, server: string): Promise<void>
  /** The links with no bridge that are down, and were so when they were looked for before, by name. */
  looseLinks(): Promise<string[]>
  /** The seconds of processor that the kernel counted for a server that runs; undefined where they cannot be read. */
  cpuSeconds(project: string, server: string): Promise<number | undefined>
  /** The bytes that left each bridge. */
  leftBridges(): Promise<ReadonlyMap<string, number>>
}

/** What the acts of the engine work on. */
export type Host = {
  readonly settings: Settings
  readonly plans: readonly Plan[]
  readonly lxd: Lxd
  readonly dns: PowerDns
  readonly store: Store
  readonly locks: Locks
  readonly machine: Machine
  /** Reads the counters of a panel's servers; called before something stops or is counted for another. */
  readonly sample: (panel: string) => Promise<void>
  /** Sends an event to the portal. */
  readonly tell: (event: Readonly<Record<string, unknown>>) => void
}
