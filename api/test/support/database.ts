import { randomUUID } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import type { Connection } from '#platform/db/connection.ts'
import { Pool } from '#platform/db/pool.ts'
import { behindPooler, wantsPooler } from './behind-pooler.ts'
import { cloneDatabase, dropDatabase } from './postgres.ts'

export type TestDatabase = { readonly connection: Connection; readonly pool: Pool }

/** Leads to the server of this run; its databases are those of the test files. */
export const serverOfTests = (): Connection => inject('postgres')

/**
 * A migrated database of this file's own, gone when the file ends. Call it at the top of the file. `from` is what it is a
 * copy of, where that is more than the migrations.
 */
export async function testDatabase(size = 10, from?: string): Promise<TestDatabase> {
  const server = serverOfTests()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const connection = await cloneDatabase(server, name, from)
  const pooler = wantsPooler ? await behindPooler(connection, size + 2) : undefined
  const pool = new Pool(pooler?.connection ?? connection, size, (error) => {
    // Dropping the database ends idle connections; anything else is worth seeing.
    if (!/terminat/.test(error.message)) console.error(error)
  })
  afterAll(async () => {
    await pool.close()
    await pooler?.stop()
    await dropDatabase(server, name)
  })
  return { connection, pool }
}
