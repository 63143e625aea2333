import type { RefusalCode } from '@portico/contract/refusals/index.ts'
import { m } from '../texts/compiled/messages.js'

/** One JSON:API error object, as far as the browser uses it. */
export type ErrorObject = {
  id?: string
  status?: string
  code?: RefusalCode
  detail?: string
  title?: string
  source?: { pointer?: string; parameter?: string }
  meta?: Record<string, unknown>
}

/** Why a call gave no answer that can be used. `status` 0: nothing came back at all. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly status: number
  readonly errors: readonly ErrorObject[]
  /** In how many seconds the server will listen again, where it said so. */
  readonly retryAfter: number | undefined

  constructor(status: number, errors: readonly ErrorObject[], message?: string, retryAfter?: number) {
    super(message ?? errors[0]?.detail ?? m.an_error_has_occured())
    this.status = status
    this.errors = errors
    this.retryAfter = retryAfter
  }

  /** The server's details, one a line. */
  get details(): string {
    return this.errors.map((error) => error.detail ?? error.title ?? '').join('\n')
  }

  /** What the server said of one field, of a resource or of a call. */
  about(field: string): string | undefined {
    const pointers = [`/data/attributes/${field}`, `/${field}`]
    return this.errors.find(({ source }) => pointers.includes(source?.pointer ?? ''))?.detail
  }

  /** The server has decided; otherwise it may or may not have done what was asked. */
  get isAnswer(): boolean {
    return this.status >= 400 && this.status < 500 && this.code !== 'idempotency_in_progress'
  }

  get code(): RefusalCode | undefined {
    return this.errors[0]?.code
  }

  /** No document can be issued for now: what is missing is the operator's to mend. */
  get awaitsDocuments(): boolean {
    return this.code?.startsWith('documents_need_') ?? false
  }

  /** The last sign-in is too long ago for what was asked; confirming who one is mends it. */
  get wantsRecentSignIn(): boolean {
    return this.errors.some(({ code }) => code === 'recent_sign_in_required')
  }

  /** What to quote to support: the server gives its request's id with every failure of its own. */
  get requestId(): string | undefined {
    return this.errors.find((error) => error.id !== undefined)?.id
  }
}

const isErrors = (body: unknown): body is { errors: ErrorObject[] } =>
  typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors)

/** The failure that an answer with an error status tells of. */
export async function failureOf(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => undefined)
  const errors = isErrors(body) ? body.errors : []
  const id = response.headers.get('x-request-id')
  const known = errors.some((error) => error.id !== undefined)
  const told = id && !known ? [{ ...errors[0], id }, ...errors.slice(1)] : errors
  // Seconds, as the server always gives it; a date would be no number.
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  return new Failure(response.status, told, undefined, retryAfter)
}

/** Whatever was thrown, as a failure. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof DOMException && error.name === 'AbortError')
    return new Failure(0, [], m.call_cancelled())
  return new Failure(0, [])
}
