import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, ask, breakOff, settings } from './portal.ts'
import { orphans, Processes, type Victim, victims } from './processes.ts'

type Wanted = 'active' | 'suspended' | 'deleted'

const stuckMs = 120_000
const first = 700_000_000
const most = 6

/** A sequence that is the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Acts as the portal: repeats what got no answer, until it gets one. */
export class Chaos {
  readonly seed: number
  looked = 0
  readonly #random: () => number
  readonly #processes = new Processes()
  readonly #wanted = new Map<number, Wanted>()
  readonly #faults: string[] = []
  readonly #hours = new Map<string, string>()
  /** How long something was down, in milliseconds, and since when something is. */
  #down = 0
  #downSince: number | undefined
  #acts = 0
  #next = first
  #isOver = false
  #receiver: Server | undefined

  constructor(seed: number) {
    this.seed = seed
    this.#random = randomFrom(seed)
  }

  #look(holds: boolean, otherwise: string): void {
    this.looked += 1
    if (!holds) this.#faults.push(otherwise)
  }

  /** Receives usage as the portal does; one id with two quantities would be an hour that counts twice. */
  async #listen(): Promise<void> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString())
      // A third gets no answer although it was taken: it is sent again.
      const isLost = this.#random() < 0.3
      if (request.url === '/engine/v1/usage')
        for (const { id, data } of body) {
          const text = JSON.stringify(data)
          const known = this.#hours.get(id)
          if (known !== undefined && known !== text)
            this.#look(false, `the hour ${id} came twice, differently`)
          this.#hours.set(id, text)
        }
      response.writeHead(isLost ? 503 : 200).end('{}')
    }).listen(Number(new URL(settings.portal ?? 'http://127.0.0.1:4300').port), '127.0.0.1')
    await once(server, 'listening')
    this.#receiver = server
  }

  /** The time in which all was up: what is asked for meanwhile can be answered. */
  #up(): number {
    const now = Date.now()
    return now - this.#down - (this.#downSince === undefined ? 0 : now - this.#downSince)
  }

  /** Asks until there is an answer that is no failure. */
  async #insist(method: string, path: string, body?: object): Promise<Answer> {
    for (const end = this.#up() + stuckMs; ; await sleep(300)) {
      const answer = await ask(method, path, body)
      if (answer && answer.status < 500) return answer
      if (this.#up() > end) throw new Error(`${method} ${path} is stuck: ${JSON.stringify(answer?.body)}`)
    }
  }

  async #idOf(panel: number): Promise<string | undefined> {
    const { body } = await this.#insist('GET', `/v1/panels?panel_id=${panel}`)
    const items = Array.isArray(body.items) ? body.items : []
    this.#look(items.length <= 1, `panel ${panel} was made ${items.length} times`)
    return items[0]?.id
  }

  async #create(): Promise<void> {
    const panel = this.#next++
    this.#wanted.set(panel, 'active')
    const owner = { subject: 'client-1', display_name: 'Ana' }
    const plan = this.#random() < 0.3 ? 'large' : 'small'
    const domain = `chaos-${panel}.example.com`
    await this.#insist('POST', '/v1/panels', {
      panel_id: panel,
      name: `Chaos ${panel}`,
      plan,
      region: null,
      domain,
      owner,
    })
  }

  async #change(panel: number): Promise<void> {
    const id = await this.#idOf(panel)
    if (id === undefined) return
    const chance = this.#random()
    const at = `/v1/panels/${id}`
    if (chance < 0.35) {
      this.#wanted.set(panel, 'deleted')
      await this.#insist('DELETE', at)
    } else if (chance < 0.6) {
      this.#wanted.set(panel, 'suspended')
      await this.#insist('POST', `${at}/suspend`, { reason: 'chaos' })
    } else if (chance < 0.8) {
      this.#wanted.set(panel, 'active')
      await this.#insist('POST', `${at}/unsuspend`)
    } else {
      const body = {
        action: 'restart',
        force: false,
        request_id: randomUUID(),
        actor: { subject: null, kind: 'system' },
      }
      await this.#insist('POST', `${at}/servers/web-1/power`, body)
    }
  }

  /** One worker of the portal: it makes and changes panels until the kills are over. */
  async #work(worker: number): Promise<void> {
    const mine: number[] = []
    while (!this.#isOver) {
      const alive = mine.filter((panel) => this.#wanted.get(panel) !== 'deleted')
      const one = alive[Math.floor(this.#random() * alive.length)]
      const isNew = one === undefined || (alive.length < most / 2 && this.#random() < 0.5)
      if (isNew) mine.push(this.#next)
      // A worker goes on after a fault, or the kills that are left would find nobody at work.
      await (isNew ? this.#create() : this.#change(one)).then(
        () => {
          this.#acts += 1
        },
        (error: unknown) => this.#look(false, String(error)),
      )
    }
    console.log(`worker ${worker}: ${mine.length} panels`)
  }

  /** Whether a panel is as it should be. */
  async #isSettled(panel: number, wanted: Wanted): Promise<boolean> {
    const id = await this.#idOf(panel)
    if (wanted === 'deleted' || id === undefined) return id === undefined
    const { body } = await this.#insist('GET', `/v1/panels/${id}`)
    if (body.status !== wanted) return false
    const { body: page } = await this.#insist('GET', `/v1/panels/${id}/resources?kind=server`)
    const servers: { status: string }[] = Array.isArray(page.items) ? page.items : []
    const status = wanted === 'active' ? 'running' : 'stopped'
    return servers.length > 0 && servers.every((server) => server.status === status)
  }

  async #settle(): Promise<void> {
    for (const [panel, wanted] of this.#wanted) {
      const end = Date.now() + stuckMs
      let isSettled = false
      while (!isSettled && Date.now() < end) {
        isSettled = await this.#isSettled(panel, wanted)
        if (!isSettled) await sleep(1000)
      }
      this.#look(isSettled, `panel ${panel} is not ${wanted} after ${stuckMs / 1000} s`)
    }
  }

  async #clear(): Promise<void> {
    for (const panel of this.#wanted.keys()) {
      const id = await this.#idOf(panel)
      if (id !== undefined) await this.#insist('DELETE', `/v1/panels/${id}`)
    }
    // A pair of links goes with the process that held it, and the rest with the minute's mending.
    let left = orphans(settings.bridges, settings.prefix)
    for (const end = Date.now() + stuckMs; left.length > 0 && Date.now() < end; await sleep(1000))
      left = orphans(settings.bridges, settings.prefix)
    this.#look(left.length === 0, `left on the host: ${left.join('; ')}`)
  }

  /** The portal is played here, so its death is that no call of it gets an answer and none to it is taken. */
  async #killPortal(pauseMs: number): Promise<void> {
    breakOff()
    this.#silence()
    await sleep(pauseMs)
    await this.#listen()
  }

  #silence(): void {
    this.#receiver?.close()
    this.#receiver?.closeAllConnections()
  }

  async #killOne(victim: Victim): Promise<void> {
    await sleep(this.#random() * 2500)
    const begun = Date.now()
    const pauseMs = this.#random() * 500
    this.#downSince = begun
    try {
      if (victim === 'portal') await this.#killPortal(pauseMs)
      else await this.#processes.kill(victim, pauseMs)
    } finally {
      this.#downSince = undefined
      this.#down += Date.now() - begun
    }
    console.log(`killed ${victim}, back after ${Date.now() - begun} ms`)
  }

  /** Kills so often, or as often as the time allows; returns what was wrong. */
  async run(kills: number, untilMs = Number.POSITIVE_INFINITY): Promise<string[]> {
    await this.#listen()
    await this.#processes.startMain()
    const failed = (error: unknown) => this.#look(false, String(error))
    const work = Promise.all([1, 2].map((worker) => this.#work(worker))).catch(failed)
    let done = 0
    for (; done < kills && Date.now() < untilMs; done++)
      await this.#killOne(victims[Math.floor(this.#random() * victims.length)] ?? 'main').catch(failed)
    this.#isOver = true
    await work
    await this.#settle().catch(failed)
    await this.#clear().catch(failed)
    const made = `${this.#wanted.size} panels, ${this.#acts} acts on them`
    console.log(`${done} kills, ${made}, ${this.#hours.size} hours of usage`)
    if (this.#faults.length > 0) console.log(this.#processes.output)
    this.#processes.endMain()
    this.#silence()
    return this.#faults
  }
}
