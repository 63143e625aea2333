import { evaluateBalances } from '#money/balance/balances.ts'
import { ageDocuments } from '#money/invoices/files.ts'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { checkDueVat, type VatCheckParts } from '#money/invoices/vat/vat-checks.ts'
import { type BusinessDay, businessDay, moveOnByDay } from '#platform/business-clock.ts'
import { requestScheduled } from '#platform/jobs/enqueue.ts'
import { chargeDueDays, maintainPartitions, rateUsage } from '#usage/charging.ts'
import { feedPlans } from '#usage/plan-feed.ts'
import type { Outside } from '#workspaces/engines/panel-engines.ts'
import { type Simulation, simulateUsage } from '#workspaces/engines/simulated/report-usage.ts'

/** Reports the usage of the built-in engine's panels, as it does every few seconds. */
async function catchUp(simulation: Simulation | undefined): Promise<void> {
  if (simulation && !(await simulateUsage(simulation)))
    throw new Error('The usage of the simulated engine was rejected.')
}

/**
 * Advances business by a day and runs that day's work by the services of the regular jobs, in this order:
 * usage and the hours of plans are counted and rated, VAT numbers are checked, the past day is charged, a past month is billed, and
 * every balance is evaluated; then every scheduled job is queued. Without a simulation, because the built-in
 * engine is disabled, there is no usage. Concurrent calls each advance a day.
 */
export async function advanceDay(
  outside: Outside & VatCheckParts,
  simulation: Simulation | undefined,
  scheduled: readonly string[],
): Promise<BusinessDay> {
  const db = outside.pool.kysely
  // Usage until now belongs to the ending day.
  await catchUp(simulation)
  await feedPlans(db)
  await moveOnByDay(db)
  await maintainPartitions(db)
  await catchUp(simulation)
  await feedPlans(db)
  await rateUsage(db)
  // The month close needs fresh checks, as when days pass normally.
  await checkDueVat(outside)
  // Run directly here, instead of by a queued job.
  await chargeDueDays(db, async () => undefined)
  await closeDueMonth(db, () => undefined, Number.POSITIVE_INFINITY)
  await ageDocuments(db)
  await evaluateBalances(outside, { byTime: true })
  // The other jobs of the day, such as expiring cards.
  await requestScheduled(db, scheduled)
  return businessDay(db)
}
