import type { Host } from '../host.ts'
import type { Panel } from '../panels/truth.ts'
import { Refusal } from '../refusal.ts'
import { zoneFault } from './rules.ts'

/** The names of a panel's zones, in order. */
export async function zonesOf({ dns }: Host, id: string): Promise<string[]> {
  const zones = await dns.zones()
  return zones
    .filter(({ account }) => account === id)
    .map(({ name }) => name.replace(/\.$/, ''))
    .toSorted()
}

/** Makes a zone of a panel, or finds it there. Throws a Refusal where it may not have it. */
export function addZone(host: Host, panel: Panel, name: string): Promise<void> {
  // Under one lock, or two panels would ask for a parent and its child at once.
  return host.locks.alone('zones', async () => {
    const fault = zoneFault(name, panel.id, await host.dns.zones())
    if (fault) throw new Refusal(422, fault)
    await host.dns.make(name, panel.id, host.settings.nameServers)
  })
}

export async function removeZones(host: Host, id: string): Promise<void> {
  for (const name of await zonesOf(host, id)) await host.dns.remove(`${name}.`)
}

/** The zones of a panel as the contract has them. */
export async function domainsOf(host: Host, panel: Panel): Promise<Readonly<Record<string, unknown>>[]> {
  const names = await zonesOf(host, panel.id)
  const servers = host.settings.nameServers
  return Promise.all(
    names.map(async (name) => {
      const dnssec = (await host.dns.zone(name))?.dnssec === true
      const dns = { servers, delegated: null, dnssec }
      const spec = { mailboxes: 0, tls_expires_on: null, certificate: null, dns }
      return { kind: 'domain', id: name, name, status: 'running', region: panel.region, reasons: [], spec }
    }),
  )
}
