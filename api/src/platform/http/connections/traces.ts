import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Trust } from '#platform/http/trust.ts'
import { newTrace, type Trace, traceIn, withTrace } from '#platform/trace.ts'

const traces = new WeakMap<IncomingMessage, Trace>()

/** The trace of a request: that of a trusted proxy's `traceparent`, else a new one. */
function traceOf(raw: IncomingMessage, trust: Trust): Trace {
  const given = trust(raw.socket.remoteAddress) ? traceIn(raw.headers.traceparent) : undefined
  const trace = given ?? newTrace()
  traces.set(raw, trace)
  return trace
}

/** Creates the logger of each request, whose lines have its trace id. */
export const tracingLogger =
  (trust: Trust) =>
  (logger: FastifyBaseLogger, bindings: object, options: object, raw: IncomingMessage): FastifyBaseLogger =>
    logger.child({ ...bindings, trace_id: traceOf(raw, trust).id }, options)

/**
 * Runs each request within its trace. A parsed body continues in the context of the socket, so the trace is entered again
 * after it.
 */
export function followTraces(app: FastifyInstance): void {
  const enter = ({ raw }: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const trace = traces.get(raw)
    if (trace) withTrace(trace, done)
    else done()
  }
  app.addHook('onRequest', enter)
  app.addHook('preValidation', enter)
}
