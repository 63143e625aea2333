import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes } from 'node:crypto'

/** The identity of a request across programs, as in W3C Trace Context. */
export type Trace = {
  /** 32 hexadecimal digits. */
  readonly id: string
  readonly flags: string
  /** The span of the program that asked, 16 hexadecimal digits. */
  readonly parent?: string
  /** The span of the running code, where spans are recorded. */
  readonly span?: string
}

const running = new AsyncLocalStorage<Trace>()

/** The trace that the running code works for; undefined outside requests and jobs. */
export const currentTrace = (): Trace | undefined => running.getStore()

/** Runs the work, and everything that it starts, within a trace. */
export const withTrace = <T>(trace: Trace, work: () => T): T => running.run(trace, work)

const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/**
 * The trace of a `traceparent` header; undefined for one that the standard calls invalid. Versions after 00 may have more
 * fields.
 */
export function traceIn(header: unknown): Trace | undefined {
  const [, version, id = '', parent = '', flags = '', more] = form.exec(String(header)) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return /[^0]/.test(id) && /[^0]/.test(parent) ? { id, flags, parent } : undefined
}

/** A trace that begins here. */
export const newTrace = (): Trace => ({ id: randomBytes(16).toString('hex'), flags: '00' })

/** The trace of a job, the same for all its attempts. */
export const traceOfJob = (jobId: string): Trace => ({
  id: createHash('sha256').update(`job ${jobId}`).digest('hex').slice(0, 32),
  flags: '00',
})

/** The header that hands the current trace to another program; empty outside a trace. */
export function traceHeaders(): { readonly traceparent?: string } {
  const trace = currentTrace()
  return trace
    ? { traceparent: `00-${trace.id}-${trace.span ?? randomBytes(8).toString('hex')}-${trace.flags}` }
    : {}
}
