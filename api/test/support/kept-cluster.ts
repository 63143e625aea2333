import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { readFunctions } from '#platform/db/functions.ts'
import { readMigrations } from '#platform/db/schema/migration-files.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const folder = path.join(root, '.cache/test-clusters')

/**
 * Names the migrations and functions, the code that records them and fills the template, and through the lock file the versions of PostgreSQL and
 * of the job queue.
 */
function currentKey(): string {
  const hash = createHash('sha256').update(fs.readFileSync(path.join(root, 'package-lock.json')))
  for (const file of ['api/src/platform/db/migrate.ts', 'api/test/support/postgres.ts'])
    hash.update(fs.readFileSync(path.join(root, file)))
  for (const { name, checksum } of [...readMigrations(), ...readFunctions()])
    hash.update(`${name} ${checksum}\n`)
  return hash.digest('hex').slice(0, 32)
}

/** Copies with owners and modes, which PostgreSQL checks; Node's own copy keeps neither. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`cp failed: ${stderr}`)
}

/** Puts the migrated cluster of an earlier run in its place; false when there is none of these migrations. */
export function restoreCluster(cluster: string): boolean {
  const kept = path.join(folder, currentKey())
  if (!fs.existsSync(kept)) return false
  fs.mkdirSync(path.dirname(cluster), { mode: 0o711 })
  copy(kept, cluster)
  return true
}

/** Keeps a cluster that no server runs on for the next runs, in place of those of other migrations. */
export function keepCluster(cluster: string): void {
  fs.mkdirSync(folder, { recursive: true })
  const others = fs.readdirSync(folder)
  const partial = path.join(folder, `partial-${randomUUID()}`)
  copy(cluster, partial)
  const kept = path.join(folder, currentKey())
  if (fs.existsSync(kept)) fs.rmSync(partial, { recursive: true })
  else fs.renameSync(partial, kept)
  for (const name of others)
    if (path.join(folder, name) !== kept) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
}
