import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const memory = '/dev/shm'
const gigabyte = 2 ** 30
/** More than all tests keep at a time; a container often has less, and its disk is used. */
const wanted = 6 * gigabyte

/** Whether folders of tests may be kept in memory: they copy some hundred databases of a thousand files each. */
function isRoomy(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(memory)
    return bavail * bsize >= wanted && process.availableMemory() >= 2 * wanted
  } catch {
    return false
  }
}

/** Tests start programs that they put into their folders, which some systems forbid in memory. */
function runsPrograms(folder: string): boolean {
  const program = path.join(folder, 'program')
  fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  fs.rmSync(program)
  return status === 0
}

const prefix = 'portico-ci-'

const isAlive = (pid: number): boolean => {
  try {
    // Zero would ask about our own group.
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

function removeFolder(folder: string): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch {
    // What is still written to is removed by the next run.
  }
}

/** Removes the folders of runs that were killed. A database server ends by itself when its folder is gone. */
function sweep(place: string): void {
  for (const name of fs.readdirSync(place).filter((entry) => entry.startsWith(prefix)))
    if (!isAlive(Number.parseInt(name.slice(prefix.length), 10))) removeFolder(path.join(place, name))
}

/** A folder for the temporary files of all tests, in memory where there is room, and the way to remove it with what they left. */
export function scratchFolder(): { folder: string; remove: () => void } {
  for (const place of [...(isRoomy() ? [memory] : []), os.tmpdir()]) {
    sweep(place)
    const folder = fs.mkdtempSync(path.join(place, `${prefix}${process.pid}-`))
    // As the system's own: root's tests start the portal and PostgreSQL under other accounts, which put sockets here.
    fs.chmodSync(folder, 0o1777)
    const remove = () => removeFolder(folder)
    if (place !== memory || runsPrograms(folder)) return { folder, remove }
    remove()
  }
  throw new Error('There is no folder for temporary files.')
}
