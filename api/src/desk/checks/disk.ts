import fs from 'node:fs/promises'
import path from 'node:path'
import type { Env } from '#config/env.ts'
import { type Finding, good, stop, warn } from './finding.ts'

const gigabyte = 1_000_000_000
// The log that PostgreSQL writes between two checkpoints takes up to one gigabyte.
const scarceBytes = 5 * gigabyte
const fullBytes = gigabyte

/** Whether so many bytes are enough for the folder of the data. */
export function judgeSpace(folder: string, freeBytes: number): Finding {
  const free = (freeBytes / gigabyte).toFixed(1)
  const en = `the disk of ${folder} has ${free} GB left`
  const ro = `discul cu ${folder} mai are ${free} GB liberi`
  if (freeBytes >= scarceBytes) return good('disk', `${en}.`, `${ro}.`)
  return freeBytes < fullBytes
    ? stop(
        'disk',
        `${en}; make room, or what clients do will soon not be stored.`,
        `${ro}; fă loc, altfel ce fac clienții nu se va mai putea salva.`,
      )
    : warn('disk', `${en}; make room or enlarge it.`, `${ro}; fă loc sau mărește-l.`)
}

/** The folder, or the nearest one above it that exists: without an embedded database it may not have been made yet. */
async function existing(folder: string): Promise<string> {
  const found = await fs.access(folder).then(
    () => true,
    () => false,
  )
  return found || path.dirname(folder) === folder ? folder : existing(path.dirname(folder))
}

/**
 * Checks the space on the disk with the data folder: the embedded database, stored files, uploads on their way. The disk of an
 * external database is watched by its own machine.
 */
export async function checkDisk({ dataDir }: Env): Promise<Finding> {
  const { bavail, bsize } = await fs.statfs(await existing(path.resolve(dataDir)))
  return judgeSpace(dataDir, bavail * bsize)
}
