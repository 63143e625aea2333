import http from 'node:http'
import net from 'node:net'
import type { Connection } from './db/connection.ts'
import { startEmbedded } from './db/embedded.ts'
import { reachDatabase } from './db/external.ts'
import { migrate } from './db/migrate.ts'
import { tokenSecret } from './db/token-secret.ts'
import { CannotStart, type Env } from './env.ts'
import { ensureWebBuilt } from './web-build.ts'

/** How a start speaks, and how it is told to give up. */
export type Surroundings = {
  /** Tells the person at the terminal. */
  say: (text: string) => void
  /** Receives each line that the embedded PostgreSQL logs. */
  log: (line: string) => void
  signal: AbortSignal
}

export type Portal = {
  /** How long each step took, in milliseconds; the database and the browser app are prepared at the same time. */
  timings: Record<string, number>
  /** Answers what was begun, then ends everything that the start began. */
  stop: () => Promise<void>
}

type Opened = { connection: Connection; stop: () => Promise<void> }

function portTaken(env: Env, error: Error & { code?: string }): CannotStart {
  const other = env.port === 65_535 ? 3000 : env.port + 1
  const choose = `Choose another one, for example: PORT=${other} npm start`
  if (error.code === 'EADDRINUSE') return new CannotStart(`Port ${env.port} is taken by another program. ${choose}`)
  if (error.code === 'EACCES') return new CannotStart(`Port ${env.port} may not be used by this user. ${choose}`)
  return new CannotStart(`Cannot listen on ${env.host} port ${env.port}: ${error.message}`)
}

async function listen(server: net.Server, env: Env): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portTaken(env, error)))
    server.listen(env.port, env.host, resolve)
  })
}

/** Finds a taken port out at once, before the database and the browser app have cost their seconds. */
async function assertPortFree(env: Env): Promise<void> {
  const probe = net.createServer()
  await listen(probe, env)
  await new Promise((resolve) => probe.close(resolve))
}

async function openDatabase(env: Env, around: Surroundings, onLocked: () => void): Promise<Opened> {
  if (env.databaseUrl === undefined) return startEmbedded({ dataDir: env.dataDir, onLocked, ...around })
  onLocked()
  const connection = await reachDatabase(env.databaseUrl, around.say, around.signal)
  return { connection, stop: async () => undefined }
}

/** Waits for all; when one fails the others are told to give up, and the first failure counts. */
async function together(giveUp: AbortController, tasks: Promise<unknown>[]): Promise<void> {
  const watched = tasks.map((task) => task.catch((error: unknown) => giveUp.abort(error)))
  await Promise.all(watched)
  giveUp.signal.throwIfAborted()
}

/** Fills an empty database with the demo, through the services. */
async function seed(_env: Env, _connection: Connection): Promise<void> {}

/** Opens the application on its port. */
async function openApp(env: Env, _connection: Connection, _tokenSecret: string): Promise<() => Promise<void>> {
  const server = http.createServer((_, response) => response.end('Portico\n'))
  await listen(server, env)
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function stopwatch(timings: Record<string, number>) {
  return async <T>(step: string, work: Promise<T>): Promise<T> => {
    const begun = performance.now()
    try {
      return await work
    } finally {
      timings[step] = Math.round(performance.now() - begun)
    }
  }
}

/** Starts everything that the portal consists of; when any of it fails, the rest is ended before this rejects. */
export async function startPortal(env: Env, around: Surroundings): Promise<Portal> {
  const timings: Record<string, number> = {}
  const timed = stopwatch(timings)
  const giveUp = new AbortController()
  const signal = AbortSignal.any([around.signal, giveUp.signal])
  const opened: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  const ours = Promise.withResolvers<void>()
  let database: Opened | undefined
  const prepareDatabase = async () => {
    database = await timed('database', openDatabase(env, { ...around, signal }, ours.resolve)).catch((error: unknown) => {
      ours.reject(error)
      throw error
    })
    opened.push(database.stop)
    await timed('schema', migrate(database.connection))
    if (env.seed === 'demo') await timed('demo', seed(env, database.connection))
  }
  const prepareWeb = async () => {
    // Nothing is built or tried before the folder is ours: a second start must not disturb the first.
    await ours.promise
    await assertPortFree(env)
    await timed('browser app', ensureWebBuilt(around.say, signal))
  }
  try {
    await together(giveUp, [prepareDatabase(), prepareWeb()])
    signal.throwIfAborted()
    if (database === undefined) throw new Error('The database was prepared, but it is not there.')
    const secret = await tokenSecret(env, database.connection)
    opened.push(await timed('application', openApp(env, database.connection, secret)))
    return { timings, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
