import { readFileSync } from 'node:fs'

// Where the engine finds its daemons, and whom it believes.

export type Settings = {
  readonly code: string
  readonly secrets: readonly string[]
  readonly portal: string | undefined
  readonly host: string
  readonly port: number
  /** The address of the page that sign-in links open. */
  readonly console: string
  /** The Unix socket on which the page asks this process. */
  readonly door: string
  readonly lxdSocket: string
  readonly dnsUrl: string
  readonly dnsKey: string
  readonly nameServers: readonly string[]
  readonly store: string
  readonly pool: string
  readonly image: string
  /** The prefix of our projects and bridges: one for each engine on a host. */
  readonly prefix: string
  readonly bridges: string
  /** The nft table of the host. */
  readonly table: string
  readonly region: string
  /** The first two octets of the networks of panels begin here; each panel gets a /24 of 10.0.0.0/8. */
  readonly firstNetwork: number
  readonly sampleSeconds: number
  readonly usageSeconds: number
  readonly mendSeconds: number
  /** How long a call may take that makes or deletes a panel, from its beginning: the portal waits ten seconds for an answer. */
  readonly patienceMs: number
}

/** Each variable that may be set, and what it is otherwise. */
const defaults = {
  ENGINE_CODE: 'debian',
  ENGINE_SECRETS: '',
  ENGINE_DIR: '/var/lib/portico-engine',
  LXD_DIR: '/var/lib/lxd',
  HOST: '127.0.0.1',
  PORT: '4200',
  CONSOLE_PORT: '4201',
  PDNS_PORT: '8053',
  NAME_SERVERS: 'ns1.example.net,ns2.example.net',
  POOL: 'portico',
  IMAGE: 'debian',
  PREFIX: 'portico-',
  BRIDGES: 'pt',
  TABLE: 'portico',
  REGION: 'here',
  FIRST_NETWORK: '128',
  SAMPLE_SECONDS: '30',
  USAGE_SECONDS: '3600',
  MEND_SECONDS: '60',
}

/** The key of PowerDNS, which `host/dns.sh` makes. */
function keyOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const of = { ...defaults, ...Object.fromEntries(Object.entries(env).filter(([, value]) => value)) }
  const folder = of.ENGINE_DIR
  return {
    code: of.ENGINE_CODE,
    secrets: of.ENGINE_SECRETS.split(',').filter(Boolean),
    portal: env.PORTAL_URL,
    host: of.HOST,
    port: Number(of.PORT),
    console: env.CONSOLE_URL ?? `http://127.0.0.1:${of.CONSOLE_PORT}`,
    door: env.CONSOLE_SOCKET ?? `${folder}/console.socket`,
    lxdSocket: `${of.LXD_DIR}/unix.socket`,
    dnsUrl: `http://127.0.0.1:${of.PDNS_PORT}/api/v1/servers/localhost`,
    dnsKey: env.PDNS_KEY ?? keyOf(`${folder}/pdns/key`),
    nameServers: of.NAME_SERVERS.split(','),
    store: env.STORE ?? `${folder}/engine.sqlite`,
    pool: of.POOL,
    image: of.IMAGE,
    prefix: of.PREFIX,
    bridges: of.BRIDGES,
    table: of.TABLE,
    region: of.REGION,
    firstNetwork: Number(of.FIRST_NETWORK),
    sampleSeconds: Number(of.SAMPLE_SECONDS),
    usageSeconds: Number(of.USAGE_SECONDS),
    mendSeconds: Number(of.MEND_SECONDS),
    patienceMs: 7000,
  }
}
