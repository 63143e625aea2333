import { CannotStart, type Env } from '#config/env.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'

/** The purpose of a database, for its whole life. */
type Installation = 'demo' | 'portal'

/**
 * Records the purpose of the database at its first start, and reads it later. A database from before this
 * record is a demo when it was seeded as one, and a portal when it has accounts or an operator.
 */
async function recordInstallation(connection: Connection, atFirst: Installation): Promise<Installation> {
  return withClient(connection, async (client) => {
    await client.query(
      `insert into settings (key, value)
        select 'installation', to_jsonb(case
          when exists (select from settings where key = 'demo_seeded_at') then 'demo'
          when exists (select from auth_accounts) or exists (select from operator_profile) then 'portal'
          else $1::text end)
        on conflict (key) do nothing`,
      [atFirst],
    )
    const { rows } = await client.query<{ is: Installation }>(
      "select value #>> '{}' as is from settings where key = 'installation'",
    )
    if (rows[0] === undefined) throw new Error('The table settings lost the purpose of the database.')
    return rows[0].is
  })
}

function beginAgain(env: Env, { database }: Connection): string {
  return env.databaseUrl === undefined
    ? `To begin with an empty database, remove the folder ${env.dataDir} or choose another one with DATA_DIR.`
    : `To begin with an empty database, drop and create ${database} or name another one in DATABASE_URL.`
}

/**
 * Refuses to open a demo as a real portal, because its passwords are public, and to seed a portal with demo
 * data.
 */
export async function assertInstallation(env: Env, connection: Connection): Promise<void> {
  const asked: Installation = env.seed === 'demo' ? 'demo' : 'portal'
  const is = await recordInstallation(connection, asked)
  if (is === asked) return
  const where = env.databaseUrl === undefined ? `in ${env.dataDir}` : connection.database
  const why =
    is === 'demo'
      ? `The database ${where} was filled as a demo, whose passwords are public, so it starts with SEED=demo only and without anything that only a portal for real people has.`
      : `The database ${where} is not a demo and is never filled as one: start it with SEED=none.`
  throw new CannotStart(`${why} ${beginAgain(env, connection)}`)
}
