import { expect, test } from 'vitest'
import { testApp } from '../../test/support/app.ts'
import { testDatabase } from '../../test/support/database.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)

test('an unknown address of the API is a JSON:API 404 with a request id', async () => {
  const answer = await app.inject('/api/v1/nothing')
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['content-type']).toBe('application/vnd.api+json')
  expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  expect(answer.json().errors).toEqual([
    { status: '404', code: 'not_found', title: 'Not found', detail: 'Nothing is served at /api/v1/nothing.' },
  ])
})
