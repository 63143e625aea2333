import { columnForms, type ReportColumn } from '@portico/contract/rules/money/reports.ts'
import type { ReactNode } from 'react'
import type { Column } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords, monthInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import cells from '../e-factura/e-factura.module.css'
import { ClientLink } from '../lists/client-link.tsx'
import classes from '../lists/lists.module.css'
import { columnWords } from './words.ts'

type Cells = Readonly<Record<string, string | number | null>>

export type ReportRow = Cells & { readonly id: number }

const none = '–'

const providers: Readonly<Record<string, () => string>> = {
  bank: m.desk_report_bank,
  suspense: m.desk_report_suspense,
}

/** The name of a plan in the language of the reader, or of usage without one. */
export const planName = ({ plan, plan_ro }: Cells): string =>
  String((language() === 'ro' ? plan_ro : plan) ?? m.desk_report_no_plan())

/** An account of the ledger by its name, with its code. */
function Account({ row: { account, name, name_ro } }: { row: Cells }) {
  return (
    <div className={cells.cell}>
      <span>{(language() === 'ro' ? name_ro : name) ?? account}</span>
      <span>{account}</span>
    </div>
  )
}

/** The name of a provider of payments. */
export function providerName({ provider }: Cells): string {
  const name = String(provider)
  return providers[name]?.() ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** A value as its column shows it. */
function shown(name: ReportColumn, row: Cells, currency: string): ReactNode {
  const value = row[name] ?? null
  if (name === 'plan') return planName(row)
  if (name === 'provider') return providerName(row)
  if (value === null) return none
  switch (columnForms[name]) {
    case 'money':
      return money(Number(value), currency)
    case 'local':
      return money(Number(value), String(row.local_currency))
    case 'percent':
      return `${value}%`
    case 'count':
      return new Intl.NumberFormat('en-US').format(Number(value))
    case 'month':
      return <span className={classes.day}>{monthInWords(`${value}-01`, language())}</span>
    case 'day':
      return <span className={classes.day}>{dayInWords(String(value), language())}</span>
    case 'account':
      return <Account row={row} />
    case 'client':
      return <ClientLink id={Number(row.client_id)} name={String(value)} tab="money" />
    default:
      return String(value)
  }
}

const numbers = ['money', 'local', 'percent', 'count']

/** The columns of a report's table. */
export const reportColumns = (names: readonly ReportColumn[], currency: string): Column<ReportRow>[] =>
  names.map((name) => ({
    name,
    label: columnWords[name](),
    number: numbers.includes(columnForms[name]),
    cell: (row) => shown(name, row, currency),
  }))

/** The sums below the head of a report, by column. */
export const sumsOf = (names: readonly ReportColumn[], sums: Cells, currency: string) =>
  names.map((name) => ({ name, label: columnWords[name](), value: shown(name, sums, currency) }))
