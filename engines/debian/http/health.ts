import type { Host } from '../host.ts'
import { verbs } from '../servers/power.ts'
import type { Answer } from './calls.ts'

const silentMs = 180_000

/** The capabilities of the engine. */
const capabilitiesOf = ({ plans, settings }: Host) => ({
  provision: true,
  suspend: true,
  sso: true,
  events: settings.portal !== undefined,
  domain_scopes: true,
  usage: 'push',
  kinds: ['server', 'cluster', 'domain'],
  plans: plans.map(({ code }) => code),
  check: true,
  change_plan: true,
  list: true,
  adopt: true,
  series: true,
  audit: true,
  owner_email: true,
  domain: 'optional',
  power: verbs,
  regions: [{ code: settings.region, name: settings.region, open: true }],
  plan_details: plans.map(({ first: _, ...plan }) => plan),
})

/** Degraded when LXD or PowerDNS has not been read for some minutes. */
export function health(host: Host): Answer {
  const read = host.store.mark('sampled') ?? 0
  const status = Date.now() - read < silentMs ? 'ok' : 'degraded'
  const since = new Date(read).toISOString()
  const reasons =
    status === 'ok' || read === 0
      ? []
      : [{ code: 'failed', since, text: 'LXD or PowerDNS has not been read since.' }]
  return {
    status: 200,
    body: { status, reasons, version: '1.0.0', contract: '1.1', capabilities: capabilitiesOf(host) },
  }
}
