import { setTimeout as sleep } from 'node:timers/promises'
import type { JobHelpers, Task, TaskList } from 'graphile-worker'
import * as z from 'zod/mini'
import { type CheckParts, runChecks } from '#desk/checks/kept-checks.ts'
import { deskTasks } from '#desk/desk.jobs.ts'
import { evaluateBalances, evaluateOne } from '#money/balance/balances.ts'
import { type InvoiceJobParts, invoiceTasks } from '#money/invoices/invoices.jobs.ts'
import { checkBillingLog } from '#money/ledger-check.ts'
import { mergeCounts } from '#money/merge-counts.ts'
import { type PaymentJobParts, paymentTasks } from '#money/payments/payments.jobs.ts'
import { announcePrices } from '#money/pricing/notices/announce-prices.ts'
import { noticeTraffic } from '#money/pricing/notices/notice-traffic.ts'
import { fillReports } from '#money/reports/fill-reports.ts'
import { type TaxOfficeJobParts, taxOfficeTasks } from '#money/tax-office/tax-office.jobs.ts'
import { type LetterParts, pruneLetters, sendLetter } from '#notifications/send-letters.ts'
import { archiveNightly, type NightlyParts } from '#platform/backup/nightly.ts'
import type { Database } from '#platform/db/pool.ts'
import { enqueue, type Jobs } from '#platform/jobs/enqueue.ts'
import { longestJobMs } from '#platform/jobs/release-jobs.ts'
import type { DataExportParts } from '#privacy/data-exports.ts'
import { accountTasks, keepLocked } from '#privacy/privacy.jobs.ts'
import { fileTasks } from '#privacy/stored-files/stored-files.jobs.ts'
import type { Sweeper } from '#privacy/stored-files/sweep-files.ts'
import { endExpired } from '#sharing/permission-end.ts'
import { staffTasks } from '#staff/staff.jobs.ts'
import type { FileRemoval } from '#tickets/files/files.ts'
import { fetchMail, type InboundMailParts, pruneInbox, readInbox } from '#tickets/inbound/mail-in.ts'
import { ticketTasks } from '#tickets/tickets.jobs.ts'
import { alertUnpriced } from '#usage/alerts.ts'
import { archiveUsage, type UsageArchiveParts } from '#usage/archives/archive.ts'
import { chargeDueDays, maintainPartitions, rateUsage } from '#usage/charging.ts'
import { requestRating } from '#usage/ingest.ts'
import { feedPlans } from '#usage/plan-feed.ts'
import type { Outside } from '#workspaces/engines/panel-engines.ts'
import { panelTasks } from '#workspaces/engines/panels.jobs.ts'
import { beginDueAssignments } from '#workspaces/plans/assigned-plans.ts'

/** Scheduled jobs, which no fact triggers. */
export type Scheduled =
  | 'database.archive'
  | 'engines.check'
  | 'engines.forget'
  | 'panels.sync'
  | 'jobs.release'
  | 'jobs.watch'
  | 'staff.missed-alerts'
  | 'staff.digest'
  | 'permissions.expire'
  | 'mail.fetch'
  | 'mail.prune'
  | 'files.collect'
  | 'files.sweep'
  | 'tickets.close'
  | 'tickets.sla'
  | 'tickets.access'
  | 'ledger.verify'
  | 'balances.evaluate'
  | 'balances.evaluate-all'
  | 'invoice.month-close'
  | 'invoice.age'
  | 'vat.recheck'
  | 'fx.fetch'
  | 'payments.poll'
  | 'payments.reconcile'
  | 'payments.tend'
  | 'keys.prune'
  | 'plans.feed'
  | 'plans.assign'
  | 'plans.traffic'
  | 'prices.announce'
  | 'tax-office.send'
  | 'tax-office.follow'
  | 'tax-office.search'
  | 'tax-office.watch'
  | 'usage.rate'
  | 'usage.charge-day'
  | 'usage.partitions'
  | 'usage.archive'
  | 'billing-log.check'
  | 'checks.run'
  | 'privacy.tend'
  | 'desk.tend'
  | 'reports.fill'
  | 'counts.merge'

const aboutClient = z.object({ clientId: z.int() })
const aboutLetter = z.object({ letterId: z.int() })
const aboutMail = z.object({ mailId: z.int() })

/** Ends a job that hangs or blocks a stop; it is retried in either case. */
function bounded(work: (payload: unknown, helpers: JobHelpers) => Promise<unknown>): Task {
  return async (payload, helpers) => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Error(`took longer than ${longestJobMs} ms`)),
      longestJobMs,
    )
    try {
      await Promise.race([work(payload, helpers), late.promise, helpers.abortPromise])
    } finally {
      clearTimeout(timer)
    }
  }
}

const letterOf = (payload: unknown): number => z.parse(aboutLetter, payload).letterId
const mailOf = (payload: unknown) => z.parse(aboutMail, payload).mailId

const tryOf = ({ job }: JobHelpers) => ({ last: job.attempts >= job.max_attempts })

// Engines send many messages at once: a short wait combines their rating, still within a second.
const gatherMs = 200
// Shorter than the limit of a job; the next one continues with the rest.
const longestRunMs = 15_000

async function rate(db: Database, logger: JobHelpers['logger']): Promise<void> {
  await sleep(gatherMs)
  const { unfinished } = await rateUsage(db, performance.now() + longestRunMs)
  if (unfinished) await requestRating(db)
  await alertUnpriced(db, (what) => logger.warn(what))
}

/** Charges until a time limit, and queues another job for the rest. */
async function chargeDays(db: Database): Promise<void> {
  // In the transaction of the charges, so that a killed process leaves no balance unevaluated.
  const look = (tx: Database) => enqueue(tx, 'balances.evaluate', {}, { key: 'balances.evaluate' })
  const { unfinished } = await chargeDueDays(db, look)
  if (unfinished) await enqueue(db, 'usage.charge-day', {}, { key: 'usage.charge-day' })
}

async function fetchAll(room: InboundMailParts, logger: JobHelpers['logger']): Promise<void> {
  const { tooLarge } = await fetchMail(room)
  if (tooLarge > 0) logger.warn(`${tooLarge} mails are too large, and are flagged in the mailbox.`)
}

/** What the jobs need of the portal. */
export type TaskParts = Outside &
  LetterParts &
  FileRemoval &
  InboundMailParts &
  PaymentJobParts &
  InvoiceJobParts &
  TaxOfficeJobParts &
  DataExportParts &
  UsageArchiveParts &
  NightlyParts &
  Sweeper &
  CheckParts

/** The jobs; each calls one service function. A job without its line does not compile. */
export function tasks(outside: TaskParts): TaskList {
  const db = outside.pool.kysely
  const each: Record<keyof Jobs | Scheduled, Task> = {
    ...panelTasks(outside, bounded),
    'database.archive': (_, helpers) => keepLocked(db, helpers, archiveNightly(outside)),
    'mail.send': bounded((payload, helpers) => sendLetter(outside, letterOf(payload), tryOf(helpers))),
    'permissions.expire': bounded(() => endExpired(db, outside.clock.now())),
    'balance.evaluate': bounded((payload) => evaluateOne(outside, z.parse(aboutClient, payload).clientId)),
    'balances.evaluate': bounded(() => evaluateBalances(outside, { byTime: false })),
    'balances.evaluate-all': bounded(() => evaluateBalances(outside, { byTime: true })),
    'ticket.mail-in': bounded((payload, { job }) => readInbox(outside, mailOf(payload), job.attempts)),
    'mail.fetch': bounded((_, { logger }) => fetchAll(outside, logger)),
    'mail.prune': bounded(async () => {
      await pruneLetters(outside, outside.clock.now())
      await pruneInbox(db, outside.clock.now())
    }),
    ...paymentTasks(outside, bounded),
    ...invoiceTasks(outside, bounded),
    ...taxOfficeTasks(outside, bounded),
    ...accountTasks(outside, bounded),
    ...deskTasks(outside, bounded),
    ...fileTasks(outside, bounded),
    ...ticketTasks(outside, bounded),
    ...staffTasks(outside, bounded),
    'plans.feed': bounded(() => feedPlans(db)),
    'plans.assign': bounded(() => beginDueAssignments(outside)),
    'plans.traffic': bounded(() => noticeTraffic(outside)),
    'prices.announce': bounded(() => announcePrices(outside)),
    'usage.rate': bounded((_, { logger }) => rate(db, logger)),
    'usage.charge-day': bounded(() => chargeDays(db)),
    'usage.partitions': bounded(() => maintainPartitions(db)),
    'usage.archive': (_, helpers) => keepLocked(db, helpers, archiveUsage(outside)),
    'reports.fill': (_, helpers) => keepLocked(db, helpers, fillReports(db)),
    'counts.merge': bounded(() => mergeCounts(db)),
    'checks.run': bounded(() => runChecks(outside)),
    'billing-log.check': bounded((_, { logger }) => checkBillingLog(db, (what) => logger.error(what))),
  }
  // The release before schedules it, and may leave one behind.
  return { ...each, 'installation.alive': async () => undefined }
}
