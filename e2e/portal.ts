import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

export type RunningPortal = {
  readonly url: string
  /** The data folder. */
  readonly folder: string
  /** The lines that its start printed. */
  readonly greeting: string
  /** Ends it and keeps its data. */
  readonly end: () => Promise<void>
  /** Ends it and removes its data. */
  readonly stop: () => Promise<void>
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

// A first start builds the browser app and makes a database.
const readyWithin = 120_000

async function ready(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The portal did not start (${why}).\n${output}`))
    const timer = setTimeout(() => fail('it took too long'), readyWithin)
    const hear = (chunk: Buffer) => {
      output += String(chunk)
      if (!output.includes('Portico is ready')) return
      clearTimeout(timer)
      resolve(output)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.on('exit', (code) => fail(`it ended with ${code}`))
  })
}

/**
 * Starts the real portal with its demo, as a newcomer does, on a port and in a folder of its own; `env` says what is
 * otherwise. With PORTAL_FILLED a demo starts from a copy of that folder, because filling it takes most of a first start.
 */
export async function startPortal(env: Readonly<Record<string, string>> = {}): Promise<RunningPortal> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portico-e2e-'))
  // In a folder that the account of PostgreSQL cannot enter, the database would stand elsewhere and not be copied.
  fs.chmodSync(folder, 0o755)
  const filled = env.SEED === 'none' ? undefined : (env.PORTAL_FILLED ?? process.env.PORTAL_FILLED)
  // Keeps the owners of files: as root, PostgreSQL runs under another account.
  if (filled) execFileSync('cp', ['-a', `${filled}/.`, folder])
  const port = await freePort()
  const url = `http://localhost:${port}`
  const { DATABASE_URL: _, HOST: __, ...inherited } = process.env
  const child = spawn('npm', ['start', '--silent'], {
    cwd: path.resolve(import.meta.dirname, '..'),
    env: {
      ...inherited,
      SEED: 'demo',
      DATA_DIR: folder,
      PORT: String(port),
      PUBLIC_URL: url,
      LOG_LEVEL: 'warn',
      // All browsers come from one address; the limits on sign-in itself are not scaled.
      RATE_LIMIT_SCALE: '1000',
      npm_config_update_notifier: 'false',
      // Hosts beyond this machine may be unreachable.
      COUNTRY_LOOKUP_URL: 'none',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = async () => {
    const ended = new Promise((resolve) => child.on('exit', resolve))
    if (child.kill('SIGTERM')) await ended
  }
  const stop = async () => {
    await end()
    fs.rmSync(folder, { recursive: true, force: true })
  }
  const greeting = await ready(child).catch(async (error: unknown) => {
    // The process may still become ready, and would then never be stopped.
    await stop()
    throw error
  })
  return { url, folder, greeting, end, stop }
}
