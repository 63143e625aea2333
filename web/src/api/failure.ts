import type { RefusalCode } from '@portico/contract/refusals/index.ts'
import { m } from '../texts/compiled/messages.js'

/** The members of a JSON:API error object that the browser uses. */
export type ErrorObject = {
  id?: string
  status?: string
  code?: RefusalCode
  detail?: string
  title?: string
  source?: { pointer?: string; parameter?: string }
  meta?: Record<string, unknown>
}

/** A call without a usable response. `status` 0: no response arrived. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly status: number
  readonly errors: readonly ErrorObject[]
  /** Seconds until the server accepts requests again, if it said so. */
  readonly retryAfter: number | undefined
  /** The id that the request brought. */
  readonly trace: string | undefined

  constructor(
    status: number,
    errors: readonly ErrorObject[],
    message?: string,
    retryAfter?: number,
    trace?: string,
  ) {
    super(message ?? errors[0]?.detail ?? m.an_error_has_occured())
    this.status = status
    this.errors = errors
    this.retryAfter = retryAfter
    this.trace = trace
  }

  /** The details of all errors, one per line. */
  get details(): string {
    return this.errors.map((error) => error.detail ?? error.title ?? '').join('\n')
  }

  /** The server's detail about one field of a resource, an action or a call. */
  about(field: string): string | undefined {
    const pointers = [`/data/attributes/${field}`, `/data/${field}`, `/${field}`]
    return this.errors.find(({ source }) => pointers.includes(source?.pointer ?? ''))?.detail
  }

  /** Whether the server decided; otherwise the request may or may not have taken effect. */
  get isAnswer(): boolean {
    return this.status >= 400 && this.status < 500 && this.code !== 'idempotency_in_progress'
  }

  get code(): RefusalCode | undefined {
    return this.errors[0]?.code
  }

  /** No document can be issued until the operator completes the setup. */
  get awaitsDocuments(): boolean {
    return this.code?.startsWith('documents_need_') ?? false
  }

  /** The last sign-in is too old for this request; confirming one's identity renews it. */
  get wantsRecentSignIn(): boolean {
    return this.errors.some(({ code }) => code === 'recent_sign_in_required')
  }

  /** The id to quote to support: the request id of the server, or that of the trace if no answer of ours arrived. */
  get requestId(): string | undefined {
    return this.errors.find((error) => error.id !== undefined)?.id ?? this.trace
  }
}

const isErrors = (body: unknown): body is { errors: ErrorObject[] } =>
  typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors)

/** The failure that a response with an error status describes; `trace` is the id that its request brought. */
export async function failureOf(response: Response, trace?: string): Promise<Failure> {
  const body: unknown = await response.json().catch(() => undefined)
  const errors = isErrors(body) ? body.errors : []
  const id = response.headers.get('x-request-id')
  const known = errors.some((error) => error.id !== undefined)
  const withId = id && !known ? [{ ...errors[0], id }, ...errors.slice(1)] : errors
  // The server always sends seconds; a date would not parse as a number.
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  return new Failure(response.status, withId, undefined, retryAfter, trace)
}

/** Turns anything thrown into a failure; `trace` is the id of the call that threw. */
export function asFailure(error: unknown, trace?: string): Failure {
  if (error instanceof Failure) return error
  if (error instanceof DOMException && error.name === 'AbortError')
    return new Failure(0, [], m.call_cancelled())
  // Without a network the server has no line of it.
  return new Failure(0, [], undefined, undefined, navigator.onLine ? trace : undefined)
}
