import { createHmac, randomBytes } from 'node:crypto'
import type { Context, SpanContext, Span as StandardSpan } from '@opentelemetry/api'
import { minuteMs } from '@portico/contract/time.ts'
import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import type { Trace } from '#platform/trace.ts'
import { type Attributes, type Recorder, recordBy, type Span, type StatementSpan } from './recorder.ts'

type Settings = NonNullable<Env['traces']>

// Statements of several kilobytes are recognized by their beginning.
const longestText = 1000
/** The time for sending the last spans of a process that stops. */
const lastSendMs = 1000

/** Loaded only where traces are exported: the packages need as long as a tenth of a start. */
const load = async () => ({
  api: await import('@opentelemetry/api'),
  sdk: await import('@opentelemetry/sdk-trace-base'),
  otlp: await import('@opentelemetry/exporter-trace-otlp-http'),
  resources: await import('@opentelemetry/resources'),
})
type Packages = Awaited<ReturnType<typeof load>>

/** Gives new traces the ids that the log has. */
function idsOf({ sdk }: Packages) {
  const random = new sdk.RandomIdGenerator()
  let next: string | undefined
  return {
    generator: {
      generateSpanId: random.generateSpanId,
      generateTraceId: () => next ?? random.generateTraceId(),
    },
    /** Runs the work, in which new traces have this id. */
    within: <T>(id: string, work: () => T): T => {
      next = id
      try {
        return work()
      } finally {
        next = undefined
      }
    },
  }
}

/** Sends spans, and logs a collector that does not take them once a minute at most. */
function exporterOf({ otlp }: Packages, { endpoint, headers }: Settings, log: Logger) {
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis: 5000 })
  let saidAt = Number.NEGATIVE_INFINITY
  return {
    export: (...[spans, done]: Parameters<typeof exporter.export>) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && performance.now() - saidAt > minuteMs) {
          saidAt = performance.now()
          log.warn({ reason: result.error.message }, 'Traces cannot be sent, so some are missing.')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/**
 * Decides about traces that begin here, by their ids and a secret of this process: who chooses an id must not choose whether
 * it is recorded. All attempts of a job have one id, and one answer.
 */
function samplerOf({ sdk }: Packages, share: number) {
  const secret = randomBytes(32)
  const byId = new sdk.TraceIdRatioBasedSampler(share)
  return {
    shouldSample: (context: Context, traceId: string) =>
      byId.shouldSample(context, createHmac('sha256', secret).update(traceId).digest('hex').slice(0, 32)),
    toString: () => byId.toString(),
  }
}

function providerOf(packages: Packages, settings: Settings, log: Logger) {
  const { sdk, resources } = packages
  const ids = idsOf(packages)
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': settings.service }),
    // A decision holds for the whole trace, also that of a proxy that decides.
    sampler: new sdk.ParentBasedSampler({ root: samplerOf(packages, settings.share) }),
    idGenerator: ids.generator,
    spanProcessors: [new sdk.BatchSpanProcessor(exporterOf(packages, settings, log))],
  })
  return { provider, tracer: provider.getTracer('portico'), within: ids.within }
}

const traceOf = ({ traceId, spanId, traceFlags }: SpanContext): Trace => ({
  id: traceId,
  flags: traceFlags === 1 ? '01' : '00',
  span: spanId,
})

const timeOf = (moment: number) => performance.timeOrigin + moment

function recorderOf({ api }: Packages, { tracer, within }: ReturnType<typeof providerOf>): Recorder {
  const contextOf = ({ id, flags, span, parent }: Trace) => {
    const spanId = span ?? parent
    if (spanId === undefined) return api.ROOT_CONTEXT
    const traceFlags = Number.parseInt(flags, 16) & 1
    return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId: id, spanId, traceFlags, isRemote: !span })
  }
  const fail = (span: StandardSpan, failed: boolean) =>
    failed && span.setStatus({ code: api.SpanStatusCode.ERROR })
  const kinds = { request: api.SpanKind.SERVER, job: api.SpanKind.CONSUMER } as const
  return {
    begin: (name, kind, trace, attributes: Attributes): Span => {
      const options = { kind: kinds[kind], attributes }
      const span = within(trace.id, () => tracer.startSpan(name, options, contextOf(trace)))
      return {
        trace: traceOf(span.spanContext()),
        end: (more, failed) => {
          span.setAttributes(more)
          fail(span, failed)
          span.end()
        },
      }
    },
    note: ({ sql, begun, pid, failure }: StatementSpan, trace) => {
      if (trace.flags !== '01') return
      const name = /\w+/.exec(sql)?.[0].toLowerCase() ?? 'statement'
      const attributes = {
        'db.system.name': 'postgresql',
        'db.operation.name': name,
        'db.query.text': sql.slice(0, longestText),
        'portico.database_pid': pid ?? undefined,
        'db.response.status_code': failure || undefined,
      }
      const options = { kind: api.SpanKind.CLIENT, startTime: timeOf(begun), attributes }
      const span = tracer.startSpan(name, options, contextOf(trace))
      fail(span, failure !== undefined)
      span.end(timeOf(performance.now()))
    },
  }
}

/**
 * Records requests, jobs and their statements, and sends them to a collector by OTLP. Returns the function that sends the
 * last ones and ends it.
 */
export async function exportSpans(settings: Settings, log: Logger): Promise<() => Promise<void>> {
  const packages = await load()
  const parts = providerOf(packages, settings, log)
  const end = recordBy(recorderOf(packages, parts))
  return async () => {
    end()
    const { promise, resolve } = Promise.withResolvers<void>()
    setTimeout(resolve, lastSendMs).unref()
    await Promise.race([parts.provider.shutdown().catch(() => undefined), promise])
  }
}
