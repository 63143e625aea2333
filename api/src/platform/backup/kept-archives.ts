import fs from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { dayMs } from '@portico/contract/time.ts'
import type { Env } from '#config/env.ts'
import { withClient } from '#platform/db/client.ts'
import type { Connection } from '#platform/db/connection.ts'
import { migrate, pending } from '#platform/db/migrate.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { appliedIn, writeArchive } from './write-archive.ts'

const most = 7

/** What an archive was made for. Each has its own last seven. */
type Why = 'nightly' | 'before-migration'

const folderOf = ({ dataDir }: Pick<Env, 'dataDir'>) => path.join(dataDir, 'backups')

const unfinished = '.partial'

/**
 * Archives the embedded database in `backups` of the data folder, and removes all but the last seven
 * of its kind, so that starts that fail take none of the nights away. The stored files are in the same data folder and not copied. Returns the folder of the archive.
 */
export async function keepArchive(
  env: Pick<Env, 'dataDir'>,
  connection: Connection,
  why: Why,
): Promise<string> {
  const all = folderOf(env)
  await fs.mkdir(all, { recursive: true, mode: 0o700 })
  // A killed process leaves its archive unfinished.
  for (const name of await fs.readdir(all))
    if (name.endsWith(unfinished)) await fs.rm(path.join(all, name), { recursive: true, force: true })
  const folder = path.join(all, `${new Date().toISOString().replaceAll(':', '-')}-${why}`)
  await writeArchive(connection, folder + unfinished)
  await fs.rename(folder + unfinished, folder)
  for (const name of (await namesOf(env, why)).slice(0, -most))
    await fs.rm(path.join(all, name), { recursive: true, force: true })
  return folder
}

/** The names of the archives of a kind, the oldest first. */
async function namesOf(env: Pick<Env, 'dataDir'>, why: Why): Promise<string[]> {
  const names = await fs.readdir(folderOf(env)).catch(() => [])
  return names.filter((name) => name.endsWith(`-${why}`)).sort()
}

/** Whether a start that failed made an archive of this schema within a day, which is as old as one of the last night. */
async function wasArchived(env: Pick<Env, 'dataDir'>, applied: Manifest['migrations']): Promise<boolean> {
  const newest = (await namesOf(env, 'before-migration')).at(-1)
  if (newest === undefined) return false
  // A damaged one is none.
  const made = await readManifest(path.join(folderOf(env), newest)).catch(() => undefined)
  if (made === undefined || Date.now() - Date.parse(made.madeAt) > dayMs) return false
  return isDeepStrictEqual(made.migrations, applied)
}

/** The migrations that were applied to a database that lacks others; undefined for one that is new or current. */
async function appliedBefore(connection: Connection): Promise<Manifest['migrations'] | undefined> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ is: boolean }>(
      "select to_regclass('schema_migrations') is not null as is",
    )
    return rows[0]?.is === true && (await pending(client)).length > 0 ? appliedIn(client) : undefined
  })
}

/**
 * Migrates the database like `migrate`; an embedded one is archived first, because nothing else backs it up, unless a
 * start that failed has done so.
 * Throws `CannotStart` when that fails, for example without space.
 */
export async function migrateSafely(
  env: Pick<Env, 'dataDir' | 'databaseUrl'>,
  connection: Connection,
  around: { readonly say: (text: string) => void; readonly signal?: AbortSignal },
): Promise<string[]> {
  const applied = env.databaseUrl === undefined ? await appliedBefore(connection) : undefined
  if (applied !== undefined && !(await wasArchived(env, applied)))
    around.say(`Archived the database in ${await keepArchive(env, connection, 'before-migration')}.`)
  return migrate(connection, around)
}
