import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { CannotStart } from '#config/env.ts'
import { type Account, nobody, reachable } from './binaries.ts'

/** The location of one embedded database, and the account of its server. */
export type Home = {
  /** The folder with all files of the database, with links resolved, so that one database has one lock. */
  folder: string
  /** PostgreSQL's own data folder inside it. */
  cluster: string
  account: Account
  /** The account that must own new files of the server. */
  copies: string
}

/** The location that the server's account can reach when root keeps the project in a closed folder. */
const sharedPlace = '/var/lib/portico'

const asRoot = process.getuid?.() === 0

function create(folder: string): void {
  // Root's folders are traversable for the server's account; only that account can read the cluster inside.
  fs.mkdirSync(folder, { recursive: true, mode: asRoot ? 0o711 : 0o700 })
}

/**
 * Chooses another place for a database that does not exist yet when its folder is closed to the server, and
 * links to it.
 */
function placeInSharedFolder(link: string, say: (text: string) => void): void {
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
    // A concurrent start was faster: its link is used.
    fs.rmdirSync(elsewhere)
  }
}

function resolved(link: string): string {
  try {
    return fs.realpathSync(link)
  } catch {
    throw new CannotStart(
      `${link} leads to ${fs.readlinkSync(link)}, which is gone: bring that folder back, or remove the link to start with an empty database.`,
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

/**
 * Finds or chooses the home of the database of `dataDir`, in a folder that the server's account can reach.
 */
export function openHome(dataDir: string, say: (text: string) => void): Home {
  const link = path.join(dataDir, 'database')
  try {
    create(dataDir)
    fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK)
    if (!fs.lstatSync(link, { throwIfNoEntry: false })) {
      if (asRoot && !reachable(dataDir, nobody)) placeInSharedFolder(link, say)
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

/**
 * The longest folder path of a Unix socket on the strictest supported system, without the socket's own name.
 */
const longestSocketFolder = 103 - '/.s.PGSQL.5432'.length

/**
 * A folder for the server's socket that only its account can enter, because anyone who reaches the socket can
 * connect. The cluster's own folder when its path is short enough, else a new one in the temporary folder.
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
