import { beforeEach, expect, test } from 'vitest'
import { readEnv } from '#config/env.ts'
import { reseal } from '#identity/reseal.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import { testDatabase } from '#test/support/database.ts'
import { person } from '#test/support/people.ts'
import { openVault } from './open-vault.ts'
import { makeVault } from './vault.ts'

const { pool, connection } = await testDatabase()
const db = pool.kysely
const ada = await person(pool, 'ada@example.test')
const [old, next, other] = ['o', 'n', 'x'].map((letter) => letter.repeat(32)) as [string, string, string] // Three of three.
const start = (TOKEN_SECRET: string) => openVault(readEnv({ SEED: 'none', TOKEN_SECRET }), connection)
const wrong = 'TOKEN_SECRET is not the secret that this database was sealed with'

beforeEach(async () => {
  await db.deleteFrom('settings').where('key', '=', 'secret_canary').execute()
  await db.deleteFrom('outbox_letters').execute()
  await db.deleteFrom('auth_totp').execute()
})

const where = { device: { browser: null, system: null }, ip: null, at: '2026-11-21T14:05:00Z' }
const sealedBy = (secret: string) =>
  db.transaction().execute((tx) =>
    queueMail(
      { tx, vault: makeVault(secret) },
      {
        to: 'ana@example.com',
        language: 'en',
        letter: { kind: 'verify-email', name: 'Ana', link: '/x', ...where },
      },
    ),
  )

test('an empty database takes the first secret, and refuses every other from then on', async () => {
  await start(old)
  await expect(start(other)).rejects.toThrow(wrong)
  const { secret, vault } = await start(old)
  expect(secret).toBe(old)
  expect(vault.unseal(makeVault(old).seal('kept'))).toBe('kept')
})

test('of several concurrent first starts only those with the same secret continue', async () => {
  const outcomes = await Promise.allSettled([start(old), start(other), start(old), start(other)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('a database with sealed values from before is opened by their secret, and by no other', async () => {
  await sealedBy(old)
  await expect(start(other)).rejects.toThrow(wrong)
  await start(`${next},${old}`)
  await start(next)
})

test('a newer secret before the old one takes its place, and the old one can go', async () => {
  await start(old)
  await expect(start(next)).rejects.toThrow(wrong)
  await start(`${old},${next}`)
  await start(old)
  await start(`${next}, ${old}`)
  await start(next)
  await expect(start(old)).rejects.toThrow(wrong)
})

test('the old one cannot go while an authenticator app is sealed by it', async () => {
  await start(old)
  const secret_sealed = makeVault(old).seal('JBSWY3DPEHPK3PXP')
  await db.insertInto('auth_totp').values({ account_id: ada.accountId, secret_sealed }).execute()
  const { vault } = await start(`${next},${old}`)
  await expect(start(next)).rejects.toThrow(wrong)
  expect(await reseal({ pool, vault })).toBe(1)
  await start(next)
  await expect(start(old)).rejects.toThrow(wrong)
})

test('an operator who lost the secret gives it up', async () => {
  await sealedBy(old)
  await start(old)
  await db.updateTable('settings').set({ value: 'null' }).where('key', '=', 'secret_canary').execute()
  await start(next)
  await expect(start(old)).rejects.toThrow(wrong)
})

test('a key that was made and kept is checked as well', async () => {
  await start(old)
  const env = readEnv({ DATABASE_URL: 'postgres://me:hunter2@db/portico' })
  const refused = await openVault(env, connection).catch(String)
  expect(refused).toContain('TOKEN_SECRET is not set, and the key kept in the database is not the secret')
  expect(refused).not.toContain('hunter2')
  await db.deleteFrom('settings').where('key', '=', 'token_secret').execute()
})
