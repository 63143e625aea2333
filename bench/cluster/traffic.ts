import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { inWords, reason } from '../../api/src/platform/errors/problem.ts'
import { enterCards, type People, signInAll, type Tokens } from './people.ts'

/** A request of the traffic; a write keeps its key and body for every attempt. */
type Request = {
  readonly kind: 'read' | 'project' | 'deposit'
  readonly path: string
  /** The payer it is of, by number; undefined: the owner. */
  readonly payer?: number
  readonly write?: { readonly key: string; readonly body: string }
}

/** One attempt: where it went, when it was answered, and how; status 0 when it was not. */
export type Attempt = {
  readonly to: string
  readonly kind: Request['kind']
  readonly at: number
  readonly took: number
  readonly status: number
}

/** A write that was answered with success: its key, and the id that the answer named. */
export type Acknowledged = { readonly kind: 'project' | 'deposit'; readonly key: string; readonly id: number }

type Answer = { readonly status: number; readonly text: string; readonly retryAfter: string | null }

// Longer than the portal may take for any answer, so that a request without one is a fault of the portal.
const patienceMs = 20_000
// The portal asks for a second; a key that another attempt holds is free after a minute.
const pauseMs = 1000

/** The name of the workspace that is created under a key; it is as long as names may be. */
export const nameOf = (key: string): string => key.slice(0, 16)

function newProject(): Request {
  const key = randomUUID()
  const data = { type: 'projects', attributes: { name: nameOf(key) } }
  return { kind: 'project', path: '/projects', write: { key, body: JSON.stringify({ data }) } }
}

function newDeposit(payer: number): Request {
  const data = { type: 'transactions', attributes: { purpose: 'deposit', net: 10 } }
  const write = { key: randomUUID(), body: JSON.stringify({ data }) }
  return { kind: 'deposit', path: '/transactions', payer, write }
}

const newRead = (n: number): Request =>
  n % 2 === 0
    ? { kind: 'read', path: '/projects?include=panels&page%5Bsize%5D=25' }
    : { kind: 'read', path: '/transactions?page%5Bsize%5D=10', payer: n }

/** Whether a failed answer is one that the portal declares: a code with its own sentence, and nothing else. */
function isDeclared({ status, text, retryAfter }: Answer): boolean {
  if (status !== 503 || retryAfter === null) return false
  const sentences = (['unavailable', 'busy'] as const).flatMap((code) =>
    (['en', 'ro'] as const).map((language) => `${code} ${inWords(reason(code), language)}`),
  )
  try {
    const { errors }: { errors: { code: string; detail: string }[] } = JSON.parse(text)
    return errors.length === 1 && sentences.includes(`${errors[0]?.code} ${errors[0]?.detail}`)
  } catch {
    return false
  }
}

const isHeld = ({ status, text }: Answer) => status === 409 && text.includes('idempotency_in_progress')
const isSuccess = (status: number) => status >= 200 && status < 300

/**
 * Requests at a constant rate, alternating between the addresses: half of them reads, the others writes with an
 * idempotency key, every tenth write a deposit by card. A write that fails is repeated with its key, in the place of a
 * new one, until it is acknowledged.
 */
export class Traffic {
  readonly attempts: Attempt[] = []
  readonly acknowledged: Acknowledged[] = []
  /** Answers that no client should get, and how often. */
  readonly faults = new Map<string, number>()
  readonly #urls: readonly string[]
  readonly #people: People
  readonly #failed: { readonly request: Request; readonly after: number }[] = []
  readonly #open = new Set<Promise<void>>()
  #tokens: Tokens
  #signedIn = performance.now()
  #sent = 0
  #timer: NodeJS.Timeout | undefined

  private constructor(urls: readonly string[], people: People, tokens: Tokens) {
    this.#urls = urls
    this.#people = people
    this.#tokens = tokens
  }

  /** Signs the people in and enters their cards. */
  static async open(urls: readonly string[], people: People): Promise<Traffic> {
    const tokens = await signInAll(urls[0] ?? '', people)
    await enterCards(urls[0] ?? '', tokens)
    return new Traffic(urls, people, tokens)
  }

  /** Signs in again when the tokens, which end after ten minutes, are no longer new. */
  async renew(): Promise<void> {
    if (performance.now() - this.#signedIn < 240_000) return
    this.#tokens = await signInAll(this.#urls[0] ?? '', this.#people)
    this.#signedIn = performance.now()
  }

  start(rate: number): void {
    const begun = performance.now()
    const before = this.#sent
    // A busy timer fires late, so each time sends what is due.
    this.#timer = setInterval(() => {
      const due = before + ((performance.now() - begun) * rate) / 1000
      while (this.#sent < due) this.#send(this.#next())
    }, 5)
  }

  /** Ends the traffic; writes that failed are repeated until they are acknowledged. Returns how many never were. */
  async drain(): Promise<number> {
    clearInterval(this.#timer)
    const deadline = performance.now() + 120_000
    while (this.#open.size + this.#failed.length > 0 && performance.now() < deadline) {
      const request = this.#takeFailed()
      if (request) this.#send(request)
      await sleep(20)
    }
    return this.#failed.length + this.#open.size
  }

  #takeFailed(): Request | undefined {
    const [first] = this.#failed
    if (first === undefined || first.after > performance.now()) return undefined
    return this.#failed.shift()?.request
  }

  #next(): Request {
    const n = this.#sent
    if (n % 2 === 1) return newRead(n >> 1)
    return this.#takeFailed() ?? (n % 20 === 0 ? newDeposit(n / 20) : newProject())
  }

  #send(request: Request): void {
    const to = this.#urls[(this.#sent >> 1) % this.#urls.length] ?? ''
    this.#sent += 1
    const sending = this.#ask(to, request).finally(() => this.#open.delete(sending))
    this.#open.add(sending)
  }

  async #ask(to: string, request: Request): Promise<void> {
    const begun = performance.now()
    const answer = await this.#answerTo(to, request)
    const at = performance.now()
    this.attempts.push({ to, kind: request.kind, at, took: at - begun, status: answer.status })
    if (isSuccess(answer.status)) return this.#acknowledge(request, answer)
    if (!(isDeclared(answer) || isHeld(answer))) this.#blame(request, answer)
    if (request.write) this.#failed.push({ request, after: at + pauseMs })
  }

  #tokenOf(payer: number | undefined): string {
    const { owner, payers } = this.#tokens
    return payer === undefined ? owner : (payers[payer % payers.length] ?? '')
  }

  async #answerTo(to: string, { path, payer, write }: Request): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${this.#tokenOf(payer)}`,
      ...(write && { 'content-type': 'application/vnd.api+json', 'idempotency-key': write.key }),
    }
    const signal = AbortSignal.timeout(patienceMs)
    try {
      const answer = await fetch(`${to}/api/v1${path}`, {
        headers,
        signal,
        ...(write && { method: 'POST', body: write.body }),
      })
      const { status } = answer
      return { status, text: await answer.text(), retryAfter: answer.headers.get('retry-after') }
    } catch (error) {
      // A body that ends early is no answer either.
      const cause = error instanceof Error ? (error.cause ?? error) : error
      return { status: 0, text: String(cause), retryAfter: null }
    }
  }

  #acknowledge({ kind, write }: Request, { text }: Answer): void {
    if (kind === 'read' || write === undefined) return
    const { data }: { data: { id: string } } = JSON.parse(text)
    this.acknowledged.push({ kind, key: write.key, id: Number(data.id) })
  }

  #blame({ kind }: Request, { status, text }: Answer): void {
    const what = `${kind}: ${status} ${text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '…').slice(0, 300)}`
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1)
  }
}

const groupOf = ({ to, kind }: Attempt) => `${kind === 'read' ? 'reads' : 'writes'} of ${to}`

/** How long one address answered none of the reads, or none of the writes, with success. */
export type Silence = {
  readonly ms: number
  /** What was silent. */
  readonly of: string
  /** What it answered meanwhile, by status; 0 for nothing. */
  readonly answers: string
}

/** The longest time between two successes of a group in a part of the run, with its answers meanwhile. */
function silenceOf(group: readonly Attempt[], of: string, from: number, to: number): Silence {
  const times = group.filter(({ status }) => isSuccess(status)).map(({ at }) => at)
  const points = [from, ...times.sort((a, b) => a - b), to]
  const gaps = points.slice(1).map((at, index) => ({ begun: points[index] ?? at, ended: at }))
  const { begun, ended } = gaps.reduce((most, one) =>
    one.ended - one.begun > most.ended - most.begun ? one : most,
  )
  const meanwhile = group.filter(({ at, status }) => at >= begun && at <= ended && !isSuccess(status))
  const answers = [...Map.groupBy(meanwhile, ({ status }) => status)].map(
    ([status, { length }]) => `${length} x ${status}`,
  )
  return { ms: ended - begun, of, answers: answers.join(', ') || 'no answer' }
}

/** The longest silence in a part of the run. */
export function longestSilence(attempts: readonly Attempt[], from: number, to: number): Silence {
  const within = attempts.filter(({ at }) => at >= from && at <= to)
  const silences = [...new Set(attempts.map(groupOf))].map((of) =>
    silenceOf(
      within.filter((attempt) => groupOf(attempt) === of),
      of,
      from,
      to,
    ),
  )
  return silences.reduce((longest, one) => (one.ms > longest.ms ? one : longest))
}
