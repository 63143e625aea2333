import { currentTrace, type Trace, traceHeaders } from '#platform/trace.ts'

/** The attributes of a span: never a value that a person or a program sent. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/** A piece of work that is being recorded. */
export type Span = {
  /** The trace in which its parts run. */
  readonly trace: Trace
  end(attributes: Attributes, failed: boolean): void
}

/** A statement that was answered or failed; `begun` is a time of `performance.now()`. */
export type StatementSpan = {
  readonly sql: string
  readonly begun: number
  readonly pid: number | null
  /** The SQLSTATE of its failure, or '' for one without. */
  readonly failure: string | undefined
}

/** Records spans; `export-spans.ts` makes one. */
export type Recorder = {
  begin(name: string, kind: 'request' | 'job', within: Trace, attributes: Attributes): Span
  note(statement: StatementSpan, within: Trace): void
}

let recorder: Recorder | undefined

/** Begins to record, for the whole process. Returns the function that ends it. */
export function recordBy(next: Recorder): () => void {
  recorder = next
  return () => {
    recorder = undefined
  }
}

/** Begins a span; undefined while nothing is recorded. */
export const beginSpan = (...span: Parameters<Recorder['begin']>): Span | undefined =>
  recorder?.begin(...span)

/** Records a statement of the request or job that sent it. */
export function recordStatement(statement: StatementSpan): void {
  if (recorder === undefined) return
  const trace = currentTrace()
  if (trace?.span !== undefined) recorder.note(statement, trace)
}

/** The current span for a job that is queued in it; empty while nothing is recorded. */
export const spanForJob = (): ReturnType<typeof traceHeaders> =>
  recorder !== undefined && currentTrace()?.flags === '01' ? traceHeaders() : {}
