import type { Job } from 'graphile-worker'
import { beginSpan } from '#platform/spans/recorder.ts'
import { currentTrace, type Trace, traceIn, traceOfJob, withTrace } from '#platform/trace.ts'

// The queue logs a failure outside the trace of its job.
const failedIn = new WeakMap<object, Trace>()

/** The trace of the request or job that queued this one while traces were recorded. */
const traceOfQueuer = (payload: unknown): Trace | undefined =>
  typeof payload === 'object' && payload !== null && 'traceparent' in payload
    ? traceIn(payload.traceparent)
    : undefined

/** Runs a job within the trace of what queued it, or within its own, and records it. */
export async function inTraceOfJob(job: Job, payload: unknown, work: () => unknown): Promise<void> {
  const begun = traceOfQueuer(payload) ?? traceOfJob(job.id)
  const attributes = { 'portico.job_id': job.id, 'portico.attempt': job.attempts }
  const span = beginSpan(`job ${job.task_identifier}`, 'job', begun, attributes)
  try {
    await withTrace(span?.trace ?? begun, work)
    span?.end({}, false)
  } catch (error) {
    if (error instanceof Error) failedIn.set(error, begun)
    span?.end({}, true)
    throw error
  }
}

/** The trace for a line of the log about a job. */
export const traceOfLine = (jobId: string, error: unknown): Trace =>
  (error instanceof Error ? failedIn.get(error) : undefined) ?? currentTrace() ?? traceOfJob(jobId)
