import { invoices } from '@portico/contract/resources/invoices.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import { creditBill } from '#money/corrections/credit-bill.ts'
import { previewCredit } from '#money/corrections/preview-credit.ts'
import { writeOffBill } from '#money/corrections/write-off-bill.ts'
import { isStatementRow, openAmount, payableAmount, statusIds } from '#money/invoice-statuses.ts'
import { storno } from '#money/invoices/vat/vat-correction.ts'
import { recordBankTransfer } from '#money/payments/bank-transfers.ts'
import { remakeEInvoice } from '#money/tax-office/again/remake.ts'
import { contains } from '#platform/jsonapi/declare/contains.ts'
import { everyone } from '#platform/jsonapi/declare/policy.ts'
import { outside, serve } from '#platform/jsonapi/declare/serve.ts'
import { account, accountOrStaff, moneyWriters, moneyWritersAlone } from '#sharing/reach.ts'
import { isOfResource } from '#usage/used-resource.ts'
import { requestCopies, sendDocument } from './copies.ts'
import { isRefused } from './documents/refused.ts'
import { cancelProforma } from './proforma/cancel-proforma.ts'
import { requestProforma } from './proforma/request-proforma.ts'
import { serviceBillsSum } from './service-bills.ts'

const lines = sql`(select json_agg(json_build_object('kind', l.kind, 'description_en', l.description_en,
  'description_ro', l.description_ro, 'quantity', l.quantity, 'unit_code', l.unit_code, 'unit_price', l.unit_price,
  'net', l.net, 'vat_rate', l.vat_rate, 'project_id', l.project_id, 'panel_id', l.panel_id,
  'ref_invoice_id', l.ref_invoice_id) order by l.position) from invoice_lines l where l.invoice_id = invoices.id)`

const groups = sql`(select json_agg(json_build_object('country', g.country, 'category', g.category, 'rate', g.rate,
  'net', g.net, 'vat', g.vat)) from jsonb_to_recordset(invoices.vat_groups)
  g (country text, category text, rate numeric, net numeric, vat numeric))`

const bank = sql`(select jsonb_build_object('beneficiary', s.name, 'iban', s.iban, 'bank_name', s.bank_name,
    'reference', invoices.full_number)
  from jsonb_to_record(invoices.seller) s (name text, iban text, bank_name text) where s.iban is not null and ${openAmount} > 0)`

const hasLine = (column: 'project_id' | 'panel_id', id: Expression<string>) =>
  sql<SqlBool>`exists (select from invoice_lines l where l.invoice_id = invoices.id and ${sql.ref(`l.${column}`)} = ${id})`

/** Bills of a month with usage of the resource, or bills with late usage of it. */
const hasResource = (of: Expression<string>) => sql<SqlBool>`exists (select from usages u
  where u.client_id = invoices.client_id and ${isOfResource('u', of)} and u.usage_on < upper(invoices.period)
    and (u.usage_on >= lower(invoices.period) and u.billed_amount <> 0 or u.service_bill_id = invoices.id))`

export default serve(invoices, {
  table: 'invoices',
  present: (eb) => eb('invoices.issued_at', 'is not', null),
  policy: {
    read: accountOrStaff('invoices.client_id', 'billing'),
    getServiceBillsSum: everyone,
    requestCopyByEmail: account('invoices.client_id', 'billing'),
    sendDocument: moneyWritersAlone,
    requestProforma: { ...everyone, ...moneyWriters },
    cancelProforma: { ...account('invoices.client_id', 'billing'), ...moneyWriters },
    recordBankTransfer: moneyWritersAlone,
    previewCredit: moneyWritersAlone,
    creditNote: moneyWritersAlone,
    writeOff: moneyWritersAlone,
    storno: moneyWritersAlone,
    remakeEInvoice: moneyWritersAlone,
  },
  account: 'client_id',
  accountOf: { panel_id: 'panels', project_id: 'projects' },
  everyAccount: 'accounts',
  keys: {
    group: 'billing',
    never: [
      'requestCopyByEmail',
      'sendDocument',
      'requestProforma',
      'cancelProforma',
      'recordBankTransfer',
      'previewCredit',
      'creditNote',
      'writeOff',
      'storno',
      'remakeEInvoice',
    ],
  },
  columns: {
    status: () => sql`(select s.code from invoice_statuses s where s.id = invoices.invoice_status_id)`,
    period_from: () => sql`lower(invoices.period)`,
    period_to: () => sql`upper(invoices.period) - 1`,
    vat_groups: () => groups,
    open: () => openAmount,
    bank_details: () => bank,
    buyer_name: () => sql`invoices.buyer ->> 'name'`,
    lines: () => lines,
    pdf_ready: () => sql`invoices.pdf_key is not null`,
    xml_ready: () => sql`invoices.xml_key is not null`,
    is_refused: () => isRefused,
    signed_ready:
      () => sql`exists (select from e_invoices e join tax_offices o on o.environment = e.environment
      where e.invoice_id = invoices.id and e.state = 'accepted' and o.in_use)`,
  },
  relationships: {
    invoiceStatus: 'invoice_status_id',
    invoiceSeries: 'series_id',
    invoiceProformaSeries: 'proforma_series_id',
    proforma: 'proforma_id',
    corrects: 'corrects_id',
  },
  filters: {
    client_id: 'client_id',
    // Everyone who sees a row may do this.
    accounts: () => sql<SqlBool>`true`,
    kind: 'kind',
    status: (_, value) =>
      sql<SqlBool>`invoices.invoice_status_id = (select id from invoice_statuses where code = ${value})`,
    from: (eb, value) => eb('invoices.issue_date', '>=', value),
    to: (eb, value) => eb('invoices.issue_date', '<=', value),
    search: (eb, value) => contains(eb.ref('invoices.full_number'), value),
    payable: (
      eb,
      value,
    ) => sql<SqlBool>`${payableAmount} > 0 and (${contains(eb.ref('invoices.full_number'), value)}
      or ${contains(sql<string>`invoices.buyer ->> 'name'`, value)}
      or ${value} ~ '^\\d{1,9}([.,]\\d{1,2})?$' and trim_scale(${payableAmount}) = trim_scale(replace(case when ${value} ~ '^\\d{1,9}([.,]\\d{1,2})?$'
        then ${value} else '0' end, ',', '.')::numeric))`,
    // Paid or cancelled.
    without: () =>
      sql<SqlBool>`(invoices.kind <> 'proforma' or invoices.invoice_status_id not in ${statusIds('paid', 'cancelled')})`,
    statements: (_, value) => sql<SqlBool>`(${value} = 'only') = (${isStatementRow})`,
    project_id: (_, value) => hasLine('project_id', value),
    panel_id: (_, value) => hasLine('panel_id', value),
    resource: (_, value) => hasResource(value),
  },
  order: '-issue_date',
  actions: {
    getServiceBillsSum: (context, { input }) => serviceBillsSum(context, input.client_id),
    requestCopyByEmail: (context, { row, input }) => requestCopies(context, row, input.emails),
    sendDocument,
    requestProforma,
    cancelProforma,
    recordBankTransfer,
    previewCredit,
    creditNote: creditBill,
    writeOff: writeOffBill,
    storno,
    remakeEInvoice: outside(remakeEInvoice),
  },
})
