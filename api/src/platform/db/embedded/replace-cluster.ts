import fs from 'node:fs'
import path from 'node:path'
import { flushFolder, majorOf } from './cluster.ts'
import type { Home } from './home.ts'

// An upgrade makes its cluster beside the old one, in the locked folder. Its name says how far it came.

/** Where an upgrade fills its cluster. */
export const unfinishedCluster = ({ folder }: Home): string => path.join(folder, 'upgrading')

/** Where a cluster waits that is complete, for the moment between two renames. */
const finishedCluster = ({ folder }: Home): string => path.join(folder, 'upgraded')

/**
 * Completes an upgrade that was interrupted after it had set the old cluster aside; without this, a start would make an
 * empty database. Returns whether there was one. The caller holds the lock of the home.
 */
export function completeUpgrade(home: Home): boolean {
  if (fs.existsSync(home.cluster) || !fs.existsSync(finishedCluster(home))) return false
  fs.renameSync(finishedCluster(home), home.cluster)
  flushFolder(home.folder)
  return true
}

/** Puts the filled cluster in the place of the old one, which is kept; returns where. No server runs on either. */
export function replaceCluster(home: Home): string {
  const time = new Date().toISOString().replaceAll(':', '-')
  const kept = path.join(home.folder, `postgres-${majorOf(home.cluster)}-${time}`)
  fs.renameSync(unfinishedCluster(home), finishedCluster(home))
  flushFolder(home.folder)
  fs.renameSync(home.cluster, kept)
  flushFolder(home.folder)
  completeUpgrade(home)
  return kept
}

/** Removes what an interrupted upgrade left while the old cluster is in its place, because that may have changed since. */
export function dropUnfinished(home: Home): void {
  if (!fs.existsSync(home.cluster)) return
  for (const folder of [unfinishedCluster(home), finishedCluster(home)])
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
