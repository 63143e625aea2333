import { beforeAll, expect, inject, test } from 'vitest'
import { readEnv } from '#config/env.ts'
import { tokenSecret } from '#platform/token-secret.ts'
import { cloneDatabase } from '#test/support/postgres.ts'
import { reachDatabase } from './external.ts'

const server = inject('postgres')
const urlOf = (database: string) =>
  `postgres://portico@localhost/${database}?host=${encodeURIComponent(server.host ?? '')}`
const said: string[] = []
const say = (text: string) => said.push(text)

beforeAll(async () => {
  await cloneDatabase(server, 'external')
})

test('a database that answers is used at once, and its replicas share one key that is made once', async () => {
  const connection = await reachDatabase(urlOf('external'), say)
  expect(said).toEqual([])
  const env = readEnv({ DATABASE_URL: urlOf('external') })
  const keys = await Promise.all(Array.from({ length: 5 }, () => tokenSecret(env, connection)))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[\w-]{43}$/)
})

test('an absent database is reported at once', async () => {
  await expect(reachDatabase(urlOf('nowhere'), say)).rejects.toThrow(
    'The database of DATABASE_URL cannot be used: database "nowhere" does not exist.',
  )
})

test('a database that does not listen yet is waited for, until the start gives up', async () => {
  const waiting = reachDatabase('postgres://127.0.0.1:1/portico', say, AbortSignal.timeout(300))
  await expect(waiting).rejects.toThrow('aborted due to timeout')
  expect(said).toEqual([
    expect.stringContaining('Waiting for the database of DATABASE_URL (connect ECONNREFUSED'),
  ])
})
