import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Trust } from '#platform/http/trust.ts'
import { beginSpan, type Span } from '#platform/spans/recorder.ts'
import { newTrace, type Trace, traceIn, withTrace } from '#platform/trace.ts'

const traces = new WeakMap<IncomingMessage, Trace>()

/**
 * The trace of a request: that of its `traceparent`, else a new one. Everyone may choose the id of a trace, as the browser app
 * does; only those who decide about traces choose whether it is recorded, and of which span it is a part.
 */
function traceOf(raw: IncomingMessage, decides: Trust): Trace {
  const given = traceIn(raw.headers.traceparent)
  const own = given && { ...newTrace(), id: given.id }
  const trace = (decides(raw.socket.remoteAddress) ? given : own) ?? newTrace()
  traces.set(raw, trace)
  return trace
}

/** Creates the logger of each request, whose lines have its trace id. */
export const tracingLogger =
  (decides: Trust) =>
  (logger: FastifyBaseLogger, bindings: object, options: object, raw: IncomingMessage): FastifyBaseLogger =>
    logger.child({ ...bindings, trace_id: traceOf(raw, decides).id }, options)

/** Begins the span of a request; undefined while nothing is recorded, and for what machines ask all the time. */
function spanOf({ routeOptions, method, id }: FastifyRequest, trace: Trace): Span | undefined {
  const { url: route, config } = routeOptions
  if (config.quiet) return undefined
  // The path may have a secret, and the pattern has none.
  const attributes = { 'http.request.method': method, 'http.route': route, 'portico.request_id': id }
  return beginSpan(route === undefined ? method : `${method} ${route}`, 'request', trace, attributes)
}

/**
 * Runs each request within its trace, and records it. A parsed body continues in the context of the socket, so the trace is
 * entered again after it.
 */
export function followTraces(app: FastifyInstance): void {
  const enter = ({ raw }: FastifyRequest, done: () => void) => {
    const trace = traces.get(raw)
    if (trace) withTrace(trace, done)
    else done()
  }
  app.addHook('onRequest', (request, reply, done) => {
    const trace = traces.get(request.raw)
    const span = trace && spanOf(request, trace)
    if (span) {
      traces.set(request.raw, span.trace)
      reply.raw.on('close', () => {
        // As in the log: a client that went before it had its answer.
        const status = reply.raw.writableEnded ? reply.statusCode : 499
        span.end({ 'http.response.status_code': status }, status >= 500)
      })
    }
    enter(request, done)
  })
  app.addHook('preValidation', (request, _reply, done) => enter(request, done))
}
