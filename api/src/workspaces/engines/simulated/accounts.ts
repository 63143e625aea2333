import type { ListedPanel } from '@portico/contract/engine/panel-calls.ts'
import type { EnginePanelStatus, ResourceKind } from '@portico/contract/engine/wire.ts'
import { listing, type Tenant } from './tenant.ts'

/** An account from before the portal. */
export type Account = {
  readonly name: string
  readonly owner: ListedPanel['owner']
  readonly domain?: string
}

const pageSize = 100

type Seen = { readonly of: Tenant; readonly status: EnginePanelStatus; readonly at: Date }

const count = ({ of, at }: Seen, kind: ResourceKind) => listing[kind](of, at).length

/** The owners of the simulated engine's panels, while the process lives. */
export class Accounts {
  /** By the engine's id; a panel that the portal made has the portal's id in its own. */
  readonly #owners = new Map<string, number | null>()
  readonly #known = new Map<string, Account>()

  add(id: string, account: Account): void {
    this.#known.set(id, account)
    this.#owners.set(id, null)
  }

  made(id: string, panelId: number): void {
    if (!this.#owners.has(id)) this.#owners.set(id, panelId)
  }

  forget(id: string): void {
    this.#owners.delete(id)
    this.#known.delete(id)
  }

  /** Whether the account has this owner now. */
  adopt(id: string, panelId: number): boolean {
    const owner = this.#owners.get(id)
    if (owner === panelId) return true
    if (owner !== null || [...this.#owners.values()].includes(panelId)) return false
    this.#owners.set(id, panelId)
    return true
  }

  /** Whether the account is nobody's now. */
  release(id: string, panelId: number): boolean {
    const owner = this.#owners.get(id)
    if (owner !== null && owner !== panelId) return false
    this.#owners.set(id, null)
    return true
  }

  page(
    seen: (id: string) => Seen,
    { cursor = '0', panelId }: { readonly cursor?: string; readonly panelId?: number },
  ) {
    const from = Math.max(0, Math.trunc(Number(cursor)) || 0)
    const all = [...this.#owners].filter(([, owner]) => panelId === undefined || owner === panelId)
    const next = from + pageSize
    const items = all.slice(from, next).map(([id, owner]): ListedPanel => {
      const { name = id, domain = null, owner: person } = { ...this.#known.get(id) }
      const now = seen(id)
      const { planCode: plan, region } = now.of
      return {
        id,
        panel_id: owner,
        name,
        plan,
        status: now.status,
        region,
        domain,
        owner: person ?? { name: null, email: null },
        counts: {
          servers: count(now, 'server'),
          clusters: count(now, 'cluster'),
          domains: count(now, 'domain'),
        },
      }
    })
    return { items, ...(next < all.length && { next: String(next) }) }
  }
}
