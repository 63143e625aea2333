/** A refusal or failure that PowerDNS answered. */
class DnsError extends Error {
  override readonly name = 'DnsError'
}

export type Zone = {
  readonly id: string
  /** With the dot at its end. */
  readonly name: string
  readonly account: string
  readonly dnssec?: boolean
}

export type RecordSet = {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly { readonly content: string; readonly disabled: boolean }[]
}

export type Key = { readonly id: number; readonly active: boolean; readonly ds?: readonly string[] }

const answerMs = 10_000

/** PowerDNS by its API on loopback. */
export class PowerDns {
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  async #ask(method: string, path: string, allowed: readonly number[], body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      signal: AbortSignal.timeout(answerMs),
      headers: { 'x-api-key': this.#key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok && !allowed.includes(response.status))
      throw new DnsError(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    return response.ok && text !== '' ? JSON.parse(text) : undefined
  }

  /** All zones. Whether they are signed is left out, which would take a query for each. */
  async zones(): Promise<Zone[]> {
    // PowerDNS documents this shape.
    return (await this.#ask('GET', '/zones?dnssec=false', [])) as Zone[]
  }

  async zone(name: string): Promise<(Zone & { readonly rrsets: readonly RecordSet[] }) | undefined> {
    return (await this.#ask('GET', `/zones/${encodeURIComponent(`${name}.`)}`, [404])) as
      | (Zone & { readonly rrsets: readonly RecordSet[] })
      | undefined
  }

  /** Makes a zone, or finds it there. */
  async make(name: string, account: string, nameServers: readonly string[]): Promise<void> {
    await this.#ask('POST', '/zones', [409], {
      name: `${name}.`,
      kind: 'Native',
      account,
      dnssec: false,
      nameservers: nameServers.map((server) => `${server}.`),
    })
  }

  async remove(zone: string): Promise<void> {
    await this.#ask('DELETE', `/zones/${encodeURIComponent(zone)}`, [404])
  }

  /** Replaces the records of a name and type; none removes them. */
  async replace(zone: string, set: Omit<RecordSet, 'records'>, contents: readonly string[]): Promise<void> {
    const records = contents.map((content) => ({ content, disabled: false }))
    const changetype = contents.length === 0 ? 'DELETE' : 'REPLACE'
    await this.#ask('PATCH', `/zones/${encodeURIComponent(`${zone}.`)}`, [], {
      rrsets: [{ ...set, changetype, records }],
    })
  }

  /** Signs a zone, or stops to. */
  async sign(zone: string, dnssec: boolean): Promise<void> {
    const body = { dnssec, api_rectify: true }
    await this.#ask('PUT', `/zones/${encodeURIComponent(`${zone}.`)}`, [], body)
  }

  /** The records that the parent of a signed zone has to publish. */
  async keys(zone: string): Promise<Key[]> {
    return (await this.#ask('GET', `/zones/${encodeURIComponent(`${zone}.`)}/cryptokeys`, [])) as Key[]
  }
}
