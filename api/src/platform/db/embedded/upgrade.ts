import fs from 'node:fs'
import path from 'node:path'
import { CannotStart } from '#config/env.ts'
import { bundledMajor, findBinaries } from './binaries.ts'
import { assertNotNewer, clearRemains, ensureCluster, majorOf } from './cluster.ts'
import { type Embedded, serve } from './embedded.ts'
import { type Home, openHome } from './home.ts'
import { takeLock } from './lock.ts'
import { olderPrograms } from './older-programs.ts'
import { completeUpgrade, dropUnfinished, replaceCluster, unfinishedCluster } from './replace-cluster.ts'

/** The database of an earlier major version and an empty one of the bundled version, each with its server. */
export type Clusters = {
  readonly older: Embedded
  readonly newer: Embedded
  /** The folder of the new cluster, which keeps its inode when it is renamed. */
  readonly newCluster: string
}

export type UpgradeOptions = {
  readonly dataDir: string
  /** The folder with the older `bin/postgres`; otherwise it is looked for. */
  readonly programs: string | undefined
  readonly say: (text: string) => void
}

async function clearUnfinished(home: Home): Promise<void> {
  const unfinished = unfinishedCluster(home)
  if (fs.existsSync(unfinished)) await clearRemains(unfinished)
  dropUnfinished(home)
}

/** Runs both servers for `fill`, and puts the new cluster in the place of the old one after it; returns where that is kept. */
async function replaceBy(
  home: Home,
  binaries: { readonly older: string; readonly newer: string },
  serving: Omit<Parameters<typeof serve>[0], 'home' | 'binaries'>,
  fill: (clusters: Clusters) => Promise<void>,
): Promise<string> {
  const newHome = { ...home, cluster: unfinishedCluster(home) }
  await ensureCluster(binaries.newer, newHome, true, new AbortController().signal)
  const older = await serve({ ...serving, home, binaries: binaries.older })
  try {
    const newer = await serve({ ...serving, home: newHome, binaries: binaries.newer })
    await fill({ older, newer, newCluster: newHome.cluster }).finally(() => newer.stop())
  } finally {
    await older.stop()
  }
  return replaceCluster(home)
}

/**
 * Makes a cluster of the bundled major version from one of an earlier version, which `fill` copies. Whenever it fails or is
 * interrupted, either the old cluster is in its place, or the new one is complete. Returns where the old one is kept;
 * undefined when there is nothing to upgrade.
 */
export async function upgradeEmbedded(
  { dataDir, programs, say }: UpgradeOptions,
  fill: (clusters: Clusters) => Promise<void>,
): Promise<string | undefined> {
  if (!fs.existsSync(path.join(dataDir, 'database')))
    throw new CannotStart(`There is no embedded database in ${dataDir}.`)
  const found = openHome(dataDir, say)
  const lock = await takeLock(found.folder, dataDir)
  const home = completeUpgrade(found) ? openHome(dataDir, say) : found
  try {
    assertNotNewer(home.cluster, dataDir)
    const major = majorOf(home.cluster)
    await clearUnfinished(home)
    if (major === undefined || major === bundledMajor()) return undefined
    const old = await olderPrograms(major, programs, home, say)
    try {
      const binaries = { older: old.folder, newer: findBinaries(home.account, home.copies) }
      return await replaceBy(home, binaries, { lock, dataDir, options: { say } }, fill)
    } finally {
      old.remove()
    }
  } finally {
    await clearUnfinished(home)
    lock.release()
  }
}
