import { afterAll, expect, inject, test } from 'vitest'
import { testDatabase } from '#test/support/database.ts'
import { officeChaos } from '#test/support/office-chaos.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

const { pool, connection } = await testDatabase()
const { folder, remove } = temporaryFolder()
afterAll(remove)

test('documents through an office that fails, by processes that are killed, are there once or known as unknown', async () => {
  const seed = inject('seed')
  const size = { seed, documents: 40, kills: 3, faults: 0.3, patienceMs: 120_000 }
  const done = await officeChaos({ pool, connection, folder }, size)
  expect(done, `seed ${seed}`).toMatchObject({ twice: 0, wrong: 0, open: 0, kills: 3 })
  expect(done.accepted + done.rejected + done.unknown).toBe(40)
  expect(done.accepted).toBeGreaterThan(20)
}, 240_000)
