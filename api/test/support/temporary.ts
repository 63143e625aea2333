import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** An empty folder that every account can enter, and the way to remove it. */
export function temporaryFolder(name = 'folder'): { folder: string; remove: () => void } {
  const outer = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-it-'))
  fs.chmodSync(outer, 0o755)
  const folder = path.join(outer, name)
  fs.mkdirSync(folder)
  return { folder, remove: () => fs.rmSync(outer, { recursive: true, force: true, maxRetries: 5 }) }
}

/**
 * Milliseconds after which something hangs, even on a machine that is busy with other tests. How fast a start, a stop and a
 * return after a crash are is measured by `npm run bench:start`, which has the machine to itself.
 */
export const hung = 25_000

/** Asks until there is an answer, and returns it with how many milliseconds that took. */
export async function until<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  patience = 30_000,
): Promise<{ value: T; took: number }> {
  const begun = performance.now()
  for (;;) {
    const value = await ask()
    const took = performance.now() - begun
    if (value !== undefined && value !== false) return { value, took }
    if (took > patience) throw new Error(`Nothing came within ${patience} ms.`)
    await sleep(10)
  }
}
