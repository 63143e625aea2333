import type { AccountingTableKind } from '@portico/contract/rules/money/accounting-exports.ts'
import { dayFiles } from '#money/reports/day-files.ts'
import { moneyFiles } from '#money/reports/money-files.ts'
import type { AccountingFile } from './accounting-file.ts'
import { deferredRevenue, openAdvances } from './advance-files.ts'
import { datev } from './datev.ts'
import { paymentsByProvider, trialBalance } from './ledger-files.ts'
import { salesJournal } from './sales-journal.ts'
import { oneStopShop, vatByRate } from './vat-files.ts'

/** Every file for the accounts that is a table. */
export const accountingFiles: Readonly<Record<AccountingTableKind, AccountingFile>> = {
  sales_journal: salesJournal,
  vat: vatByRate,
  oss: oneStopShop,
  payments: paymentsByProvider,
  trial_balance: trialBalance,
  advances: openAdvances,
  deferred_revenue: deferredRevenue,
  datev,
  ...dayFiles,
  ...moneyFiles,
}
