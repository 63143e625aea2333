import { expect, test } from 'vitest'
import { Problems, refuse } from '#platform/errors/problem.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'

const { pool } = await testDatabase()
const { app, lines } = await testApp(pool)

const failures: Record<string, () => unknown> = {
  bug: () => new TypeError("Cannot read properties of undefined (reading 'secret of the house')"),
  text: () => 'not even an error',
  disguised: () => Object.assign(new Error('a client library failed inside'), { statusCode: 404 }),
  problem: () => refuse('name_required', {}, { source: { pointer: '/data/attributes/name' } }),
  headers: () => refuse('exports_busy', {}, { headers: { 'retry-after': '7' } }),
  several: () => new Problems([refuse('name_required'), refuse('forbidden')]),
}
app.get<{ Params: { name: string } }>('/api/test/fail/:name', async ({ params }) => {
  throw failures[params.name]?.()
})
app.post('/api/test/echo', async ({ body }) => ({ body }))

test.each([
  ['/api/v1/nothing', 404, 'address_not_found'],
  ['/auth/nothing', 404, 'address_not_found'],
  ['/api', 404, 'address_not_found'],
  ['/api/v1/projects/%zz', 400, 'address_encoding'],
  [`/api/v1/projects/${'9'.repeat(5000)}`, 414, 'uri_too_long'],
  ['/api/test/fail/problem', 422, 'name_required'],
])('%s is answered %d %s as JSON:API', async (url, status, code) => {
  const answer = await app.inject(url)
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toBe('application/vnd.api+json')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect(answer.json().errors).toEqual([expect.objectContaining({ status: String(status), code })])
})

test.each(['bug', 'text', 'disguised'])(
  'a bug (%s) names the request and nothing of the inside',
  async (name) => {
    const answer = await app.inject(`/api/test/fail/${name}`)
    expect(answer.statusCode).toBe(500)
    const id = answer.headers['x-request-id']
    expect(answer.json().errors).toEqual([
      {
        id,
        status: '500',
        code: 'internal',
        title: 'Internal error',
        detail: `Something went wrong on our side. If it happens again, send us the request id ${id}.`,
      },
    ])
    expect(lines).toContainEqual(expect.objectContaining({ request_id: id, msg: 'unexpected error' }))
  },
)

test('a bug is logged with its stack', async () => {
  await app.inject('/api/test/fail/bug')
  const line = lines.findLast(({ msg }) => msg === 'unexpected error')
  expect(line).toMatchObject({ err: { type: 'TypeError', stack: expect.stringContaining('errors.test.ts') } })
})

test('a problem brings its source and headers along', async () => {
  const problem = await app.inject('/api/test/fail/problem')
  expect(problem.json().errors[0]).toMatchObject({ source: { pointer: '/data/attributes/name' } })
  const limited = await app.inject('/api/test/fail/headers')
  expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '7'])
})

test('problems of different kinds share the most general status', async () => {
  const answer = await app.inject('/api/test/fail/several')
  expect(answer.statusCode).toBe(400)
  expect(answer.json().errors.map((one: { status: string }) => one.status)).toEqual(['422', '403'])
})

test.each([
  ['too large', 'application/json', JSON.stringify('x'.repeat(2_000_000)), 413, 'too_large'],
  ['cut off', 'application/json', '{"a":', 400, 'malformed_json'],
  ['reaching for the prototype', 'application/json', '{"__proto__":{"admin":true}}', 400, 'malformed_json'],
  ['empty', 'application/json', '', 400, 'malformed_json'],
  ['of another type', 'text/csv', 'a,b', 415, 'unsupported_media_type'],
])('a body that is %s is refused', async (_, type, payload, status, code) => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/test/echo',
    headers: { 'content-type': type },
    payload,
  })
  expect(answer.statusCode).toBe(status)
  expect(answer.json().errors).toEqual([expect.objectContaining({ code })])
})

test('TRACE is refused', async () => {
  const answer = await app.inject({ method: 'TRACE', url: '/api/v1/projects' })
  expect(answer.statusCode).toBe(405)
  expect(answer.headers.allow).toBe('GET, POST, HEAD')
})
