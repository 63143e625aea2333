import type { Logger } from 'pino'
import type { Env } from '#config/env.ts'
import { openDemoOffice } from '#demo/operator/tax-office.ts'
import { bringPeople } from '#demo/people.ts'
import { paymentsOf } from '#money/payments/payments.routes.ts'
import { noteOffice, officesOf } from '#money/tax-office/configured-office.ts'
import { markStopped, signLife, startsAsCopy } from '#platform/acts-as.ts'
import { migrateSafely } from '#platform/backup/kept-archives.ts'
import { systemClock } from '#platform/clock.ts'
import type { Connection } from '#platform/db/connection.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { reachDatabase, reachPooler } from '#platform/db/external.ts'
import { allowedHosts } from '#platform/egress.ts'
import { refuse } from '#platform/errors/problem.ts'
import { filePartsOf } from '#platform/files/file-parts.ts'
import { drain } from '#platform/http/connections/drain.ts'
import { assertInstallation } from '#platform/installation.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { openVault } from '#platform/open-vault.ts'
import { followSettings } from '#platform/settings/settings.ts'
import { sweepIncoming } from '#privacy/stored-files/sweep-files.ts'
import { engineAdapters } from '#workspaces/engines/adapters.ts'
import { ensureBuiltInSecret } from '#workspaces/engines/registry.ts'
import { offerSimulated } from '#workspaces/engines/simulated/offered.ts'
import { buildApp } from './app.ts'
import { openPools } from './pools.ts'
import { assertPortFree, cannotListen } from './port.ts'
import { setupLinkOf } from './setup-link.ts'
import { startWatching } from './watching.ts'
import { ensureWebBuilt, webDist } from './web-build.ts'
import { ownOrigin, type Prepared, type Services, startWork, vatOfficeOf } from './work.ts'

/** The options of a start. */
export type IdentityEnv = {
  /** The variables. */
  source: Readonly<Record<string, string | undefined>>
  /** Writes a message to the person at the terminal. */
  say: (text: string) => void
  log: Logger
  signal: AbortSignal
}

export type Portal = {
  /**
   * The duration of each step in milliseconds; the database and the browser app are prepared concurrently.
   */
  timings: Record<string, number>
  /** The link for the first administrator, while the portal has none. */
  setupLink: string | undefined
  /** Finishes open requests, then stops everything that the start began. */
  stop: () => Promise<void>
}

/** Shared by the steps of one start. */
type Start = IdentityEnv & {
  env: Env
  /** Measures a step. */
  timed: <T>(step: string, work: Promise<T>) => Promise<T>
  /** Resources to close, in the order of opening. */
  opened: (() => Promise<void>)[]
  /** The jobs and what they use, which stop while the open requests are finished: together both would take too long. */
  work: (() => Promise<void>)[]
}

/** Closes all, the last first; then throws what the first failure was. */
async function closeAll(opened: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of opened.splice(0).reverse()) await close().catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function openDatabase(
  { env, say, log, signal, opened }: Start,
  onLocked: () => void,
): Promise<Connection> {
  const { databaseUrl, databaseDirectUrl } = env
  if (databaseUrl !== undefined) {
    onLocked()
    return reachDatabase({ databaseUrl, databaseDirectUrl }, say, signal)
  }
  const logLine = (line: string) => log.debug({ postgres: line }, 'postgres')
  const embedded = await startEmbedded({ dataDir: env.dataDir, say, log: logLine, signal, onLocked })
  opened.push(embedded.stop)
  return embedded.connection
}

async function prepareDatabase(start: Start, onLocked: () => void): Promise<Prepared> {
  const { env, say, signal, log, timed, opened } = start
  const connection = await timed('database', openDatabase(start, onLocked))
  const applied = await timed('schema', migrateSafely(env, connection, { say, signal }))
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  await assertInstallation(env, connection)
  const isCopy = await startsAsCopy(env, connection, say)
  await timed('job queue', installJobs(connection))
  const { secret, vault } = await openVault(env, connection)
  const pooler =
    env.databaseUrl !== undefined && env.databaseDirectUrl !== undefined
      ? await timed('pooler', reachPooler(env.databaseUrl, say, signal))
      : undefined
  const { pool, reads } = openPools(env, pooler ?? connection, log)
  opened.push(() => pool.close())
  // A database that is away knows nothing of the stop, and the portal stops all the same.
  const markStop = () =>
    markStopped(pool.kysely, env).catch((err: unknown) => log.warn({ err }, 'stop not recorded'))
  if (!isCopy)
    opened.push(
      markStop,
      signLife(pool.kysely, (err) => log.warn({ err }, 'sign of life not written')),
    )
  opened.push(() => reads.close())
  const allowed = allowedHosts(env.engineAllowedHosts)
  const engines = engineAdapters({ clock: systemClock, ...env, allowed })
  opened.push(engines.close)
  await offerSimulated(pool.kysely, env.simulatedEngine)
  await ensureBuiltInSecret({ db: pool.kysely, vault })
  const settings = await followSettings(start.source, { tokenSecret: secret }, { pool, vault, log })
  opened.push(async () => settings.stop())
  const { env: current, onChange } = settings
  return { env: current, settings, onChange, connection, pool, reads, secret, vault, engines, isCopy }
}

async function prepareWeb({ env, say, signal, timed }: Start, ours: Promise<void>): Promise<void> {
  // Waits for the folder's lock before anything is tried or built: a second start must not disturb the first.
  await ours
  await assertPortFree(env)
  await timed('browser app', ensureWebBuilt(say, signal))
}

/** Opens the application on its port. Pages are served at once, data as soon as `filled` resolves. */
async function openApp(
  { log, opened, work }: Start,
  { env, settings, pool, reads, engines, isCopy }: Prepared,
  { files, payments, offices }: Services,
  filled: Promise<void>,
): Promise<void> {
  const clock = systemClock
  const vatOffice = vatOfficeOf(env)
  const services = { files, payments, vatOffice, offices, settings }
  const parts = { env, pool, reads, clock, engines, ...services, log, webDist, isCopy }
  const app = await buildApp({ ...parts, ...(env.seed === 'demo' && { filled }) })
  opened.push(async () => {
    const ended = await Promise.allSettled([drain(app), closeAll(work)])
    for (const one of ended) if (one.status === 'rejected') throw one.reason
  })
  await app.listen({ port: env.port, host: env.host }).catch((error: Error) => {
    throw cannotListen(env, error)
  })
}

/** Opens the application, and releases its data routes once the demo is seeded. */
async function openWhole(start: Start, prepared: Prepared): Promise<void> {
  const { signal, timed, log } = start
  const { env, pool, secret } = prepared
  const services = {
    files: await filePartsOf(env),
    payments: paymentsOf(env, { pool, clock: systemClock, secret }),
    offices: officesOf(env, ownOrigin(env), { clock: systemClock, secret }),
  }
  await noteOffice(pool.kysely, services.offices.taxOffice)
  const { promise: filled, resolve, reject } = Promise.withResolvers<void>()
  filled.catch(() => undefined)
  try {
    await timed('application', openApp(start, prepared, services, filled))
    const people = { ...prepared, ...services, log, signal }
    if (env.seed === 'demo') await timed('demo', bringPeople(people))
    await openDemoOffice(prepared, services.offices)
    // The demo has a brand as soon as it is filled.
    await prepared.settings.refresh()
    signal.throwIfAborted()
  } catch (error) {
    reject(refuse('unavailable'))
    throw error
  }
  resolve()
  if (prepared.isCopy) return
  // One job sweeps the bucket, but each machine has its own incomplete uploads.
  const removed = await sweepIncoming(services.files, systemClock.now())
  if (removed > 0) log.warn({ removed }, 'Removed uploads that the last stop interrupted.')
  if (env.workers) await startWork({ log, opened: start.work }, prepared, services)
  else log.info('This process runs no jobs, because WORKERS is 0.')
}

/** Waits for both; when one fails the other is aborted, and the first failure is thrown. */
async function together<T>(giveUp: AbortController, first: Promise<T>, second: Promise<unknown>): Promise<T> {
  const fail = (error: unknown) => giveUp.abort(error)
  await Promise.all([first.catch(fail), second.catch(fail)])
  giveUp.signal.throwIfAborted()
  return first
}

function stopwatch(timings: Record<string, number>): Start['timed'] {
  return async (step, work) => {
    const begun = performance.now()
    try {
      return await work
    } finally {
      timings[step] = Math.round(performance.now() - begun)
    }
  }
}

/** Starts all parts of the portal; when one fails, the others are stopped before this rejects. */
export async function startPortal(env: Env, around: IdentityEnv): Promise<Portal> {
  const timings: Record<string, number> = {}
  const opened: Start['opened'] = []
  const giveUp = new AbortController()
  const signal = AbortSignal.any([around.signal, giveUp.signal])
  const start: Start = { ...around, env, signal, opened, work: [], timed: stopwatch(timings) }
  const stop = () => closeAll(opened)
  const ours = Promise.withResolvers<void>()
  try {
    opened.push(await startWatching(env, start.log))
    const database = prepareDatabase(start, ours.resolve)
    // A failure to lock the folder also stops the build.
    database.catch(ours.reject)
    const prepared = await together(giveUp, database, prepareWeb(start, ours.promise))
    signal.throwIfAborted()
    await openWhole(start, prepared)
    return { timings, stop, setupLink: await setupLinkOf(env, prepared) }
  } catch (error) {
    await stop()
    throw error
  }
}
