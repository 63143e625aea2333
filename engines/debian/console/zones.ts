import { recordFault, recordTypes } from '../dns/rules.ts'
import { addZone, zonesOf } from '../dns/zones.ts'
import type { Fields } from '../http/calls.ts'
import { planNamed } from '../panels/offers.ts'
import { refusal } from '../refusal.ts'
import { note, scopesOf, type Visitor } from './visitor.ts'

const ttl = 3600

/** The zones of the panel that the link allows. */
async function allowed({ host, panel, visit }: Visitor): Promise<string[]> {
  const { domains } = visit.about
  const all = await zonesOf(host, panel.id)
  return Array.isArray(domains) ? all.filter((zone) => domains.includes(zone)) : all
}

async function zoneOf(visitor: Visitor): Promise<string> {
  const zone = (await allowed(visitor)).find((name) => name === visitor.asked.zone)
  if (zone === undefined) throw refusal(404, 'not_found', 'There is no such domain.')
  return zone
}

export async function list(visitor: Visitor): Promise<Fields> {
  const mayAdd = scopesOf(visitor.visit).includes('create_domains')
  return { zones: await allowed(visitor), servers: visitor.host.settings.nameServers, mayAdd }
}

export async function read(visitor: Visitor): Promise<Fields> {
  const name = await zoneOf(visitor)
  const zone = await visitor.host.dns.zone(name)
  const sets = (zone?.rrsets ?? []).filter(({ type }) => recordTypes.some((one) => one === type))
  const records = sets.map((set) => ({
    name: set.name.replace(/\.$/, ''),
    type: set.type,
    ttl: set.ttl,
    contents: set.records.map(({ content }) => content),
  }))
  const keys = zone?.dnssec === true ? await visitor.host.dns.keys(name) : []
  return {
    records,
    types: recordTypes,
    dnssec: zone?.dnssec === true,
    ds: keys.flatMap(({ ds }) => ds ?? []),
  }
}

/** Replaces the records of a name and type; none removes them. */
export async function record(visitor: Visitor): Promise<Fields> {
  const zone = await zoneOf(visitor)
  const { name, type, contents } = visitor.asked
  const texts = Array.isArray(contents) ? contents.map(String) : []
  const fault = recordFault(zone, String(name), String(type), texts)
  if (fault !== undefined) throw refusal(422, 'record_invalid', `The ${fault} is not allowed.`)
  try {
    await visitor.host.dns.replace(zone, { name: `${name}.`, type: String(type), ttl }, texts)
  } catch (error) {
    // PowerDNS reads each content by its type and says why not.
    throw refusal(422, 'record_invalid', String(error).slice(0, 300))
  }
  note(visitor, 'changed records', `${name} ${type}`)
  return {}
}

export async function sign(visitor: Visitor): Promise<Fields> {
  const zone = await zoneOf(visitor)
  await visitor.host.dns.sign(zone, visitor.asked.dnssec === true)
  note(visitor, visitor.asked.dnssec === true ? 'signed a zone' : 'unsigned a zone', zone)
  return {}
}

export async function add(visitor: Visitor): Promise<Fields> {
  const { host, panel, asked } = visitor
  const zone = String(asked.zone)
  const most = planNamed(host.plans, panel.plan).limits.domains
  if (most != null && (await zonesOf(host, panel.id)).length >= most)
    throw refusal(409, 'limit_exceeded', 'The plan allows no more domains.')
  await addZone(host, panel, zone)
  note(visitor, 'added a domain', zone)
  return {}
}

/** Deletes a domain with its records; of those that the link allows. */
export async function remove(visitor: Visitor): Promise<Fields> {
  const zone = await zoneOf(visitor)
  await visitor.host.dns.remove(`${zone}.`)
  note(visitor, 'deleted a domain', zone)
  return {}
}
