import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../..')

/** Runs a command of the portal as a process, on the portal in a data folder. */
export const commandIn =
  (dataDir: string, script: string) =>
  (...args: string[]): { status: number | null; said: string } => {
    const { DATABASE_URL: _, ...inherited } = process.env
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...inherited, DATA_DIR: dataDir },
    })
    return { status, said: stdout + stderr }
  }
