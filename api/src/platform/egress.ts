import { lookup } from 'node:dns'
import net, { isIP, type LookupFunction, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Agent } from 'undici'

/** A forbidden destination of an outgoing request. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden'
  readonly code = 'EHOST'
}

/** Names, addresses and networks that are allowed although they are not public. */
export type Allowed = {
  readonly names: ReadonlySet<string>
  readonly networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]
}

/** Parses ENGINE_ALLOWED_HOSTS: host names, addresses and networks. */
export function allowedHosts(list: readonly string[]): Allowed {
  const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = []
  const names = new Set<string>()
  for (const one of list) {
    if (ipaddr.isValidCIDR(one)) networks.push(ipaddr.parseCIDR(one))
    else if (isIP(one)) networks.push([ipaddr.parse(one), isIP(one) === 6 ? 128 : 32])
    else names.add(one.toLowerCase())
  }
  return { names, networks }
}

/**
 * Whether an address is public: neither this machine, nor a private network, nor a mapped, tunnelled or
 * translated form of those.
 */
export function mayReach(address: string, { networks }: Allowed): boolean {
  if (!ipaddr.isValid(address)) return false
  const asked = ipaddr.process(address)
  const listed = networks.some(
    ([network, bits]) => network.kind() === asked.kind() && asked.match(network, bits),
  )
  return listed || asked.range() === 'unicast'
}

const refused = (host: string, address: string) =>
  new Forbidden(`${host} is at ${address}, which is not a public address and not in ENGINE_ALLOWED_HOSTS.`)

/**
 * Resolves a name and returns only addresses that passed the check: the connection uses one of them, so DNS
 * rebinding has no effect. One forbidden address forbids the name.
 */
function guardedLookup(allowed: Allowed): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const anywhere = allowed.names.has(hostname.toLowerCase())
      const wrong = found.find(({ address }) => !anywhere && !mayReach(address, allowed))
      if (wrong) return callback(refused(hostname, wrong.address), '')
      const [first] = found
      if (options.all) callback(null, found)
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}

/**
 * The address of a host that people entered, to connect to: a public one, or one of ENGINE_ALLOWED_HOSTS. Throws `Forbidden`,
 * and the error of the resolver.
 */
export async function guardedAddress(hostname: string, allowed: Allowed): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) {
    if (!allowed.names.has(host) && !mayReach(host, allowed)) throw refused(host, host)
    return host
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  guardedLookup(allowed)(host, {}, (error, found) =>
    error || typeof found !== 'string' ? reject(error ?? refused(host, 'no address')) : resolve(found),
  )
  return promise
}

/** A connection to such a host. */
export async function guardedSocket(
  { host, port }: { readonly host: string; readonly port: number },
  allowed: Allowed,
  patienceMs: number,
): Promise<Socket> {
  const address = await guardedAddress(host, allowed)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = net.connect({ host: address, port, timeout: patienceMs })
  socket.once('connect', () => {
    // The caller sets its own time limits and handles later errors.
    socket.setTimeout(0).removeAllListeners()
    resolve(socket)
  })
  socket.once('error', reject)
  socket.once('timeout', () => socket.destroy(new Error(`${host} does not answer.`)))
  return promise
}

/** The connect timeout, in milliseconds. */
const connectMs = 5000

/** The maximum size of a response, in bytes. */
const mostBytes = 2_097_152

/**
 * The only way to call addresses that people registered. It follows no redirects, limits the size of
 * responses, and connects to public addresses only, by the addresses that names resolve to at that moment.
 * Its library takes about twenty megabytes of memory, so it is loaded on first use.
 */
export async function guardedAgent(allowed: Allowed): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici')
  const connect = buildConnector({ timeout: connectMs, allowH2: false, lookup: guardedLookup(allowed) })
  return new Agent({
    maxResponseSize: mostBytes,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    connect: (options, callback) => {
      // An address needs no resolution, so it is checked here.
      const { hostname } = options
      const forbidden = isIP(hostname) !== 0 && !allowed.names.has(hostname) && !mayReach(hostname, allowed)
      if (forbidden) callback(refused(hostname, hostname), null)
      else connect(options, callback)
    },
  })
}

/** Whether the operator allowed this host by name, so that even plain http is permitted. */
export function isNamed(hostname: string, allowed: Allowed): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (allowed.names.has(bare.toLowerCase())) return true
  return isIP(bare) !== 0 && ipaddr.process(bare).range() !== 'unicast' && mayReach(bare, allowed)
}
