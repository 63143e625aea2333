import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { CannotStart } from '#config/env.ts'
import { type Account, nobody, reachable } from './binaries.ts'

/** Where one embedded database lives, and the account that its server runs under. */
export type Home = {
  /** The folder with everything of the database; links are resolved, so that one database has one lock. */
  folder: string
  /** PostgreSQL's own data folder inside it. */
  cluster: string
  account: Account
  /** The account that new files for the server must belong to. */
  copies: string
}

/** Where root keeps what the server's account must reach, when the project's own folder is closed to it. */
const sharedPlace = '/var/lib/portico'

const asRoot = process.getuid?.() === 0

function create(folder: string): void {
  // Root's folders are passable so that the server's account gets through; the cluster inside is its alone.
  fs.mkdirSync(folder, { recursive: true, mode: asRoot ? 0o711 : 0o700 })
}

/** Moves a database that does not exist yet out of a closed folder, and leaves a link that leads to it. */
function placeElsewhere(link: string, say: (text: string) => void): void {
  fs.mkdirSync(sharedPlace, { recursive: true, mode: 0o755 })
  const elsewhere = fs.mkdtempSync(path.join(sharedPlace, 'database-'))
  fs.chmodSync(elsewhere, 0o711)
  try {
    fs.symlinkSync(elsewhere, link)
    say(
      `PostgreSQL may not run as root, and the account it runs under cannot enter ${path.dirname(link)}: ` +
        `the database is kept in ${elsewhere} (${link} leads there). Set DATA_DIR to choose another place.`,
    )
  } catch {
    // Another start was faster: its link counts.
    fs.rmdirSync(elsewhere)
  }
}

function resolved(link: string): string {
  try {
    return fs.realpathSync(link)
  } catch {
    throw new CannotStart(
      `${link} leads to ${fs.readlinkSync(link)}, which is gone: bring that folder back, or remove the link to begin anew.`,
    )
  }
}

function accountFor(cluster: string, dataDir: string): Account {
  const owner = fs.statSync(cluster, { throwIfNoEntry: false })
  if (asRoot) return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody
  if (owner && owner.uid !== process.getuid?.()) {
    throw new CannotStart(
      `The database in ${dataDir} belongs to the user with id ${owner.uid} and was probably created by root: ` +
        'start as root again, or choose another folder with DATA_DIR.',
    )
  }
  return undefined
}

/** Finds or chooses the home of the database of `dataDir`, as a folder that the server's account can reach. */
export function openHome(dataDir: string, say: (text: string) => void): Home {
  const link = path.join(dataDir, 'database')
  try {
    create(dataDir)
    fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK)
    if (!fs.lstatSync(link, { throwIfNoEntry: false })) {
      if (asRoot && !reachable(dataDir, nobody)) placeElsewhere(link, say)
      else create(link)
    }
  } catch (error) {
    throw new CannotStart(
      `The data folder ${dataDir} cannot be used (${message(error)}): choose another with DATA_DIR.`,
    )
  }
  const folder = resolved(link)
  const cluster = path.join(folder, 'postgres')
  return { folder, cluster, account: accountFor(cluster, dataDir), copies: asRoot ? sharedPlace : dataDir }
}

/** The longest path a Unix socket may have on the strictest of our systems, less the socket's own name. */
const longestSocketFolder = 103 - '/.s.PGSQL.5432'.length

/**
 * A folder for the server's socket that only its account enters, because whoever reaches the socket is let in.
 * The cluster's own folder when its path is short enough for a socket, else a new one in the temporary folder.
 */
export function socketFolder(home: Home): string {
  if (Buffer.byteLength(home.cluster) <= longestSocketFolder) return home.cluster
  const fits = (place: string) =>
    Buffer.byteLength(place) + '/portico-XXXXXX'.length <= longestSocketFolder &&
    reachable(place, home.account)
  const place = [os.tmpdir(), '/tmp'].find(fits)
  if (place === undefined)
    throw new CannotStart(`No temporary folder is short enough for a socket: set TMPDIR to /tmp.`)
  const folder = fs.mkdtempSync(path.join(place, 'portico-'))
  if (home.account) fs.chownSync(folder, home.account.uid, home.account.gid)
  return folder
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
