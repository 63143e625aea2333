import { type ParsedCronItem, parseCronItems } from 'graphile-worker'
import { rateAttempts } from '#money/invoices/rates/fx-rates.ts'
import type { Scheduled } from './tasks.ts'

const schedule: { readonly task: Scheduled; readonly match: string; readonly attempts?: number }[] = [
  { task: 'engines.check', match: '* * * * *' },
  { task: 'engines.forget', match: '*/5 * * * *' },
  { task: 'panels.sync', match: '* * * * *' },
  { task: 'jobs.release', match: '* * * * *' },
  { task: 'jobs.watch', match: '* * * * *' },
  { task: 'permissions.expire', match: '* * * * *' },
  { task: 'balances.evaluate', match: '* * * * *' },
  // After the day has been charged, and then as days pass.
  { task: 'balances.evaluate-all', match: '35 * * * *' },
  { task: 'ledger.verify', match: '0 2 * * *' },
  { task: 'mail.fetch', match: '* * * * *' },
  { task: 'mail.prune', match: '17 3 * * *' },
  { task: 'files.collect', match: '23 * * * *' },
  { task: 'files.sweep', match: '27 2 * * *' },
  { task: 'tickets.close', match: '41 * * * *' },
  { task: 'tickets.sla', match: '*/5 * * * *' },
  { task: 'tickets.access', match: '* * * * *' },
  { task: 'payments.poll', match: '* * * * *' },
  { task: 'payments.reconcile', match: '0 4 * * *' },
  { task: 'payments.tend', match: '38 * * * *' },
  { task: 'keys.prune', match: '47 * * * *' },
  { task: 'usage.rate', match: '* * * * *' },
  // The day that is over at 00:20, and every hour what was not complete then, or was missed.
  { task: 'usage.charge-day', match: '20 * * * *' },
  // At three in the morning of the first, wherever the operator is; then what could not be closed before.
  { task: 'invoice.month-close', match: '5 * * * *' },
  { task: 'invoice.age', match: '30 * * * *' },
  { task: 'vat.recheck', match: '7 * * * *' },
  // Published at about 13:00 of Bucharest or 16:00 of Frankfurt; the rest of the day finds what was missed.
  { task: 'fx.fetch', match: '20 * * * *', attempts: rateAttempts },
  { task: 'usage.partitions', match: '0 1 * * *' },
  { task: 'usage.archive', match: '12 * * * *' },
  { task: 'privacy.tend', match: '52 * * * *' },
  { task: 'billing-log.check', match: '40 3 * * 0' },
]

/** Every job that runs by the clock. */
export const scheduledTasks: readonly Scheduled[] = schedule.map(({ task }) => task)

/** The times, in UTC. However many replicas there are, each entry runs once; one that still waits is not doubled. */
export const cronItems: ParsedCronItem[] = parseCronItems(
  schedule.map(({ task, match, attempts = 1 }) => ({
    task,
    match,
    options: { jobKey: task, maxAttempts: attempts, backfillPeriod: 0 },
  })),
)
