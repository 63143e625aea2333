import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// Starts and kills what chaos kills.

const folder = path.dirname(import.meta.dirname)
const { ENGINE_DIR = '/var/lib/portico-engine', LXD_DIR = '/var/lib/lxd' } = process.env

export const victims = ['main', 'main', 'main', 'lxd', 'dns', 'portal'] as const
export type Victim = (typeof victims)[number]

/** The engine, kept running. */
export class Processes {
  #main: ChildProcess | undefined
  output = ''

  async startMain(): Promise<void> {
    const child = spawn(process.execPath, [path.join(folder, 'main.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#main = child
    const { promise, resolve } = Promise.withResolvers<void>()
    child.once('exit', () => resolve())
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.output = `${this.output}${chunk}`.slice(-20_000)
        if (String(chunk).includes('The engine is ready')) resolve()
      })
    await promise
  }

  endMain(): void {
    this.#main?.kill('SIGKILL')
  }

  /** Kills, waits a moment, and starts again as a supervisor would. */
  async kill(victim: Exclude<Victim, 'portal'>, pauseMs: number): Promise<void> {
    if (victim === 'main') {
      this.endMain()
      await sleep(pauseMs)
      return this.startMain()
    }
    const file = victim === 'lxd' ? `${ENGINE_DIR}/lxd.pid` : `${ENGINE_DIR}/pdns/pid`
    process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
    await sleep(pauseMs)
    // The workers go on asking meanwhile. What is not up in time on a busy machine is started again, as a supervisor does.
    for (let left = 2; ; left--) {
      const up = spawn(path.join(folder, 'host/up.sh'), { timeout: 90_000, stdio: 'ignore' })
      const [status] = await once(up, 'exit')
      if (status === 0) return
      console.log(`${victim} was not up in time`)
      if (left === 0) throw new Error(`${victim} did not come back`)
    }
  }
}

const linesOf = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { encoding: 'utf8', timeout: 20_000 }).stdout.split('\n').filter(Boolean)

/** What is left on the host of panels that are gone, of five kinds. */
export function orphans(bridges: string, prefix: string): string[] {
  const projects = linesOf('lxc', ['project', 'list', '--format', 'csv']).filter((line) =>
    line.startsWith(prefix),
  )
  const networks = linesOf('lxc', ['network', 'list', '--format', 'csv']).filter((line) =>
    line.startsWith(bridges),
  )
  const links = linesOf('ip', ['-br', 'link']).filter((line) => line.startsWith(bridges))
  const pairs = linesOf('ip', ['-br', 'link']).filter((line) => /^veth\S+ +DOWN +00:16:3e/.test(line))
  const servers = linesOf('pgrep', ['-af', `dnsmasq.*--interface=${bridges}`])
  const monitors = linesOf('pgrep', ['-af', `lxc monitor. ${LXD_DIR}`])
  return [...projects, ...networks, ...links, ...pairs, ...servers, ...monitors]
}
