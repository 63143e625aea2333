import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { kindOf } from '../../api/src/platform/db/schema/migration-files.ts'
import { linkModules } from '../../api/test/support/portal-process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const migrations = 'api/src/platform/db/migrations'
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim()

/** A version of the portal: its commit, the objects of its migrations by their file names, and where its server is. */
export type Release = {
  readonly commit: string
  readonly migrations: ReadonlyMap<string, string>
  readonly checkout: string
}

function migrationsOf(commit: string): Map<string, string> {
  const lines = git('ls-tree', commit, `${migrations}/`).split('\n')
  const entries = lines.flatMap((line) => {
    const [, object = '', file = ''] = /^\d+ blob (\S+)\t(.*)$/.exec(line) ?? []
    return file.endsWith('.sql') ? [[path.basename(file, '.sql'), object] as const] : []
  })
  return new Map(entries)
}

/** The migrations that the next release adds. */
export const addedBy = (next: Release, { migrations: before }: Release): string[] =>
  [...next.migrations.keys()].filter((name) => !before.has(name))

/** Whether a release keeps running while the next one migrates, which is what a rolling deploy needs. */
function runsBeside(before: Release, next: Release): boolean {
  const added = addedBy(next, before)
  const isKept = [...before.migrations].every(([name, object]) => next.migrations.get(name) === object)
  const isExpand = (name: string) =>
    kindOf(git('cat-file', 'blob', next.migrations.get(name) ?? '')) === 'expand'
  return isKept && added.length > 0 && added.every(isExpand)
}

/** Puts the server of a commit into a folder, with the packages of this checkout. */
function checkOut(commit: string, folder: string): void {
  fs.mkdirSync(folder)
  const archive = path.join(folder, 'release.tar')
  git('archive', '--output', archive, commit, 'package.json', 'api', 'contract')
  execFileSync('tar', ['--extract', '--file', archive, '--directory', folder])
  fs.rmSync(archive)
  linkModules(folder)
}

/** Whether all modules of a server are found; the sources of some commits lack a file that a later one brought. */
function loads(checkout: string): boolean {
  const code = `await import(${JSON.stringify(path.join(checkout, 'api/src/start/portal.ts'))}); process.exit()`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', code]).status === 0
}

/**
 * The last releases, oldest first, of which each adds migrations to the one before, with their servers in a folder. Until
 * versions are tagged that often, they are the commits before those that add migrations. Commits whose migration was
 * changed later, or whose server does not load, make one release with those after them.
 */
export function lastReleases(many: number, folder: string): Release[] {
  const chain: Release[] = []
  const commits = git('log', '--format=%H', '--', migrations).split('\n')
  for (const name of ['HEAD', ...commits.map((commit) => `${commit}^`)]) {
    const commit = git('rev-parse', name)
    const release = {
      commit,
      migrations: migrationsOf(commit),
      checkout: path.join(folder, commit.slice(0, 8)),
    }
    const [next] = chain
    if (next && !runsBeside(release, next)) continue
    checkOut(commit, release.checkout)
    if (!loads(release.checkout)) continue
    chain.unshift(release)
    if (chain.length === many) return chain
  }
  throw new Error(`The history has only ${chain.length} releases that a rolling deploy can go through.`)
}

/** The short name of a release. */
export const nameOf = ({ commit }: Release): string => commit.slice(0, 8)
