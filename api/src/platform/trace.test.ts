import { pino } from 'pino'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { logSlowStatements } from './slow-statements.ts'
import { currentTrace, newTrace, traceHeaders, traceIn, traceOfJob, withTrace } from './trace.ts'

const { pool } = await testDatabase()
const { app: local } = await testApp(pool, { env: { trustedProxies: ['127.0.0.1'] } })
const origin = await local.listen({ host: '127.0.0.1', port: 0 })
const id = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${id}-00f067aa0ba902b7-01`

test('a trace is read from the header as W3C Trace Context says', () => {
  expect(traceIn(traceparent)).toEqual({ id, flags: '01', parent: '00f067aa0ba902b7' })
  expect(traceIn(`cc-${id}-00f067aa0ba902b7-01-later`)).toMatchObject({ id, flags: '01' })
  for (const invalid of [
    undefined,
    '',
    `ff-${id}-00f067aa0ba902b7-01`,
    `00-${id}-00f067aa0ba902b7-01-later`,
    `00-${id.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${id}-${'0'.repeat(16)}-01`,
    `00-${id}-00f067aa0ba902b7`,
  ])
    expect(traceIn(invalid), invalid).toBeUndefined()
})

test('a trace is handed on with a new parent, and every attempt of a job has the same', () => {
  expect(traceHeaders()).toEqual({})
  const handed = withTrace({ id, flags: '01' }, () => [traceHeaders(), traceHeaders()])
  expect(handed.map(({ traceparent: one }) => traceIn(one))).toMatchObject([
    { id, flags: '01' },
    { id, flags: '01' },
  ])
  expect(handed[0]).not.toEqual(handed[1])
  expect(traceOfJob('7')).toEqual(traceOfJob('7'))
  expect(traceOfJob('7').id).not.toBe(traceOfJob('8').id)
  expect(traceIn(`00-${newTrace().id}-00f067aa0ba902b7-00`)).toBeDefined()
})

test('the lines of a request have the trace id that it brings, from everyone, and nothing else of the header', async () => {
  const { app, lines } = await testApp(pool)
  const ask = async (header: string) => {
    await app.inject({ url: '/api/v1/projects', headers: { traceparent: header } })
    return lines.at(-1)?.trace_id
  }
  expect(await ask(traceparent)).toBe(id)
  const injections = [
    `00-${id}","level":60,"x":"-01`,
    `00-${id}-00f067aa0ba902b7-01\\n{}`,
    `${traceparent},${traceparent}`,
  ]
  for (const forged of [...injections, 'x'.repeat(4000)]) {
    const own = await ask(forged)
    expect(own).toMatch(/^[\da-f]{32}$/)
    expect(own).not.toBe(id)
  }
})

test('the statements of a request belong to its trace, also after its body', async () => {
  const seen = new Set<string | undefined>()
  const unobserve = pool.observe(() => seen.add(currentTrace()?.id))
  const headers = { traceparent, 'x-portico-client': 'api', 'content-type': 'application/json' }
  expect((await fetch(`${origin}/readyz`, { headers })).status).toBe(200)
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'a wrong password' })
  expect((await fetch(`${origin}/auth/login`, { method: 'POST', headers, body })).status).toBe(401)
  unobserve()
  expect([...seen]).toEqual([id])
  expect(currentTrace()).toBeUndefined()
})

test('a slow statement is logged with its trace and the process of PostgreSQL, without values', async () => {
  const lines: Record<string, unknown>[] = []
  const end = logSlowStatements(pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }))
  const slow = { sql: 'select pg_sleep($1::float8), $2::text', values: [1.1, 's3cret'] }
  await withTrace({ id, flags: '00' }, () => pool.run(slow))
  await pool.run({ sql: 'select pg_backend_pid()', values: [] })
  end()
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'slow statement',
      trace_id: id,
      database_pid: expect.any(Number),
      sql: 'select pg_sleep($1::float8), $2::text',
    }),
  ])
  expect(Number(lines[0]?.ms)).toBeGreaterThanOrEqual(1000)
  expect(JSON.stringify(lines)).not.toContain('s3cret')
})
