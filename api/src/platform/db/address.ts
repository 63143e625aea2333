import ipaddr from 'ipaddr.js'

/** The address of a request as a column of type `inet` holds it; null for what is no address. */
export function storedAddress(ip: string): string | null {
  // The zone of a link-local address means something on this machine only, and no database type holds it.
  return ipaddr.isValid(ip) ? ipaddr.process(ip.replace(/%.*/, '')).toString() : null
}

/**
 * An address or a network as a column of type `inet` holds it, so that the addresses of requests are found in it: without
 * host bits, and IPv4 never in its IPv6-mapped form. `text` is one of the forms that the contract takes.
 */
export function storedNetwork(text: string): string {
  const whole = ipaddr.isValidCIDR(text)
  const [address, bits] = whole ? ipaddr.parseCIDR(text) : single(ipaddr.parse(text))
  if (address instanceof ipaddr.IPv4)
    return written(ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`), bits, 32)
  // All IPv4 there is, in its mapped form, is this network.
  if (address.isIPv4MappedAddress() && bits >= 96)
    return storedNetwork(`${address.toIPv4Address()}/${bits - 96}`)
  return written(ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`), bits, 128)
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

const single = (address: Address): [Address, number] => [address, address.kind() === 'ipv4' ? 32 : 128]

const written = (network: Address, bits: number, most: number): string =>
  bits === most ? network.toString() : `${network.toString()}/${bits}`
