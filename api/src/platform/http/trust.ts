import { BlockList, isIP } from 'node:net'

/** Whether an address belongs to a proxy whose X-Forwarded-* headers are trusted. */
export type Trust = (address: string | undefined) => boolean

/** Whether staff may work from an address, by DESK_NETWORKS; without it from every address. */
export const deskOpenTo = (networks: readonly string[] | undefined): Trust =>
  networks === undefined ? () => true : trustOf(networks)

/**
 * Parses TRUSTED_PROXIES: IPv4 and IPv6 addresses and networks; an IPv4 address also matches in its
 * IPv6-mapped form.
 */
export function trustOf(proxies: readonly string[]): Trust {
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  return (address = '') => {
    const version = isIP(address)
    return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}
