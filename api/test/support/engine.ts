import type { EngineResource, PanelEngine, ResourceKind } from '../../src/adapters/panel-engine.ts'

/** An engine that a test fills and breaks, and that remembers what it was asked. */
export class TestEngine implements PanelEngine {
  readonly capabilities = { kinds: ['server', 'cluster', 'domain'] as const }
  /** What every panel has. */
  resources: EngineResource[] = []
  readonly asked: string[] = []
  /** Thrown by the next calls, one each; then it works again. */
  readonly failures: Error[] = []
  /** Runs while a call is under way. */
  meanwhile: () => Promise<void> = async () => undefined
  refuses: string | undefined
  pageSize = 100

  async #ask(what: string): Promise<void> {
    this.asked.push(what)
    await this.meanwhile()
    const failure = this.failures.shift()
    if (failure) throw failure
  }

  async createPanel({ panelId }: { panelId: number }) {
    await this.#ask(`create ${panelId}`)
    if (this.refuses !== undefined) return { refused: true, reason: this.refuses } as const
    return { refused: false, externalId: `t-${panelId}`, region: 'eu-test' } as const
  }

  async updatePanel({ panelId }: { panelId: number }, { name }: { name: string }) {
    await this.#ask(`rename ${panelId} ${name}`)
  }

  async deletePanel({ panelId }: { panelId: number }) {
    await this.#ask(`delete ${panelId}`)
  }

  async listResources<K extends ResourceKind>(externalId: string, kind: K, cursor = '0') {
    await this.#ask(`list ${externalId} ${kind} ${cursor}`)
    const from = Number(cursor)
    const all = this.resources.filter((one): one is EngineResource<K> => one.kind === kind)
    const next = from + this.pageSize < all.length ? { next: String(from + this.pageSize) } : {}
    return { items: all.slice(from, from + this.pageSize), ...next }
  }
}

/** A server as an engine reports it. */
export function server(
  externalId: string,
  status: EngineResource['status'] = 'running',
): EngineResource<'server'> {
  const spec = { ipv4: '192.0.2.1', vcpus: 2, memory_gb: 4, disk_gb: 80, cpu_percent: 12.5 }
  return { kind: 'server', externalId, name: `web-${externalId}`, status, region: 'eu-test', spec }
}
