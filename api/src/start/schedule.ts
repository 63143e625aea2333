import { type ParsedCronItem, parseCronItems } from 'graphile-worker'
import { rateAttempts } from '#money/invoices/rates/fx-rates.ts'
import type { Scheduled } from './tasks.ts'

type Times = { readonly match: string; readonly attempts?: number }

const schedule: Record<Scheduled, Times> = {
  'database.archive': { match: '31 2 * * *' },
  'engines.check': { match: '* * * * *' },
  'engines.forget': { match: '*/5 * * * *' },
  'panels.sync': { match: '* * * * *' },
  'jobs.release': { match: '* * * * *' },
  'jobs.watch': { match: '* * * * *' },
  'staff.missed-alerts': { match: '* * * * *' },
  // When the transactions of the day before have long ended.
  'staff.digest': { match: '33 1 * * *' },
  'permissions.expire': { match: '* * * * *' },
  'balances.evaluate': { match: '* * * * *' },
  // After the day's charges, and then hourly.
  'balances.evaluate-all': { match: '35 * * * *' },
  'ledger.verify': { match: '0 2 * * *' },
  'mail.fetch': { match: '* * * * *' },
  'mail.prune': { match: '17 3 * * *' },
  'files.collect': { match: '23 * * * *' },
  'files.sweep': { match: '27 2 * * *' },
  'tickets.close': { match: '41 * * * *' },
  'tickets.sla': { match: '*/5 * * * *' },
  'tickets.access': { match: '* * * * *' },
  'payments.poll': { match: '* * * * *' },
  'payments.reconcile': { match: '0 4 * * *' },
  'payments.tend': { match: '38 * * * *' },
  'keys.prune': { match: '47 * * * *' },
  'plans.feed': { match: '* * * * *' },
  'plans.assign': { match: '*/5 * * * *' },
  'plans.traffic': { match: '43 * * * *' },
  'prices.announce': { match: '13 * * * *' },
  'tax-office.send': { match: '* * * * *' },
  'tax-office.follow': { match: '* * * * *' },
  'tax-office.search': { match: '*/5 * * * *' },
  'tax-office.watch': { match: '48 * * * *' },
  'usage.rate': { match: '* * * * *' },
  // The past day at 00:20, and every hour for late or missed days.
  'usage.charge-day': { match: '20 * * * *' },
  // At three in the operator's morning of the first; then retries of failed closings.
  'invoice.month-close': { match: '5 * * * *' },
  'invoice.age': { match: '30 * * * *' },
  'vat.recheck': { match: '7 * * * *' },
  // Published at about 13:00 in Bucharest or 16:00 in Frankfurt; later runs catch up on missed ones.
  'fx.fetch': { match: '20 * * * *', attempts: rateAttempts },
  'usage.partitions': { match: '0 1 * * *' },
  'usage.archive': { match: '12 * * * *' },
  'privacy.tend': { match: '52 * * * *' },
  'desk.tend': { match: '*/10 * * * *' },
  'checks.run': { match: '*/5 * * * *' },
  'counts.merge': { match: '*/5 * * * *' },
  // After the charges of the past day.
  'reports.fill': { match: '50 * * * *' },
  'billing-log.check': { match: '40 3 * * 0' },
}

/** All scheduled jobs. */
export const scheduledTasks = Object.keys(schedule)

/** The times, in UTC. Each entry runs once across replicas; a waiting job is not doubled. */
export const cronItems: ParsedCronItem[] = parseCronItems(
  Object.entries(schedule).map(([task, { match, attempts = 1 }]) => ({
    task,
    match,
    options: { jobKey: task, maxAttempts: attempts, backfillPeriod: 0 },
  })),
)
