import { type Fields, plans } from './offers.ts'

// The resources of a new panel of the example.

const size = { vcpus: 2, memory_gb: 4, cpu_percent: 12.5 }
const since = '2026-01-05T09:00:00Z'

const machine = (name: string, host: number) => ({
  name,
  spec: {
    ...size,
    ipv4: `198.51.100.${host}`,
    ipv6: `2001:db8::${host}`,
    addresses: [`203.0.113.${host}`],
    disk_gb: 80,
    memory_used_gb: 1.5,
    disk_used_gb: 22,
    up_since: since,
    power: ['stop', 'restart'],
  },
})

/** The certificate of the last domain ended, because nothing points to its name servers. */
function domainOf(name: string) {
  const works = name !== 'ever.test'
  const ends = works ? '2030-01-31' : '2026-01-05'
  const certificate = { issuer: 'Example CA', expires_at: `${ends}T00:00:00Z`, renews: works }
  const dns = { servers: ['ns1.example.net', 'ns2.example.net'], delegated: works, dnssec: false }
  const reasons = works ? [] : [{ code: 'certificate', since, text: 'The challenge failed: not delegated.' }]
  return { name, reasons, spec: { mailboxes: 3, tls_expires_on: ends, certificate, dns } }
}

const names = ['amber.test', 'brisk.test', 'clear.test', 'dawn.test', 'ever.test']

/** The initial contents of a panel with this plan and domain, by kind. */
export function contents(code: string | null, domain: string | null): Record<string, Fields[]> {
  const most = plans.find((one) => one.code === code)?.limits ?? {}
  return {
    server: [machine('web-1', 1), machine('web-2', 2), machine('db-1', 3)].slice(0, most.servers ?? 3),
    cluster: [{ name: 'cluster-1', spec: { ...size, nodes: 3, nodes_ready: 3 } }].slice(
      0,
      most.clusters ?? 1,
    ),
    domain: (domain === null ? names : [domain, ...names.slice(1)]).map(domainOf).slice(0, most.domains ?? 5),
  }
}
