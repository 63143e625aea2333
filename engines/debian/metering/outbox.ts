import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sign } from '../../example/signature.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/store.ts'

const firstPauseMs = 500
const longestPauseMs = 60_000
const answerMs = 15_000
/** The portal's own reading covers an event that it did not get. */
const eventMs = 600_000

const isRefusal = (status: number) => status >= 400 && status < 500 && ![408, 425, 429].includes(status)

/** Sends messages to the portal, one after the other, until each is taken. */
export class Outbox {
  readonly #store: Store
  readonly #settings: Settings
  #wake: () => void = () => undefined
  #isEnded = false

  constructor(store: Store, settings: Settings) {
    this.#store = store
    this.#settings = settings
  }

  /** Queues an event; without a portal there is nobody to tell. */
  tell(event: Readonly<Record<string, unknown>>): void {
    if (this.#settings.portal === undefined) return
    const body = JSON.stringify({ events: [event] })
    this.#store.run(
      'insert into outbox values (?, ?, ?, ?, ?)',
      ...[`evt_${randomUUID()}`, '/engine/v1/events', 'application/json', body, Date.now() + eventMs],
    )
    this.#wake()
  }

  /** Whether the portal took a message, or never will. */
  async #send({ id, path, type, body }: Record<string, unknown>): Promise<boolean> {
    const { code, portal, secrets } = this.#settings
    const text = String(body)
    const headers = {
      'content-type': String(type),
      'webhook-engine': code,
      ...sign(secrets[0] ?? '', text, String(id)),
    }
    const signal = AbortSignal.timeout(answerMs)
    const answer = await fetch(`${portal}${path}`, { method: 'POST', headers, body: text, signal }).catch(
      () => undefined,
    )
    await answer?.body?.cancel()
    if (answer && isRefusal(answer.status))
      console.error(`The portal refused ${id} (${path}): ${answer.status}`)
    return answer !== undefined && (answer.ok || isRefusal(answer.status))
  }

  async run(): Promise<void> {
    if (this.#settings.portal === undefined) return
    for (let pause = firstPauseMs; !this.#isEnded; ) {
      this.#store.run('delete from outbox where until < ?', Date.now())
      const [message] = this.#store.all('select * from outbox order by rowid limit 1')
      if (message && (await this.#send(message))) {
        this.#store.run('delete from outbox where id = ?', String(message.id))
        pause = firstPauseMs
        continue
      }
      await this.#rest(pause)
      pause = message ? Math.min(2 * pause, longestPauseMs) : firstPauseMs
    }
  }

  /** Waits; a new message ends the wait. */
  async #rest(ms: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    await Promise.race([woken, sleep(ms, undefined, { ref: false })])
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
  }
}
