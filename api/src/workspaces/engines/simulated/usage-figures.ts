import type { UsageEvent } from '@portico/contract/engine/usage.ts'
import { hourMs } from '@portico/contract/time.ts'
import { listing, type Tenant, tenant } from './tenant.ts'

/** Constant usage is reported four times a day, in parts of a day that decimals can express. */
const quarter = 6

type Use = { readonly resource: string; readonly meter: string; readonly quantity: number }

// Traffic grows with processor load: this many GB per hour at full load.
const busyTraffic = 0.4

/** The usage in the hour that begins at `at`. Suspended panels keep their storage, and run nothing. */
function hourly(of: Tenant, at: Date, suspended: boolean): Use[] {
  const servers = listing.server(of, at).flatMap(({ externalId, spec }): Use[] => {
    const resource = `server/${externalId}`
    const held = { resource, meter: 'disk_gb_hours', quantity: spec.disk_gb }
    if (suspended) return [held]
    return [
      { resource, meter: 'cpu_hours', quantity: (spec.vcpus * spec.cpu_percent) / 100 },
      { resource, meter: 'ram_gb_hours', quantity: spec.memory_gb },
      held,
      { resource, meter: 'traffic_gb', quantity: (busyTraffic * spec.cpu_percent) / 100 },
      { resource, meter: 'ipv4_hours', quantity: 1 },
    ]
  })
  if (suspended) return servers
  const clusters = listing.cluster(of, at).flatMap(({ externalId, spec }): Use[] => {
    const resource = `cluster/${externalId}`
    return [
      { resource, meter: 'cpu_hours', quantity: (spec.vcpus * spec.cpu_percent) / 100 },
      { resource, meter: 'ram_gb_hours', quantity: spec.memory_gb },
    ]
  })
  return [...servers, ...clusters]
}

/** The usage in the quarter of a day that begins at `at`. */
function quarterly(of: Tenant, at: Date, suspended: boolean): Use[] {
  const domains = listing.domain(of, at).flatMap(({ externalId, spec }): Use[] => {
    const resource = `domain/${externalId}`
    const boxes = { resource, meter: 'mailbox_days', quantity: (spec.mailboxes * quarter) / 24 }
    return suspended ? [boxes] : [{ resource, meter: 'domain_days', quantity: quarter / 24 }, boxes]
  })
  return suspended ? domains : [...domains, { resource: 'panel', meter: 'panel_hours', quantity: quarter }]
}

type Of = {
  readonly panel: Tenant
  readonly suspended: boolean
  /** A factor on quantities, so that the balance moves visibly in a demonstration. */
  readonly speed: number
}

function eventsOf({ panel, speed }: Of, uses: readonly Use[], start: number, hours: number): UsageEvent[] {
  const begins = new Date(start).toISOString()
  const ends = new Date(start + hours * hourMs).toISOString()
  return uses
    .filter(({ quantity }) => quantity > 0)
    .map(({ resource, meter, quantity }) => ({
      specversion: '1.0',
      id: `${panel.id}:${resource}:${meter}:${begins.slice(0, 13)}`,
      source: 'urn:engine:simulated',
      type: 'usage.v1',
      subject: `panel/${panel.panelId}`,
      time: ends,
      data: { resource, meter, start: begins, end: ends, quantity: (quantity * speed).toFixed(6) },
    }))
}

/**
 * The usage of a panel in intervals that end after `from` and no later than `to`: deterministic events with
 * the same ids for every call.
 */
export function simulatedUsage(of: Of, from: Date, to: Date): UsageEvent[] {
  const events: UsageEvent[] = []
  for (let end = Math.floor(from.getTime() / hourMs) + 1; end * hourMs <= to.getTime(); end++) {
    const start = (end - 1) * hourMs
    events.push(...eventsOf(of, hourly(of.panel, new Date(start), of.suspended), start, 1))
    if (end % quarter !== 0) continue
    const long = (end - quarter) * hourMs
    events.push(...eventsOf(of, quarterly(of.panel, new Date(long), of.suspended), long, quarter))
  }
  return events
}

/** The usage of a meter by one resource of a panel on a UTC day. */
export type DayOfUse = {
  readonly panel: number
  readonly resource: string
  readonly meter: string
  readonly day: string
  readonly quantity: string
}

// Every hour of three months would be a third of a million events, which look no different from these.
const lookedAt = 4

/**
 * The daily sums of a panel's usage on a past UTC day; hourly usage is sampled every few hours. `plan`: the one that the panel
 * had on that day, unless it was the one of its id.
 */
export function simulatedDay(panel: string, day: string, plan: string | null = null): DayOfUse[] {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const of = tenant(panel, { plan, domain: null, region: null })
  const sums = new Map<string, Use>()
  const add = (uses: readonly Use[], times: number) => {
    for (const { resource, meter, quantity } of uses) {
      const key = `${resource} ${meter}`
      sums.set(key, { resource, meter, quantity: (sums.get(key)?.quantity ?? 0) + quantity * times })
    }
  }
  for (let hour = 0; hour < 24; hour += lookedAt)
    add(hourly(of, new Date(midnight + hour * hourMs), false), lookedAt)
  add(quarterly(of, new Date(midnight), false), 24 / quarter)
  return [...sums.values()]
    .filter(({ quantity }) => quantity > 0)
    .map(({ resource, meter, quantity }) => ({
      panel: of.panelId,
      resource,
      meter,
      day,
      quantity: quantity.toFixed(6),
    }))
}
