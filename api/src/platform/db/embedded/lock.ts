import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart } from '#config/env.ts'
import { birthmark, runs } from './processes.ts'

export type Lock = {
  /** False once the lock was removed or replaced by another process. */
  held: () => boolean
  release: () => void
}

type Holder = { pid: number; birthmark: string }

function readHolder(text: string): Holder | undefined {
  const [pid, mark] = text.split('\n')
  return mark === undefined || mark === '' ? undefined : { pid: Number(pid), birthmark: mark }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Removes a dead holder's lock file, unless it was replaced since it was read. */
function clear(file: string, seen: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    fs.renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  try {
    // Another start may have taken the lock between reading and renaming: restore it.
    if (fs.readFileSync(aside, 'utf8') !== seen) fs.copyFileSync(aside, file, fs.constants.COPYFILE_EXCL)
  } finally {
    fs.rmSync(aside, { force: true })
  }
}

function tryTake(file: string, content: string): boolean {
  try {
    fs.writeFileSync(file, content, { flag: 'wx', mode: 0o644 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Makes this process the only user of `folder`; returns the lock. A lock whose process is gone, or whose id
 * now belongs to another process, is stale and is replaced.
 */
export async function takeLock(folder: string, shown: string): Promise<Lock> {
  const file = path.join(folder, 'portico.lock')
  const mine = `${process.pid}\n${birthmark(process.pid)}\n`
  let emptyReads = 0
  while (!tryTake(file, mine)) {
    const seen = readIfThere(file)
    if (seen === undefined) continue
    const holder = readHolder(seen)
    // The file may be read between its creation and its first byte; a crash may also have left it empty.
    if (holder === undefined && emptyReads++ < 20) {
      await sleep(25)
      continue
    }
    if (holder !== undefined && runs(holder.pid) && birthmark(holder.pid) === holder.birthmark) {
      throw new CannotStart(
        `Portico already runs on ${shown} (process ${holder.pid}): stop that one first, or choose another folder with DATA_DIR.`,
      )
    }
    clear(file, seen)
  }
  const held = () => readIfThere(file) === mine
  const release = () => {
    if (held()) fs.rmSync(file, { force: true })
  }
  return { held, release }
}
