import { faultOf } from '@portico/contract/refusals/fields.ts'
import { type RefusalCode, type RefusalParameters, refusals } from '@portico/contract/refusals/index.ts'
import { fill, type Language, type Parameter } from '@portico/contract/refusals/refusal.ts'
import { titleOf } from './titles.ts'

/** Where in the request the fault lies: a JSON pointer into the body, a query parameter, or a header. */
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

/** Why something is refused: a declared code and what its sentence is filled with. */
export type Refusal = {
  readonly code: RefusalCode
  readonly parameters: Readonly<Record<string, Parameter>>
}

type Parameters<C extends RefusalCode> = keyof RefusalParameters<C> extends never
  ? [parameters?: Record<string, never>]
  : [parameters: RefusalParameters<C>]

/** A refusal as a value: what a rule answers, and what is put into words for whoever reads it. */
export const reason = <C extends RefusalCode>(code: C, ...[parameters]: Parameters<C>): Refusal => ({
  code,
  parameters: parameters ?? {},
})

/** A refusal in the language of who reads it. */
export const inWords = ({ code, parameters }: Refusal, language: Language): string =>
  fill(refusals[code], parameters, language)

/** What a failure brings along beside its words. */
export type More = {
  readonly source?: Source
  readonly meta?: Record<string, unknown>
  /** Response headers, such as `allow` or `retry-after`. */
  readonly headers?: Record<string, string>
  /** What failed behind it, for the log. */
  readonly cause?: unknown
  /** Where it is not the declared one: a wrong value is 422 in a body and 400 in the query. */
  readonly status?: number
}

/** An expected failure, with the refusal that the client is answered. Anything else that is thrown is a bug and answers 500. */
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

  /** As it is answered to somebody who reads this language. */
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

/** The failure of a declared code, to be thrown. */
export const refuse = <C extends RefusalCode>(
  code: C,
  ...[parameters, more]: keyof RefusalParameters<C> extends never
    ? [parameters?: Record<string, never>, more?: More]
    : [parameters: RefusalParameters<C>, more?: More]
): Problem => new Problem({ code, parameters: parameters ?? {} }, more)

/** The failure of a value that a schema refused. */
export const refuseValue = (message: string | undefined, more: More): Problem =>
  new Problem(faultOf(message ?? 'value_invalid'), more)

/** A form shows a few faults at once; a document that was made to have thousands is not worth naming each. */
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
