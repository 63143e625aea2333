import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Env } from '#config/env.ts'
import { bundledMajor } from '#platform/db/embedded/binaries.ts'
import { cleanEnvironment } from '#platform/db/embedded/cluster.ts'
import { serve } from '#platform/db/embedded/embedded.ts'
import { openHome } from '#platform/db/embedded/home.ts'
import { takeLock } from '#platform/db/embedded/lock.ts'
import { fillPortal } from './filled-portal.ts'

export type Installed = { readonly major: string; readonly folder: string }

/** The newest PostgreSQL of Debian's packages that is older than the bundled one, and that the portal supports. */
export function olderInstalled(): Installed | undefined {
  const all = '/usr/lib/postgresql'
  const majors = fs.existsSync(all) ? fs.readdirSync(all).map(Number) : []
  const major = majors
    .filter((one) => one >= 15 && one < Number(bundledMajor()))
    .filter((one) => fs.existsSync(path.join(all, `${one}`, 'bin', 'initdb')))
    .sort((a, b) => b - a)[0]
  return major === undefined ? undefined : { major: `${major}`, folder: path.join(all, `${major}`) }
}

/** Makes the data folder of a portal that had an older PostgreSQL, and returns its content. No server runs on it. */
export async function makeOlderPortal(dataDir: string, env: Env, older: Installed): Promise<string[]> {
  fs.chmodSync(dataDir, 0o711)
  const home = openHome(dataDir, () => undefined)
  fs.mkdirSync(home.cluster, { mode: 0o700 })
  if (home.account) fs.chownSync(home.cluster, home.account.uid, home.account.gid)
  const flags = ['-D', home.cluster, '-U', 'portico', '--encoding=UTF8', '--locale=C', '--no-sync']
  const made = spawnSync(path.join(older.folder, 'bin', 'initdb'), flags, {
    ...home.account,
    env: cleanEnvironment,
    cwd: '/',
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const lock = await takeLock(home.folder, dataDir)
  try {
    const options = { durable: false }
    const server = await serve({ home, lock, binaries: older.folder, dataDir, options })
    return await fillPortal(server.connection, env).finally(() => server.stop())
  } finally {
    lock.release()
  }
}
