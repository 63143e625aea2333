import { faultOf } from '@portico/contract/refusals/fields.ts'
import { type RefusalCode, type RefusalParameters, refusals } from '@portico/contract/refusals/index.ts'
import { fill, type Language, type Parameter } from '@portico/contract/refusals/refusal.ts'
import { titleOf } from './titles.ts'

/** The location of the fault in the request: a JSON pointer into the body, a query parameter, or a header. */
export type Source = { pointer: string } | { parameter: string } | { header: string }

/** One JSON:API error object; `status` is a string on the wire, as JSON:API asks. */
export type ErrorObject = {
  status: string
  code: string
  title: string
  detail: string
  source?: Source
  meta?: Record<string, unknown>
}

/** A refusal: a declared code and the parameters of its sentence. */
export type Refusal = {
  readonly code: RefusalCode
  readonly parameters: Readonly<Record<string, Parameter>>
}

/** The parameters of a code's sentence. An undeclared code takes any, so that the compiler reports the code itself. */
type Parameters<C extends RefusalCode, Rest extends unknown[] = []> = RefusalCode extends C
  ? [parameters?: Record<string, Parameter>, ...Rest]
  : keyof RefusalParameters<C> extends never
    ? [parameters?: Record<string, never>, ...Rest]
    : [parameters: RefusalParameters<C>, ...Rest]

/** Builds a refusal as a value: a rule returns it, and the response renders it in the reader's language. */
export const reason = <C extends RefusalCode>(code: C, ...[parameters]: Parameters<C>): Refusal => ({
  code,
  parameters: parameters ?? {},
})

/** Renders a refusal in the given language. */
export const inWords = ({ code, parameters }: Refusal, language: Language): string =>
  fill(refusals[code], parameters, language)

/** The optional parts of a failure besides its sentence. */
export type More = {
  readonly source?: Source
  readonly meta?: Record<string, unknown>
  /** Response headers, such as `allow` or `retry-after`. */
  readonly headers?: Record<string, string>
  /** The underlying error, for the log. */
  readonly cause?: unknown
  /**
   * The status where it differs from the declared one: an invalid value is 422 in a body and 400 in the
   * query.
   */
  readonly status?: number
}

/**
 * An expected failure with the refusal that the client receives. Any other thrown error is a bug and answers
 * 500.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly refusal: Refusal
  readonly status: number
  readonly source: Source | undefined
  readonly meta: Record<string, unknown> | undefined
  readonly headers: Record<string, string>

  constructor(refusal: Refusal, more: More = {}) {
    super(inWords(refusal, 'en'), 'cause' in more ? { cause: more.cause } : {})
    this.refusal = refusal
    this.status = more.status ?? refusals[refusal.code][0]
    this.source = more.source
    this.meta = more.meta
    this.headers = more.headers ?? {}
  }

  get code(): RefusalCode {
    return this.refusal.code
  }

  /** The error object in this language. */
  toObject(language: Language): ErrorObject {
    return {
      status: String(this.status),
      code: this.code,
      title: titleOf(this.status, language),
      detail: inWords(this.refusal, language),
      ...(this.source && { source: this.source }),
      ...(this.meta && { meta: this.meta }),
    }
  }
}

/** Builds the failure of a declared code, for the caller to throw. */
export const refuse = <C extends RefusalCode>(
  code: C,
  ...[parameters, more]: Parameters<C, [more?: More]>
): Problem => new Problem({ code, parameters: parameters ?? {} }, more)

/** Builds the failure of a value that a schema rejected. */
export const refuseValue = (message: string | undefined, more: More): Problem =>
  new Problem(faultOf(message ?? 'value_invalid'), more)

/** The cap on reported faults: a form shows a few at once, and a hostile document can have thousands. */
export const mostFaults = 50

/** Several faults of one request, answered together so that a form can show them all at once. */
export class Problems extends Error {
  override readonly name = 'Problems'
  readonly all: readonly Problem[]

  constructor(all: readonly Problem[]) {
    super(all.map((one) => one.message).join('; '))
    this.all = all
  }

  /** The shared status, or the most general of its class when they differ (JSON:API, "Processing Errors"). */
  get status(): number {
    const statuses = new Set(this.all.map((one) => one.status))
    return statuses.size === 1 ? (this.all[0]?.status ?? 400) : 400
  }
}
