import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { missingSettings, poolerConnection } from '#platform/db/external.ts'
import { hasPgBouncer, startPgBouncer } from './pgbouncer.ts'
import { startPooler } from './pooler.ts'

/** Whether the tests of this run ask their databases through a pooler, as with DATABASE_POOLER=transaction. */
export const wantsPooler = process.env.TEST_POOLER === '1'

type Behind = { readonly connection: Connection; readonly stop: () => Promise<void> }

/** The way through a pooler of `sessions` sessions to a database of the tests. Its role is the same for all of them. */
export async function behindPooler(direct: Connection, sessions: number): Promise<Behind> {
  const start = async () => {
    const pooler = await (hasPgBouncer ? startPgBouncer : startPooler)(direct, sessions)
    return { connection: poolerConnection(pooler.url), stop: () => pooler.stop() }
  }
  // A session has the settings of the role from its beginning, so they are given before the pooler has any.
  const first = await start()
  const statements = await missingSettings(first.connection)
  await first.stop()
  await withClient(direct, (client) => client.query(statements.join('\n')))
  return start()
}
