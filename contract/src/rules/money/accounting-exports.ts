/** The files for the accountant. */
export const accountantFiles = [
  'sales_journal',
  'vat',
  'oss',
  'payments',
  'trial_balance',
  'advances',
  'deferred_revenue',
  'datev',
  'saft',
] as const

/** All files for the accounts: also those of the reports of the desk. */
export const accountingExportKinds = [
  ...accountantFiles,
  'revenue',
  'revenue_by_plan',
  'top_clients',
  'top_workspaces',
  'recurring',
  'cash',
  'aged_debt',
] as const

export type AccountingExportKind = (typeof accountingExportKinds)[number]

/** The files that are tables; SAF-T is XML. */
export type AccountingTableKind = Exclude<AccountingExportKind, 'saft'>

/** The longest period of an export: a leap year. */
export const mostExportDays = 366
