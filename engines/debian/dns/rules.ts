import { getPublicSuffix } from 'tldts'
import type { Fault } from '../refusal.ts'
import type { Zone } from './client.ts'

// PowerDNS takes a zone below somebody else's, and records that run code. Both are refused here.

/** The types of records that people may write. */
export const recordTypes = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'SSHFP', 'TLSA', 'TXT'] as const

const isHostName = (text: string) =>
  text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text)

const bare = (name: string) => name.replace(/\.$/, '')
const isBelow = (name: string, above: string) => name.endsWith(`.${above}`)

const invalid = (message: string): Fault => ({ code: 'domain_invalid', field: 'domain', message })
const taken: Fault = { code: 'domain_taken', field: 'domain', message: 'Another panel has this domain.' }

/** Why a panel may not have a zone; undefined when it may. */
export function zoneFault(name: unknown, panel: string | null, zones: readonly Zone[]): Fault | undefined {
  if (typeof name !== 'string' || !isHostName(name)) return invalid('This is no host name in lower case.')
  if (getPublicSuffix(name, { allowPrivateDomains: true }) === name)
    return invalid('Domains of many people are below this one.')
  const others = zones.filter(({ account }) => account !== panel).map((zone) => bare(zone.name))
  const touches = others.some((other) => other === name || isBelow(name, other) || isBelow(other, name))
  return touches ? taken : undefined
}

/** Why records may not be written; undefined when they may. */
export function recordFault(
  zone: string,
  name: string,
  type: string,
  contents: readonly string[],
): string | undefined {
  if (!recordTypes.some((one) => one === type)) return 'type'
  if (name !== zone && !isBelow(name, zone)) return 'name'
  if (!/^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]+$/.test(name)) return 'name'
  // The name servers of the zone itself are the operator's.
  if (name === zone && (type === 'NS' || type === 'CNAME')) return 'name'
  if (contents.length > 50 || contents.some((text) => text.length > 4000 || /[\r\n]/.test(text)))
    return 'contents'
  return undefined
}
