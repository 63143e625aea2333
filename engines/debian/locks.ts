import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between two tries to lock a file that another process holds. */
const retryMs = 20
const sqliteBusy = 5

/** Runs what is asked under one name one after the other. */
export class Locks {
  readonly #last = new Map<string, Promise<unknown>>()
  readonly #files = new Map<string, DatabaseSync>()
  readonly #folder: string

  /** The folder is one that all processes share which are not to do the same at once. */
  constructor(folder: string) {
    this.#folder = folder
  }

  alone<T>(name: string, act: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve()
    // A failure reaches its own caller only, and those behind it go on.
    const mine = before.then(act, act)
    this.#last.set(name, mine)
    const forget = () => {
      if (this.#last.get(name) === mine) this.#last.delete(name)
    }
    mine.then(forget, forget)
    return mine
  }

  /** Like `alone`, across all engines on this host; the kernel releases the lock of a killed process. */
  aloneOnHost<T>(name: string, act: () => Promise<T>): Promise<T> {
    return this.alone(name, async () => {
      const file = this.#fileOf(name)
      while (!tryLock(file)) await sleep(retryMs)
      try {
        return await act()
      } finally {
        // An engine that ends has let go of all.
        if (file.isOpen) file.exec('rollback')
      }
    })
  }

  #fileOf(name: string): DatabaseSync {
    const known = this.#files.get(name) ?? new DatabaseSync(path.join(this.#folder, `portico-${name}.lock`))
    this.#files.set(name, known)
    return known
  }

  close(): void {
    for (const file of this.#files.values()) file.close()
  }

  /** Whether something runs under a name. */
  isBusy(name: string): boolean {
    return this.#last.has(name)
  }
}

/** Locks the file exclusively; false while another process holds the lock. */
function tryLock(file: DatabaseSync): boolean {
  try {
    file.exec('begin exclusive')
    return true
  } catch (error) {
    if (Object(error).errcode === sqliteBusy) return false
    throw error
  }
}
