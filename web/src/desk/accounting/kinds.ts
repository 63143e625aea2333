import type { AccountingExportKind } from '@portico/contract/rules/money/accounting-exports.ts'
import { m } from '../../texts/compiled/messages.js'
import { reportWords } from '../reports/words.ts'

/** The name and content of each file. */
export const exportKinds: Readonly<Record<AccountingExportKind, { name: () => string; text: () => string }>> =
  {
    sales_journal: { name: m.desk_export_sales_journal, text: m.desk_export_sales_journal_text },
    vat: { name: m.desk_export_vat, text: m.desk_export_vat_text },
    oss: { name: m.desk_export_oss, text: m.desk_export_oss_text },
    payments: { name: m.desk_export_payments, text: m.desk_export_payments_text },
    trial_balance: { name: m.desk_export_trial_balance, text: m.desk_export_trial_balance_text },
    advances: { name: m.desk_export_advances, text: m.desk_export_advances_text },
    deferred_revenue: { name: m.desk_export_deferred_revenue, text: m.desk_export_deferred_revenue_text },
    revenue: reportWords.revenue,
    revenue_by_plan: reportWords.revenue_by_plan,
    top_clients: reportWords.top_clients,
    top_workspaces: reportWords.top_workspaces,
    recurring: reportWords.recurring,
    cash: reportWords.cash,
    aged_debt: reportWords.aged_debt,
    datev: { name: m.desk_export_datev, text: m.desk_export_datev_text },
    saft: { name: m.desk_export_saft, text: m.desk_export_saft_text },
  }
