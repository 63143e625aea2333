import ipaddr from 'ipaddr.js'

/** Converts the address of a request to the format of an `inet` column; null for an invalid address. */
export function storedAddress(ip: string): string | null {
  // The zone of a link-local address has a meaning on this machine only, and `inet` cannot hold it.
  return ipaddr.isValid(ip) ? ipaddr.process(ip.replace(/%.*/, '')).toString() : null
}

/**
 * Normalizes an address or network for an `inet` column, so that request addresses match it: without host
 * bits, and IPv4 never in its IPv6-mapped form. `text` is in one of the forms that the contract accepts.
 */
export function storedNetwork(text: string): string {
  const whole = ipaddr.isValidCIDR(text)
  const [address, bits] = whole ? ipaddr.parseCIDR(text) : single(ipaddr.parse(text))
  if (address instanceof ipaddr.IPv4)
    return written(ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`), bits, 32)
  // ::ffff:0:0/96 contains all IPv4 addresses in their mapped form.
  if (address.isIPv4MappedAddress() && bits >= 96)
    return storedNetwork(`${address.toIPv4Address()}/${bits - 96}`)
  return written(ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`), bits, 128)
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

const single = (address: Address): [Address, number] => [address, address.kind() === 'ipv4' ? 32 : 128]

const written = (network: Address, bits: number, most: number): string =>
  bits === most ? network.toString() : `${network.toString()}/${bits}`
