/** The files for the accounts. */
export const accountingExportKinds = [
  'sales_journal',
  'vat',
  'oss',
  'payments',
  'trial_balance',
  'advances',
  'deferred_revenue',
  'datev',
] as const

export type AccountingExportKind = (typeof accountingExportKinds)[number]

/** The longest period of an export: a leap year. */
export const mostExportDays = 366
