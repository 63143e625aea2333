import type { PowerAnswer, PowerAsk } from '#workspaces/engines/panel-engine.ts'
import type { Power, Tenant } from './tenant.ts'

// More answers than this are remembered only in load tests.
const most = 1000

type At = { readonly panel: string; readonly server: string }
type Now = (power: Tenant['power']) => PowerAnswer & { readonly state: 'done' }

/** The power changes of servers while the process lives, and the answers by request. */
export class Powers {
  readonly #panels = new Map<string, Map<string, Power>>()
  readonly #answers = new Map<string, PowerAnswer>()

  of(panel: string): Tenant['power'] | undefined {
    return this.#panels.get(panel)
  }

  /** Does a request once. `now`: the server with this power; `time`: the moment of a start, ISO 8601. */
  ask({ panel, server }: At, { action, requestId }: PowerAsk, time: string, now: Now): PowerAnswer {
    const key = `${panel} ${server} ${requestId}`
    const answered = this.#answers.get(key)
    if (answered) return answered
    const known = this.#panels.get(panel) ?? new Map<string, Power>()
    const runs = known.get(server)?.upSince !== null
    if (action === 'stop') known.set(server, { upSince: null })
    else if (action === 'restart' || !runs) known.set(server, { upSince: time })
    this.#panels.set(panel, known)
    const answer = now(known)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size >= most && oldest !== undefined) this.#answers.delete(oldest)
    this.#answers.set(key, answer)
    return answer
  }
}
