import { Link } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import type { Row } from '../../api/rows.ts'
import { documentKinds, documentState } from '../../components/money/document-words.ts'
import { DocumentNumber } from '../../components/pay/document-number.tsx'
import type { Column } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Status } from '../../ui/status.tsx'
import { EInvoiceState } from '../e-factura/document-words.tsx'
import cells from '../e-factura/e-factura.module.css'
import lists from '../lists/lists.module.css'
import { deskHref } from '../routes.ts'
import { BillVerbs } from '../verbs/bill-verbs.tsx'

type Document = Row<'desk-documents'>

function Name({ row }: { row: Document }) {
  const { kind, client_id, client_name } = row
  const { staff } = useUser()
  return (
    <div className={`${cells.cell} ${lists.name}`}>
      {/* Support read the file on the page of its client. */}
      {staff?.role === 'support' ? <span>{row.full_number}</span> : <DocumentNumber document={row} />}
      <span>{documentKinds[kind]()}</span>
      <Link to={deskHref('client', { id: client_id, tab: 'documents' })}>{client_name}</Link>
    </div>
  )
}

function State({ row }: { row: Document }) {
  const { due_date, open, einvoice_state } = row
  const { tone, name } = documentState(row)
  return (
    <div className={cells.cell}>
      <Status tone={tone}>{name()}</Status>
      {open > 0 && <span>{m.desk_documents_due({ day: dayInWords(due_date, language()) })}</span>}
      {einvoice_state !== null && (
        <span>
          {m.desk_efactura_title()} <EInvoiceState state={einvoice_state} />
        </span>
      )}
    </div>
  )
}

const amount = (of: 'net' | 'vat' | 'total' | 'open') => (row: Document) => money(row[of], row.currency)

/** The columns of the list of all documents. */
export const documentColumns = (): Column<Document>[] => [
  { name: 'number', label: m.column_number(), cell: (row) => <Name row={row} /> },
  {
    name: 'date',
    label: m.column_date(),
    sort: 'issue_date',
    cell: ({ issue_date }) => <span className={lists.day}>{dayInWords(issue_date, language())}</span>,
  },
  { name: 'net', label: m.desk_column_net(), number: true, cell: amount('net') },
  { name: 'vat', label: m.desk_column_vat(), number: true, cell: amount('vat') },
  { name: 'total', label: m.column_total(), sort: 'total', number: true, cell: amount('total') },
  { name: 'open', label: m.desk_column_open(), number: true, cell: amount('open') },
  { name: 'status', label: m.column_status(), cell: (row) => <State row={row} /> },
  {
    name: 'verbs',
    label: m.desk_column_verbs(),
    cell: (bill) => <BillVerbs bill={bill} />,
  },
]
