import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { endWithBench } from '../support/load.ts'

/** The account for programs that refuse to run as root; undefined when this process is another's already. */
export function ordinaryAccount(name: string): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const number = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

/** A temporary folder of an account. */
export function ownedFolder(name: string, account: ReturnType<typeof ordinaryAccount>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `portico-${name}-`))
  fs.chmodSync(folder, 0o755)
  if (account) fs.chownSync(folder, account.uid, account.gid)
  return folder
}

type Program = {
  readonly command: string
  readonly args: readonly string[]
  /** Where it runs and writes; its output is appended to a file named after it. */
  readonly folder: string
  readonly account: ReturnType<typeof ordinaryAccount>
}

/** Starts a program that runs until it is killed, in a session of its own, so that Ctrl-C does not end it first. */
export function startProgram({ command, args, folder, account }: Program): ChildProcess {
  const log = fs.openSync(path.join(folder, `${path.basename(command)}.log`), 'a')
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', log, log],
    ...account,
  })
  fs.closeSync(log)
  endWithBench(child)
  return child
}

/** Kills a program as the loss of its machine does. */
export async function killProgram(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** The processes that run in a folder, as all of a PostgreSQL do in that of its data; Linux lists them. */
function processesIn(folder: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/cwd`) === folder
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Sends a signal to all processes that run in a folder. */
export function signalAllIn(folder: string, signal: NodeJS.Signals): void {
  for (const pid of processesIn(folder)) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}
