import fs from 'node:fs/promises'
import path from 'node:path'
import type { Env } from '#config/env.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { migrate, pending } from '#platform/db/migrate.ts'
import { writeArchive } from './write-archive.ts'

const most = 7

const folderOf = ({ dataDir }: Pick<Env, 'dataDir'>) => path.join(dataDir, 'backups')

const unfinished = '.partial'

/**
 * Archives the embedded database in `backups` of the data folder, and removes all but the last seven
 * archives. The stored files are in the same data folder and not copied. Returns the folder of the archive.
 */
export async function keepArchive(
  env: Pick<Env, 'dataDir'>,
  connection: Connection,
  why: string,
): Promise<string> {
  const all = folderOf(env)
  await fs.mkdir(all, { recursive: true, mode: 0o700 })
  // A killed process leaves its archive unfinished.
  for (const name of await fs.readdir(all))
    if (name.endsWith(unfinished)) await fs.rm(path.join(all, name), { recursive: true, force: true })
  const folder = path.join(all, `${new Date().toISOString().replaceAll(':', '-')}-${why}`)
  await writeArchive(connection, folder + unfinished)
  await fs.rename(folder + unfinished, folder)
  const names = (await fs.readdir(all)).sort()
  for (const name of names.slice(0, -most))
    await fs.rm(path.join(all, name), { recursive: true, force: true })
  return folder
}

/** Whether migrations are missing in a database that others were applied to. */
async function willChange(connection: Connection): Promise<boolean> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ is: boolean }>(
      "select to_regclass('schema_migrations') is not null as is",
    )
    return rows[0]?.is === true && (await pending(client)).length > 0
  })
}

/**
 * Migrates the database like `migrate`; an embedded one is archived first, because nothing else backs it up.
 * Throws `CannotStart` when that fails, for example without space.
 */
export async function migrateSafely(
  env: Pick<Env, 'dataDir' | 'databaseUrl'>,
  connection: Connection,
  around: { readonly say: (text: string) => void; readonly signal?: AbortSignal },
): Promise<string[]> {
  if (env.databaseUrl === undefined && (await willChange(connection)))
    around.say(`Archived the database in ${await keepArchive(env, connection, 'before-migration')}.`)
  return migrate(connection, around)
}
