import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const onLinux = process.platform === 'linux'

/** Whether a process with this id can be signalled; true for a zombie too. */
export function answers(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function ps(pid: number, column: string): string {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

function readOrEmpty(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * The state letter and start time of a process from /proc; the name before them may hold spaces and brackets.
 */
function stat(pid: number): { state: string; ticks: string } | undefined {
  const text = readOrEmpty(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return text === '' ? undefined : { state: fields[0] ?? '', ticks: fields[19] ?? '' }
}

/** Whether the process runs. A zombie has ended; only its parent has not collected it. */
export function runs(pid: number): boolean {
  if (!answers(pid)) return false
  return !(onLinux ? (stat(pid)?.state ?? 'Z') : ps(pid, 'stat')).startsWith('Z')
}

/**
 * Distinguishes a process from a later one with the same id: its start time, on Linux with the boot id. Empty
 * when there is no such process.
 */
export function birthmark(pid: number): string {
  if (!onLinux) return ps(pid, 'lstart')
  const ticks = stat(pid)?.ticks
  return ticks === undefined ? '' : `${readOrEmpty('/proc/sys/kernel/random/boot_id').trim()}/${ticks}`
}

function commandLine(pid: number): string {
  return onLinux ? readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') : ps(pid, 'command')
}

/** Whether the process is a PostgreSQL server process of the cluster in this folder. */
function serves(pid: number, cluster: string): boolean {
  if (!runs(pid)) return false
  if (!onLinux) return commandLine(pid).includes(cluster)
  try {
    // Every PostgreSQL process has the data folder as its working directory; a backend's command line no
    // longer names it.
    return (
      fs.readlinkSync(`/proc/${pid}/cwd`) === cluster &&
      readOrEmpty(`/proc/${pid}/comm`).startsWith('postgres')
    )
  } catch {
    return false
  }
}

/** The running server processes of a cluster, with the postmaster if it runs. */
export function serversOf(cluster: string): { postmaster: number | undefined; others: number[] } {
  const written = Number.parseInt(readOrEmpty(path.join(cluster, 'postmaster.pid')), 10)
  const postmaster = written > 0 && serves(written, cluster) ? written : undefined
  const pids = onLinux ? fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  const others = pids.map(Number).filter((pid) => pid !== postmaster && serves(pid, cluster))
  return { postmaster, others }
}

/** The processes that are creating a cluster in this folder: initdb, and the servers it runs briefly. */
export function makersOf(folder: string): number[] {
  const pids = onLinux ? fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return pids.map(Number).filter((pid) => commandLine(pid).includes(folder) || serves(pid, folder))
}

/** A signal, and its time to take effect in milliseconds. */
export type Step = [NodeJS.Signals, number]

/** Sends the signals one after another, each with its time limit, until none of the processes runs. */
export async function end(pids: number[], steps: Step[]): Promise<void> {
  for (const [signal, patience] of steps) {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch {
        // The process ended in the meantime.
      }
    }
    const deadline = performance.now() + patience
    while (pids.some(runs)) {
      if (performance.now() > deadline) break
      await sleep(10)
    }
    if (!pids.some(runs)) return
  }
}
