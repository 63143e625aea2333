import type { deskDocuments } from '@portico/contract/resources/desk-documents.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import { owedStatuses } from '#money/invoice-statuses.ts'
import { likeFolded } from '#platform/jsonapi/declare/like-folded.ts'

type Filter = keyof typeof deskDocuments.filters

/** The condition of each filter; lists and their sums share them. Migration 0123 indexes the searched text. */
export const conditions: Record<Filter, (value: Expression<string>) => Expression<SqlBool>> = {
  client_id: (value) => sql`invoices.client_id = ${value}::int8`,
  kind: (value) => sql`invoices.kind = ${value}`,
  status: (value) =>
    sql`invoices.invoice_status_id = (select s.id from invoice_statuses s where s.code = ${value})`,
  owed: (value) =>
    sql`(${value} = 'true' and invoices.invoice_status_id in ${owedStatuses} and invoices.kind <> 'credit_note')`,
  from: (value) => sql`invoices.issue_date >= ${value}::date`,
  to: (value) => sql`invoices.issue_date <= ${value}::date`,
  days: (value) => sql`invoices.issue_date > operator_today() - ${value}::int`,
  search: (value) => likeFolded(sql`invoices.full_number || ' ' || (invoices.buyer ->> 'name')`, value),
}

/** The filters by which documents are counted (migration 0165). */
export const countedFilters = ['kind', 'status', 'owed', 'from', 'to', 'days'] as const

export const isCounted = (name: string): boolean => countedFilters.some((one) => one === name)

export const isFilter = (name: string): name is Filter => Object.hasOwn(conditions, name)
