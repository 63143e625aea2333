import { expect, test } from 'vitest'
import { describedTypes } from '#start/described.ts'
import { testApp } from '#test/support/app.ts'
import { testDatabase } from '#test/support/database.ts'
import { openApi } from './document.ts'

const { pool } = await testDatabase()
const { app } = await testApp(pool)

test('anybody gets the document', async () => {
  const answer = await app.inject('/api/openapi.json')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    'application/json; charset=utf-8',
  ])
  expect(answer.json()).toEqual(JSON.parse(JSON.stringify(openApi(describedTypes))))
})

test('anybody reads the page, which names every type and runs no script', async () => {
  const { statusCode, headers, body } = await app.inject('/api/docs')
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  )
  for (const { contract } of describedTypes)
    expect(body).toContain(`<h2 id="h-${contract.type}">${contract.type}</h2>`)
  expect(body).not.toMatch(/<script|style="|onclick|javascript:/)
  const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect((await app.inject('/api/docs.css')).headers['content-type']).toBe('text/css; charset=utf-8')
})
