import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import { keepLocked } from '#privacy/privacy.jobs.ts'
import { collectFiles } from '#tickets/files/files.ts'
import { type Sweeper, sweepFiles } from './sweep-files.ts'

const aboutFile = z.object({ key: z.string() })

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

/** The jobs of stored files; each calls one service function. */
export function fileTasks(parts: Sweeper & { readonly clock: { now(): Date } }, bounded: Bounded) {
  const { pool, clock, storage } = parts
  return {
    'file.remove': bounded((payload) => storage.remove(z.parse(aboutFile, payload).key)),
    'files.collect': bounded(() => collectFiles(pool.kysely, clock.now())),
    'files.sweep': ((_, helpers) =>
      keepLocked(
        pool.kysely,
        helpers,
        sweepFiles(parts, clock.now(), (what) => helpers.logger.warn(what)),
      )) satisfies Task,
  }
}
