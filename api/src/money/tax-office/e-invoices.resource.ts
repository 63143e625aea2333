import { eInvoices } from '@portico/contract/resources/e-invoices.ts'
import { type SqlBool, sql } from 'kysely'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyStaff, moneyWriters } from '#sharing/reach.ts'
import { staffAlone } from '#staff/roles.ts'
import { isRemakable } from './again/remakable.ts'
import { isUnanswered, officeCountry } from './collect.ts'
import { correctInstead, decidableDays, retryNow, wasNotReceived, wasReceived } from './decide.ts'

const writers = staffAlone(...moneyWriters.roles)

const ofInvoice = (column: string) =>
  sql`(select i.${sql.ref(column)} from invoices i where i.id = e_invoices.invoice_id)`

const left = sql`working_days_until(${sql.lit(officeCountry)}, operator_today(), e_invoices.due_on)`

const earlier = sql`(select coalesce(json_agg(json_build_object('upload_index', r.upload_index, 'said', r.said, 'problem', r.problem,
    'settled_at', to_char(r.settled_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'xml_sha256', r.xml_sha256) order by r.id), '[]')
  from replaced_e_invoices r where r.invoice_id = e_invoices.invoice_id and r.environment = e_invoices.environment)`

const waited = sql.lit(`${decidableDays} days`)

export default serve(eInvoices, {
  table: 'e_invoices',
  ofStaff: true,
  pageFirst: true,
  // Those of the system that this portal sends to.
  present: () =>
    sql<SqlBool>`e_invoices.environment = (select o.environment from tax_offices o where o.in_use)`,
  policy: {
    read: staffAlone(...moneyStaff.roles),
    wasReceived: writers,
    wasNotReceived: writers,
    retryNow: writers,
    correctInstead: writers,
    remakeEInvoice: writers,
  },
  columns: {
    full_number: () => ofInvoice('full_number'),
    kind: () => ofInvoice('kind'),
    client_name: () => sql`(select i.buyer ->> 'name' from invoices i where i.id = e_invoices.invoice_id)`,
    issue_date: () => ofInvoice('issue_date'),
    total: () => ofInvoice('total'),
    currency: () => ofInvoice('currency'),
    days_left: () => left,
    is_decidable: () =>
      sql`coalesce(e_invoices.state = 'unknown' and e_invoices.begun_at < now() - ${waited}::interval, false)`,
    is_searched: () =>
      sql`coalesce(e_invoices.searched_at > e_invoices.begun_at + ${waited}::interval, false)`,
    signed_ready: () => sql`e_invoices.signed_key is not null`,
    is_remakable: () =>
      sql`e_invoices.state = 'rejected' and exists (select from invoices i where i.id = e_invoices.invoice_id and ${isRemakable})`,
    earlier: () => earlier,
  },
  filters: {
    state: 'state',
    client_id: 'client_id',
    left: (_, value) => sql<SqlBool>`(${isUnanswered(sql`e_invoices.state`)} and ${left} <= ${value}::int)`,
    search: (_, value) => sql<SqlBool>`exists (select from invoices i where i.id = e_invoices.invoice_id
      and ${contains(sql.ref('i.full_number'), value)})`,
  },
  order: 'due_on',
  actions: { wasReceived, wasNotReceived, retryNow, correctInstead },
})
