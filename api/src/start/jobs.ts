import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, Logger, type Runner, run, type Task, type TaskList } from 'graphile-worker'
import type { Logger as Log } from 'pino'
import type { Connection } from '#platform/db/connection.ts'
import { installJobs } from '#platform/jobs/install.ts'
import { inTraceOfJob, traceOfLine } from '#platform/jobs/job-traces.ts'
import { closeQueuePool, queuePool } from '#platform/jobs/queue-pool.ts'
import { cronItems } from './schedule.ts'
import { type TaskParts, tasks } from './tasks.ts'

export type JobRunner = {
  /** Stops taking jobs and waits briefly for running ones; unfinished ones run again later. */
  stop(): Promise<void>
}

const atOnce = 3
const patienceMs = 2000
const restartMs = 1000

// By default the outcome of a job is written in the background: a stop would not wait for it, and a failed
// write during a database outage would be an unhandled rejection, which ends the process.
const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

function logger(log: Log): Logger {
  return new Logger((scope) => (level, message, meta) => {
    // The line of a failed job comes from its worker, which hands the job in.
    const job = meta?.job as Job | undefined
    const { taskIdentifier = job?.task_identifier, jobId = job?.id } = scope
    const about = {
      task: taskIdentifier,
      job: jobId,
      ...(jobId !== undefined && { trace_id: traceOfLine(jobId, meta?.error).id }),
      err: meta?.error,
    }
    // What a job says for people is not of the queue, whose own lines are for debugging.
    if (meta?.says !== undefined) return log.info({ ...about, ...(meta.says as object) }, message)
    // The message of a failed job repeats the stack, which `err` has.
    log[levels[level]](about, message.split('\n')[0] ?? message)
  })
}

/** Runs each job within its trace. */
function traced(list: TaskList): TaskList {
  const entries = Object.entries(list).map(([name, task]): [string, Task] => [
    name,
    (payload, helpers) => inTraceOfJob(helpers.job, payload, () => task?.(payload, helpers)),
  ])
  return Object.fromEntries(entries)
}

/**
 * Rejects when a queue that gave up has not ended soon after its last job. The runner counts the outcomes that are not written yet wrongly
 * once several could not be written, as when the database goes away under jobs, and then waits for ever.
 */
function stuck({ events }: Runner): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const watch = () =>
    setTimeout(() => reject(new Error('The job queue gave up and did not end.')), patienceMs).unref()
  events.once('pool:gracefulShutdown:complete', watch)
  events.once('pool:gracefulShutdown:error', watch)
  return promise
}

/**
 * Runs the queue until it is stopped or fails. It has its own connections: one listens permanently, and
 * requests must not wait for it.
 */
async function runQueue(
  connection: Connection,
  outside: TaskParts,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const lost = (error: Error) =>
    void (signal.aborted || log.warn({ err: error }, 'The job queue lost a connection.'))
  const pgPool = queuePool(connection, atOnce + 1, lost)
  try {
    const runner = await run({
      pgPool,
      logger: logger(log),
      noHandleSignals: true,
      concurrency: atOnce,
      preset,
      gracefulShutdownAbortTimeout: patienceMs,
      taskList: traced(tasks(outside)),
      parsedCronItems: cronItems,
    })
    // The runner's own promise reports errors during the stop.
    const stop = () => void runner.stop().catch(() => undefined)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      await Promise.race([runner.promise, stuck(runner)])
    } finally {
      signal.removeEventListener('abort', stop)
      // Of a queue that is stuck the schedule still runs, and nobody waits for its end.
      runner.promise.catch(() => undefined)
      stop()
    }
  } finally {
    await closeQueuePool(pgPool)
  }
}

/**
 * Runs the database's jobs until it is stopped. Any number of processes may do so: each job is run by one.
 * The queue waits for an unavailable database; if it fails, it is restarted.
 */
export async function startJobs(deps: TaskParts & { connection: Connection; log: Log }): Promise<JobRunner> {
  const { connection, log } = deps
  await installJobs(connection)
  const stopping = new AbortController()
  const { signal } = stopping
  const keepRunning = async () => {
    while (!signal.aborted) {
      await runQueue(connection, deps, log, signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'The job queue failed and is restarting.')
      })
      await sleep(restartMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const ended = keepRunning()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([ended, sleep(patienceMs + 800, undefined, { ref: false })])
    },
  }
}

type Stop = () => Promise<void>

const nothing: Stop = async () => undefined

/**
 * A queue that can be restarted. A restart that fails, such as while the database is away, is retried in the background until it
 * succeeds.
 */
export async function restartable(
  begin: () => Promise<Stop>,
  failed: (error: unknown) => void,
): Promise<{ again: Stop; stop: Stop }> {
  let end = await begin()
  let isOver = false
  let next: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const beginAgain = async () => {
    clearTimeout(next)
    if (isOver) return
    await end()
    end = nothing
    end = await begin()
  }
  const again = () => {
    last = last.then(beginAgain).catch((error: unknown) => {
      failed(error)
      next = setTimeout(again, restartMs)
    })
    return last
  }
  const stop = async () => {
    isOver = true
    await last
    clearTimeout(next)
    await end()
  }
  return { again, stop }
}
