import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { readEnv } from '#config/env.ts'
import { systemClock } from '#platform/clock.ts'
import { exportSpans } from '#platform/spans/export-spans.ts'
import { startJobs } from '#start/jobs.ts'
import { testApp } from './support/app.ts'
import { testDatabase } from './support/database.ts'
import { only, TestEngine } from './support/engine.ts'
import { testPostOffice } from './support/mail.ts'
import { Browser, person } from './support/people.ts'

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
const span = z.object({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.optional(z.string()),
  kind: z.number(),
  status: z.optional(z.object({ code: z.optional(z.number()) })),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(attribute),
})
const sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
})

/** A collector that keeps what it gets. */
async function collector(status = 200) {
  const bodies: string[] = []
  const asked: { url: string | undefined; token: string | undefined }[] = []
  const server = http.createServer(async (request, response) => {
    bodies.push(await text(request))
    asked.push({ url: request.url, token: request.headers['x-token']?.toString() })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // It listens on a port.
  const spans = () =>
    bodies.flatMap((body) =>
      sent
        .parse(JSON.parse(body))
        .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
    )
  return { endpoint: `http://127.0.0.1:${port}`, bodies, asked, spans }
}

const { pool, connection } = await testDatabase()
const trustedProxies = ['10.1.0.0/16']
const { app, lines } = await testApp(pool, { env: { trustedProxies, proxyDecidesTraces: true } })
const { id: clientId } = await person(pool, 'ana@example.com')
const ana = new Browser(app)
await ana.signIn('ana@example.com')
const project = await pool.kysely
  .selectFrom('projects')
  .select('id')
  .where('client_id', '=', clientId)
  .executeTakeFirstOrThrow()

const id = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${id}-00f067aa0ba902b7-01`

async function addPanel(name: string, more: Record<string, string> = {}) {
  const payload = JSON.stringify({
    data: {
      type: 'panels',
      attributes: { name },
      relationships: { project: { data: { type: 'projects', id: String(project.id) } } },
    },
  })
  const headers = {
    authorization: `Bearer ${ana.cookies.get('token')}`,
    'content-type': 'application/vnd.api+json',
    ...more,
  }
  const asked = {
    method: 'POST',
    url: '/api/v1/panels',
    headers,
    payload,
    remoteAddress: '10.1.2.3',
  } as const // Fixed.
  const answer = await app.inject(asked)
  expect(answer.statusCode).toBe(201)
  return String(answer.headers['x-request-id'])
}

const settings = (endpoint: string, more: Record<string, string> = {}) => {
  const { traces } = readEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...more })
  if (traces === undefined) throw new Error('The endpoint is configured.')
  return traces
}
const quiet = pino({ level: 'silent' })

test('a request, its job and their statements are one trace, which the log names', async () => {
  const { endpoint, spans, bodies, asked } = await collector()
  const end = await exportSpans(
    settings(endpoint, { OTEL_EXPORTER_OTLP_HEADERS: 'x-token=se%2Ccret' }),
    quiet,
  )
  const jobLines: Record<string, unknown>[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => jobLines.push(JSON.parse(line)) })
  const engine = new TestEngine()
  let isAway = true
  engine.meanwhile = async () => {
    if (!isAway || !engine.asked.at(-1)?.startsWith('create')) return
    isAway = false
    throw new Error('the engine is away')
  }
  const requestId = await addPanel('a private name', { traceparent })
  const outside = { clock: systemClock, engines: only(engine), log }
  const jobs = await startJobs({ ...testPostOffice(pool), connection, ...outside })
  const statusOf = () => pool.kysely.selectFrom('panels').select('status').executeTakeFirstOrThrow()
  await expect.poll(async () => (await statusOf()).status).toBe('active')
  await jobs.stop()
  await end()

  const ours = spans().filter(({ traceId }) => traceId === id)
  const request = ours.find(({ name }) => name === 'POST /api/v1/panels')
  expect(request).toMatchObject({ parentSpanId: '00f067aa0ba902b7', kind: 2 })
  expect(request?.attributes).toContainEqual({ key: 'portico.request_id', value: { stringValue: requestId } })
  expect(request?.attributes).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: 201 },
  })
  const runs = ours.filter(({ name }) => name === 'job panel.provision')
  expect(runs.map(({ status }) => status?.code === 2)).toEqual([true, false])
  expect(new Set(runs.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([request?.spanId]))
  const statementsOf = (one: { spanId: string } | undefined) =>
    ours.filter(({ parentSpanId, kind }) => parentSpanId === one?.spanId && kind === 3)
  expect(statementsOf(request).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['start', 'insert', 'select', 'commit']),
  )
  for (const run of runs) expect(statementsOf(run).length).toBeGreaterThan(0)
  for (const { startTimeUnixNano: from, endTimeUnixNano: to } of ours)
    expect(BigInt(to) - BigInt(from)).toBeGreaterThanOrEqual(0n)

  expect(lines.findLast(({ msg }) => msg === 'request')).toMatchObject({
    trace_id: id,
    request_id: requestId,
  })
  const failure = jobLines.find(({ err }) => JSON.stringify(err)?.includes('the engine is away'))
  expect(failure).toMatchObject({ trace_id: id, task: 'panel.provision' })
  expect(bodies.join()).not.toMatch(/a private name|ana@example|the engine is away/)
  expect(asked[0]).toEqual({ url: '/v1/traces', token: 'se,cret' })
})

test('a trace that begins here has the id of the log, and the share of them that is recorded is chosen', async () => {
  const { endpoint, spans } = await collector()
  const end = await exportSpans(settings(endpoint), quiet)
  await addPanel('second')
  await app.inject({ url: '/healthz' })
  await end()
  const logged = lines.findLast(({ msg }) => msg === 'request')?.trace_id
  expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set([logged]))
  const none = await exportSpans(settings(endpoint, { OTEL_TRACES_SAMPLER_ARG: '0' }), quiet)
  const before = spans().length
  await addPanel('third')
  await none()
  expect(spans()).toHaveLength(before)
})

test('a browser chooses the id of its trace, and neither whether it is recorded nor its parent', async () => {
  const { endpoint, spans } = await collector()
  // Without the variable a trusted proxy hands on what a client sent.
  const { app: portal } = await testApp(pool, { env: { trustedProxies } })
  const ask = async (header: string, to = portal, remoteAddress = '10.1.2.3') => {
    const headers = { traceparent: header, authorization: `Bearer ${ana.cookies.get('token')}` }
    expect((await to.inject({ url: '/api/v1/projects', headers, remoteAddress })).statusCode).toBe(200)
  }
  // What decides by the id alone records this one at every share.
  const favoured = 'abcdef01'.repeat(4)
  const rare = await exportSpans(settings(endpoint, { OTEL_TRACES_SAMPLER_ARG: '0.000001' }), quiet)
  await ask(`00-${favoured}-00f067aa0ba902b7-01`)
  // An outsider is none of the proxies that decide.
  await ask(`00-${favoured}-00f067aa0ba902b7-01`, app, '203.0.113.9')
  await rare()
  expect(spans()).toEqual([])

  const all = await exportSpans(settings(endpoint), quiet)
  await ask(`00-${id}-00f067aa0ba902b7-00`)
  await all()
  const request = spans().find(({ name }) => name === 'GET /api/v1/projects')
  expect(request).toMatchObject({ traceId: id })
  expect(request?.parentSpanId).toBeUndefined()
  const statements = spans().filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(statements.map(({ name }) => name)).toContain('select')
  expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set([id]))
})

test('a collector that refuses the traces is logged, and requests are answered', async () => {
  const said: Record<string, unknown>[] = []
  const log = pino({}, { write: (line: string) => said.push(JSON.parse(line)) })
  const { endpoint } = await collector(400)
  const end = await exportSpans(settings(endpoint), log)
  await addPanel('fourth')
  await end()
  expect(said).toMatchObject([{ msg: 'Traces cannot be sent, so some are missing.' }])
})

test('a collector that is silent delays a stop by a second at most', async () => {
  const silent = net.createServer((socket) => socket.on('error', () => undefined))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo // It listens on a port.
  const end = await exportSpans(settings(`http://127.0.0.1:${port}`), quiet)
  await addPanel('fifth')
  const begun = performance.now()
  await end()
  // Left to itself, the exporter waits for five seconds.
  expect(performance.now() - begun).toBeLessThan(4500)
})
