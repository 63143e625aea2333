import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export type Load = {
  readonly rps: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

const autocannon = fileURLToPath(import.meta.resolve('autocannon'))

type Measured = {
  requests: { average: number }
  latency: { p50: number; p99: number }
  non2xx: number
  errors: number
  statusCodeStats: Readonly<Record<string, { readonly count: number }>>
}

/** Runs the load generator in a process of its own. */
async function cannon(url: string, token: string, options: readonly string[]): Promise<Measured> {
  const child = spawn(
    process.execPath,
    [autocannon, '-j', ...options, '-H', `authorization=Bearer ${token}`, url],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  await new Promise((resolve) => child.once('exit', resolve))
  return JSON.parse(out)
}

/**
 * Requests one address over `connections` for `seconds`; latencies in milliseconds. `rate`: so many requests
 * a second instead of as many as possible.
 */
export async function load(
  url: string,
  token: string,
  connections: number,
  seconds: number,
  rate?: number,
): Promise<Load> {
  const limited = rate === undefined ? [] : ['-R', String(rate)]
  const { requests, latency, non2xx, errors } = await cannon(url, token, [
    '-c',
    String(connections),
    '-d',
    String(seconds),
    ...limited,
  ])
  return { rps: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors }
}

/** Requests one address so many times, over 32 connections; returns the number of failures. */
export async function requests(url: string, token: string, many: number): Promise<number> {
  const { non2xx, errors } = await cannon(url, token, ['-c', '32', '-a', String(many)])
  return non2xx + errors
}

/** As `requests`, but returns how often each status was answered, and `none` for what had no answer. */
export async function statuses(url: string, token: string, many: number): Promise<Map<string, number>> {
  const { statusCodeStats, errors } = await cannon(url, token, ['-c', '32', '-a', String(many)])
  const counts = Object.entries(statusCodeStats).map(([status, { count }]): [string, number] => [
    status,
    count,
  ])
  return new Map([...counts, ['none', errors]])
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No port is free.')
  return address.port
}

const running = new Set<ChildProcess>()
let watching = false

/** Ends a server together with the bench, also when it fails or is stopped, because nothing else would. */
export function endWithBench(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
  if (watching) return
  watching = true
  process.once('exit', () => {
    for (const one of running) one.kill()
  })
  // Without listeners a signal ends a process at once, without its exit handlers.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
}

/** Ends servers as an operator does, and waits until they have exited. */
export async function endServers(...children: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }),
  )
}

/**
 * Starts a server of the bench and waits until it prints `ready`. Its output is shown only when it exits too
 * early.
 */
export async function serverProcess(
  file: string,
  env: Record<string, string>,
  ready: string,
  flags: readonly string[] = [],
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...flags, path.resolve(import.meta.dirname, '..', file)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  endWithBench(child)
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4000)
  })
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}: ${complaints}`)
    const answer = await fetch(ready).catch(() => undefined)
    if (answer && answer.status < 500) return child
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill()
  throw new Error(`${file} did not answer: ${complaints}`)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
