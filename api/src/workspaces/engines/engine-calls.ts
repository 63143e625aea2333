import { engineRefusal } from '@portico/contract/engine/wire.ts'
import { faultInWords } from '@portico/contract/refusals/fields.ts'
import type { Dispatcher } from 'undici'
import * as z from 'zod/mini'
import { traceHeaders } from '#platform/trace.ts'
import { sign } from '#platform/webhook-signature.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { EngineAccess } from './panel-engine.ts'

/** The engine could not be asked, or what it said is not in the contract. Worth repeating later. */
class EngineFailed extends Error {
  override readonly name = 'EngineFailed'
}

type Said = z.output<typeof engineRefusal>['error']

/** The engine understood and says no; asking again changes nothing. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused'
  readonly status: number
  /** The refusal in the engine's answer; undefined when it does not follow the contract. */
  readonly said: Said | undefined

  constructor(status: number, message: string, said?: Said) {
    super(message)
    this.status = status
    this.said = said
  }
}

/** How long an engine may take for one call, connecting and reading included. */
const patienceMs = 10_000

/** Those of 400 to 499 that say "not now" rather than "no". */
const passing = new Set([408, 425, 429])

export type Call = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Under the engine's base address, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The time limit in milliseconds, for calls that a person waits for. */
  readonly patience?: number
}

type Answer = { readonly status: number; readonly text: string }

export type Way = {
  readonly dispatcher: () => Promise<Dispatcher>
  readonly breaker: CircuitBreaker
  /** The time limit in milliseconds; shorter in tests. */
  readonly patience?: number
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const saidIn = (text: string): Said | undefined => z.safeParse(engineRefusal, parsed(text)).data?.error

/** Turns a refusal with one of these statuses into a value; rethrows everything else. */
export const unless =
  <T>(statuses: readonly number[], value: (refusal: EngineRefused) => T) =>
  (error: unknown): T => {
    if (error instanceof EngineRefused && statuses.includes(error.status)) return value(error)
    throw error
  }

export const panelPath = (id: string, more = '') => `/v1/panels/${encodeURIComponent(id)}${more}`

/** Sends signed calls to one engine and validates its answers against the contract. */
export class EngineCalls {
  readonly #access: EngineAccess
  readonly #way: Way

  constructor(access: EngineAccess, way: Way) {
    this.#access = access
    this.#way = way
  }

  /** One call over the wire: signed, never redirected, and given up when it takes too long. */
  async #send({ method, path, body, headers, patience = patienceMs }: Call): Promise<Answer> {
    const { baseUrl, secrets } = this.#access
    const base = new URL(baseUrl ?? '')
    const target = `${base.pathname.replace(/\/$/, '')}${path}`
    const text = body === undefined ? undefined : JSON.stringify(body)
    const dispatcher = await this.#way.dispatcher()
    const { request } = await import('undici')
    const response = await request(`${base.origin}${target}`, {
      method,
      dispatcher,
      signal: AbortSignal.timeout(Math.min(patience, this.#way.patience ?? patience)),
      headers: {
        accept: 'application/json',
        ...traceHeaders(),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        ...sign(secrets, text ?? `${method} ${target}`),
      },
      ...(text !== undefined && { body: text }),
    })
    return { status: response.statusCode, text: await response.body.text() }
  }

  /** Asks, and resolves with the answer when that is a success. */
  async ask(call: Call): Promise<Answer> {
    const about = `${this.#access.code} ${call.method} ${call.path}`
    return this.#way.breaker.run(async () => {
      const answer = await this.#send(call).catch((error: unknown) => {
        throw new EngineFailed(`${about}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        })
      })
      const { status, text } = answer
      if (status >= 200 && status < 300) return answer
      const said = saidIn(text)
      const reason = said ? `${said.code}: ${said.message}` : 'no reason given'
      const message = `${about} was answered ${status}, ${reason}`
      if (status >= 400 && status < 500 && !passing.has(status))
        throw new EngineRefused(status, message, said)
      throw new EngineFailed(message)
    })
  }

  /** As `ask`, and reads the answer by the contract. */
  async read<S extends z.ZodMiniType>(call: Call, schema: S | ((said: unknown) => S)): Promise<z.output<S>> {
    return this.#parse(call, await this.ask(call), schema)
  }

  /** The same; undefined where the engine has not finished (202). */
  async readOrWait<S extends z.ZodMiniType>(call: Call, schema: S): Promise<z.output<S> | undefined> {
    const answer = await this.ask(call)
    return answer.status === 202 ? undefined : this.#parse(call, answer, schema)
  }

  #parse<S extends z.ZodMiniType>(
    call: Call,
    { text }: Answer,
    schema: S | ((said: unknown) => S),
  ): z.output<S> {
    const said = parsed(text)
    const result = z.safeParse(typeof schema === 'function' ? schema(said) : schema, said)
    if (result.success) return result.data
    const [issue] = result.error.issues
    const place = issue?.path.map(String).join('.') || 'the body'
    throw new EngineFailed(
      `${this.#access.code} ${call.method} ${call.path} was answered what is not in the contract (${place}: ${faultInWords(issue?.message ?? '', 'en')})`,
    )
  }
}
