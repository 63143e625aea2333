import ipaddr from 'ipaddr.js'

/** The address of a request as a column of type `inet` holds it; null for what is no address. */
export function storedAddress(ip: string): string | null {
  // The zone of a link-local address means something on this machine only, and no database type holds it.
  return ipaddr.isValid(ip) ? ipaddr.process(ip.replace(/%.*/, '')).toString() : null
}
