import { mostReportRows, reportKind, type reports as resource } from '@portico/contract/resources/reports.ts'
import {
  columnForms,
  type ReportColumn,
  type ReportKind,
  reports,
} from '@portico/contract/rules/money/reports.ts'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { type AccountingFile, rowsOfFile } from '#money/exports/accounting-file.ts'
import { assertPeriod } from '#money/exports/export-period.ts'
import { accountingFiles } from '#money/exports/files.ts'
import type { Context } from '#platform/context.ts'
import { setForTransaction } from '#platform/db/settings.ts'
import { paidAhead, trialBalanceByDays } from './day-files.ts'
import { oneStopShopByDays, salesByDays, vatByDays } from './document-days.ts'

type Read = typeof resource.actions.figures
type Answer = z.input<Read['output']>

/** Reports that are read from the figures of days, where their file reads everything. */
const own: { readonly [K in ReportKind]?: AccountingFile } = {
  paid_ahead: paidAhead,
  sales: salesByDays,
  vat: vatByDays,
  oss: oneStopShopByDays,
  trial_balance: trialBalanceByDays,
}

/** The table that a report is read from. */
export const fileOf = (kind: ReportKind): AccountingFile => own[kind] ?? accountingFiles[reports[kind].file]

// A year of a large portal.
const longest = '20s'

const decimals = sql`coalesce((select m.decimals from currencies m where m.code = o.code), 2)`

/** Links and languages need more than what is shown. */
const extra = {
  account: ['name', 'name_ro'],
  client: ['client_id'],
  plan: ['plan_ro'],
  local: ['local_currency'],
} as const

const valuesOf = (name: ReportColumn): RawBuilder<unknown>[] => {
  const form = columnForms[name]
  const more = form in extra ? extra[form as keyof typeof extra] : []
  return [name, ...more].map((one) => sql`${sql.ref(`v.${one}`)} as ${sql.id(one)}`)
}

/** The sum of a column, rounded once. */
const sumOf = (name: ReportColumn) =>
  sql`round(sum(${sql.ref(`v.${name}`)}), max(${decimals})) as ${sql.id(name)}`

/** The rows, sums and number of a report in one currency, which is that of most clients unless it is named. */
export async function readReport(
  { tx }: Pick<Context, 'tx'>,
  { row, input }: { readonly row: { readonly kind: string }; readonly input: z.output<Read['input']> },
): Promise<Answer> {
  const { from, to, currency = null } = input
  const kind = z.parse(reportKind, row.kind)
  assertPeriod(from, to, { source: { parameter: 'payload.to' } })
  const { columns, sums } = reports[kind]
  const listed = sql.join(columns.flatMap(valuesOf))
  const summed = sums.length === 0 ? sql`null` : sql.join(sums.map(sumOf))
  await setForTransaction(tx, 'statement_timeout', longest)
  const { rows } = await sql<Answer>`
    with v as materialized (${rowsOfFile(fileOf(kind), { from, to })}),
    known as (select distinct currency::text as code from v),
    o as (select code from known order by code is distinct from ${currency},
      code is distinct from (select c.code from clients k join currencies c on c.id = k.currency_id
        where k.kind = 'client' group by 1
        order by count(*) desc limit 1), code limit 1)
    select (select coalesce(json_agg(k.code order by k.code), '[]') from known k) as currencies,
      (select o.code from o) as currency,
      (select coalesce(json_agg(r), '[]') from (
        select ${listed} from v join o on o.code = v.currency limit ${mostReportRows}::int) r) as rows,
      (select coalesce(json_agg(s), '[]') from (
        select ${summed} from v join o on o.code = v.currency having count(*) > 0) s) as sums,
      (select count(*)::int from v join o on o.code = v.currency) as count`.execute(tx)
  return rows[0] ?? { currencies: [], currency: null, rows: [], sums: [], count: 0 }
}
