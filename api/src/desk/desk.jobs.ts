import type { JobHelpers, Task } from 'graphile-worker'
import * as z from 'zod/mini'
import { keepLedgerCheck } from '#money/ledger-check.ts'
import type { Vault } from '#platform/vault.ts'
import { keepLocked } from '#privacy/privacy.jobs.ts'
import { sendBatch } from './announcements/letters.ts'
import { type ArchiveParts, packDocuments, removeArchives } from './exports/pack-documents.ts'
import { pruneSearches } from './find.ts'
import { pruneLooks } from './looks.ts'

/** Somebody's verification; that of a night has none. */
const aboutCheck = z.object({ checkId: z.optional(z.int()) })
const aboutArchive = z.object({ archiveId: z.int() })
const aboutAnnouncement = z.object({ announcementId: z.int() })

type Bounded = (work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>) => Task

/** The jobs of the desk; each calls one service function. */
export function deskTasks(parts: ArchiveParts & { readonly vault: Vault }, bounded: Bounded) {
  const db = parts.pool.kysely
  return {
    'desk.archive': ((payload, helpers) => {
      const { archiveId } = z.parse(aboutArchive, payload)
      const { attempts, max_attempts } = helpers.job
      return keepLocked(db, helpers, packDocuments(parts, archiveId, { last: attempts >= max_attempts }))
    }) satisfies Task,
    'announcement.letters': bounded((payload) =>
      sendBatch(parts, z.parse(aboutAnnouncement, payload).announcementId),
    ),
    // All entries are read, which takes longer than other jobs may.
    'ledger.verify': ((payload, helpers) => {
      const { checkId } = z.parse(aboutCheck, payload)
      const kept = keepLedgerCheck(db, checkId, (what) => helpers.logger.error(what))
      return keepLocked(db, helpers, kept)
    }) satisfies Task,
    'desk.tend': bounded(async () => {
      await removeArchives(db, parts.clock.now())
      await pruneLooks(db, parts.clock.now())
      await pruneSearches(db, parts.clock.now())
    }),
  }
}
