import type { AccountingTableKind } from './accounting-exports.ts'

/** The reports of the desk. */
export const reportKinds = [
  'revenue',
  'revenue_by_plan',
  'top_clients',
  'top_workspaces',
  'recurring',
  'cash',
  'aged_debt',
  'paid_ahead',
  'sales',
  'vat',
  'oss',
  'trial_balance',
] as const

export type ReportKind = (typeof reportKinds)[number]

/** Whether a value names a report. */
export const isReport = (value: unknown): value is ReportKind => reportKinds.some((kind) => kind === value)

/** The kind of values in each column; money is in the currency of the row, and `local` money in that of the operator. */
export const columnForms = {
  account: 'account',
  arpu: 'money',
  category: 'text',
  churn: 'percent',
  client: 'client',
  closing_credit: 'money',
  closing_debit: 'money',
  corrected_quarter: 'text',
  corrections: 'money',
  country: 'text',
  credit: 'money',
  credit_given: 'money',
  credit_notes: 'count',
  debit: 'money',
  departed: 'count',
  difference: 'money',
  disputes: 'money',
  documents: 'count',
  fees: 'money',
  invoices: 'count',
  joined: 'count',
  ledger_vat: 'money',
  lost: 'count',
  metered: 'money',
  month: 'month',
  mrr: 'money',
  net: 'money',
  opening_credit: 'money',
  opening_debit: 'money',
  other: 'money',
  other_months: 'money',
  over_90: 'money',
  owed: 'money',
  owed_since: 'day',
  paid_ahead: 'money',
  panels: 'count',
  payers: 'count',
  payments: 'money',
  plan: 'plan',
  posted_elsewhere: 'money',
  provider: 'text',
  provider_fees: 'money',
  quarter: 'text',
  rate: 'percent',
  received: 'money',
  refunds: 'money',
  revenue: 'money',
  to_30: 'money',
  to_60: 'money',
  to_90: 'money',
  total: 'money',
  used: 'money',
  vat: 'money',
  vat_due: 'money',
  vat_local: 'local',
  workspace: 'text',
} as const

export type ReportColumn = keyof typeof columnForms

type Report = {
  readonly columns: readonly ReportColumn[]
  /** Columns that are added up over all rows. */
  readonly sums: readonly ReportColumn[]
  /** The file with its figures. */
  readonly file: AccountingTableKind
  /** Its figures are those of a moment, not of a period. */
  readonly isNow?: true
  /** It is read by quarter at first, as VAT is declared. */
  readonly isTax?: true
  /** It is read from the figures of each day, which are computed once an hour. */
  readonly byDay?: true
}

/** The columns of each report. */
export const reports: Readonly<Record<ReportKind, Report>> = {
  revenue: {
    columns: ['month', 'used', 'other', 'corrections', 'revenue', 'credit_given'],
    sums: ['used', 'other', 'corrections', 'revenue', 'credit_given'],
    file: 'revenue',
    byDay: true,
  },
  revenue_by_plan: {
    columns: ['month', 'plan', 'fees', 'metered', 'other_months', 'revenue'],
    sums: ['fees', 'metered', 'other_months', 'revenue'],
    file: 'revenue_by_plan',
    byDay: true,
  },
  top_clients: { columns: ['client', 'revenue'], sums: ['revenue'], file: 'top_clients' },
  top_workspaces: {
    columns: ['client', 'workspace', 'revenue'],
    sums: ['revenue'],
    file: 'top_workspaces',
  },
  recurring: {
    columns: ['month', 'mrr', 'metered', 'panels', 'payers', 'arpu', 'joined', 'departed', 'lost', 'churn'],
    sums: ['joined', 'departed'],
    file: 'recurring',
    byDay: true,
  },
  cash: {
    columns: ['month', 'provider', 'payments', 'refunds', 'disputes', 'provider_fees', 'other', 'received'],
    sums: ['payments', 'refunds', 'disputes', 'provider_fees', 'other', 'received'],
    file: 'cash',
    byDay: true,
  },
  aged_debt: {
    columns: ['client', 'owed_since', 'to_30', 'to_60', 'to_90', 'over_90', 'owed', 'vat_due'],
    sums: ['to_30', 'to_60', 'to_90', 'over_90', 'owed', 'vat_due'],
    file: 'aged_debt',
    isNow: true,
  },
  paid_ahead: { columns: ['month', 'paid_ahead', 'owed'], sums: [], file: 'deferred_revenue', byDay: true },
  sales: {
    columns: ['month', 'invoices', 'credit_notes', 'net', 'vat', 'total'],
    sums: ['invoices', 'credit_notes', 'net', 'vat', 'total'],
    file: 'sales_journal',
    byDay: true,
  },
  vat: {
    columns: [
      'country',
      'category',
      'rate',
      'documents',
      'net',
      'vat',
      'vat_local',
      'ledger_vat',
      'posted_elsewhere',
      'difference',
    ],
    sums: ['net', 'vat', 'ledger_vat', 'posted_elsewhere', 'difference'],
    file: 'vat',
    isTax: true,
    byDay: true,
  },
  oss: {
    columns: ['quarter', 'corrected_quarter', 'country', 'rate', 'documents', 'net', 'vat', 'vat_local'],
    sums: ['net', 'vat'],
    file: 'oss',
    isTax: true,
    byDay: true,
  },
  trial_balance: {
    columns: [
      'account',
      'opening_debit',
      'opening_credit',
      'debit',
      'credit',
      'closing_debit',
      'closing_credit',
    ],
    sums: ['opening_debit', 'opening_credit', 'debit', 'credit', 'closing_debit', 'closing_credit'],
    file: 'trial_balance',
    byDay: true,
  },
}
