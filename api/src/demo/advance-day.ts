import { evaluateBalances } from '#money/balance/balances.ts'
import { ageDocuments } from '#money/invoices/files.ts'
import { closeDueMonth } from '#money/invoices/month/close-run.ts'
import { checkDueVat, type VatCheckParts } from '#money/invoices/vat/vat-checks.ts'
import { type BusinessDay, businessDay, moveOnByDay } from '#platform/business-clock.ts'
import { requestScheduled } from '#platform/jobs/enqueue.ts'
import { chargeDueDays, rateUsage, tendPartitions } from '#usage/charging.ts'
import type { Outside } from '#workspaces/engines/panel-engines.ts'
import { type Simulation, simulateUsage } from '#workspaces/engines/simulated/report-usage.ts'

/** Tells what the panels of the built-in engine used, as it does every few seconds. */
async function catchUp(simulation: Simulation | undefined): Promise<void> {
  if (simulation && !(await simulateUsage(simulation)))
    throw new Error('The usage of the simulated engine was not taken.')
}

/**
 * Moves business on by a day and does what that day would have done, by the same services as the jobs of any other day:
 * usage comes in and is rated, VAT numbers are checked, the day that is over is charged, a month that is over is billed, and every
 * balance is looked at, in this order; then every scheduled job is requested. Without a simulation, because the built-in engine
 * is disabled, nothing is used. Any number at once: each moves on by a day.
 */
export async function advanceDay(
  outside: Outside & VatCheckParts,
  simulation: Simulation | undefined,
  scheduled: readonly string[],
): Promise<BusinessDay> {
  const db = outside.pool.kysely
  // What was used until now is of the day that ends.
  await catchUp(simulation)
  await moveOnByDay(db)
  await tendPartitions(db)
  await catchUp(simulation)
  await rateUsage(db)
  // A month is closed by checks that are not too old, as they are when days pass by themselves.
  await checkDueVat(outside)
  // Asked for where others do so; here it is done at once.
  await chargeDueDays(db, async () => undefined)
  await closeDueMonth(db, () => undefined, Number.POSITIVE_INFINITY)
  await ageDocuments(db)
  await evaluateBalances(outside, { byTime: true })
  // The other jobs of the day, such as expiring cards.
  await requestScheduled(db, scheduled)
  return businessDay(db)
}
