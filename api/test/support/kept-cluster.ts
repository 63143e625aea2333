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

/**
 * Copies with owners and modes, which PostgreSQL checks; Node's own copy keeps neither. False, with nothing left, when it
 * could not: another run may remove what is copied, or its copy, meanwhile.
 */
function copy(from: string, to: string): boolean {
  const isWhole = spawnSync('cp', ['-a', from, to]).status === 0
  if (!isWhole) fs.rmSync(to, { recursive: true, force: true })
  return isWhole
}

/** Puts the migrated cluster of an earlier run in its place; false when there is none of these migrations. */
export function restoreCluster(cluster: string): boolean {
  const kept = path.join(folder, currentKey())
  if (!fs.existsSync(kept)) return false
  fs.mkdirSync(path.dirname(cluster), { mode: 0o711 })
  return copy(kept, cluster)
}

/** Keeps a cluster that no server runs on for the next runs, in place of those of other migrations. Without it they migrate. */
export function keepCluster(cluster: string): void {
  fs.mkdirSync(folder, { recursive: true })
  const others = fs.readdirSync(folder)
  const partial = path.join(folder, `partial-${randomUUID()}`)
  if (!copy(cluster, partial)) return
  const kept = path.join(folder, currentKey())
  try {
    fs.renameSync(partial, kept)
  } catch {
    // Another run kept the same.
    fs.rmSync(partial, { recursive: true, force: true })
  }
  for (const name of others)
    if (path.join(folder, name) !== kept) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
}
