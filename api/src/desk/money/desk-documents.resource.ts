import { deskDocuments } from '@portico/contract/resources/desk-documents.ts'
import { sql } from 'kysely'
import { openAmount } from '#money/invoice-statuses.ts'
import { isRefused } from '#money/invoices/documents/refused.ts'
import { byValue } from '#platform/jsonapi/declare/by-value.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { moneyWriters } from '#sharing/reach.ts'
import { allStaff, staffAlone } from '#staff/roles.ts'
import { conditions, countedFilters } from './document-conditions.ts'
import { documentSums } from './document-sums.ts'

const writers = staffAlone(...moneyWriters.roles)

export default serve(deskDocuments, {
  table: 'invoices',
  ofStaff: true,
  pageFirst: true,
  present: (eb) => eb('invoices.issued_at', 'is not', null),
  policy: {
    read: staffAlone(...allStaff),
    sums: staffAlone(...allStaff),
    sendDocument: writers,
    cancelProforma: writers,
    recordBankTransfer: writers,
    creditNote: writers,
    writeOff: writers,
    storno: writers,
    remakeEInvoice: writers,
  },
  columns: {
    client_name: () => sql`invoices.buyer ->> 'name'`,
    status: () => sql`(select s.code from invoice_statuses s where s.id = invoices.invoice_status_id)`,
    open: () => openAmount,
    is_refused: () => isRefused,
    einvoice_state:
      () => sql`(select e.state from e_invoices e join tax_offices o on o.environment = e.environment
      where e.invoice_id = invoices.id and o.in_use)`,
  },
  filters: byValue(conditions),
  totals: {
    sums: {},
    kept: [{ table: 'document_counts', count: 'many', filters: [...countedFilters] }],
  },
  order: '-issue_date',
  actions: { sums: documentSums },
})
