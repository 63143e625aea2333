import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { SearchBox } from '../../components/table/search-box.tsx'
import { useView } from '../../components/table/table-view.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconReceipt } from '../../ui/icons.tsx'
import { DocumentVerbs } from '../e-factura/document-verbs.tsx'
import { Deadline, Document, type EInvoice, StateOf } from '../e-factura/document-words.tsx'
import classes from '../e-factura/e-factura.module.css'
import { OfficeState } from '../e-factura/office.tsx'
import { useReturn } from '../e-factura/use-return.ts'
import { useRows } from '../lists/use-rows.ts'

/** The filter of each choice. */
const filters = {
  all: {},
  due: { left: '2' },
  waiting: { state: 'waiting' },
  unknown: { state: 'unknown' },
  rejected: { state: 'rejected' },
  sent: { state: 'sent' },
  accepted: { state: 'accepted' },
} as const

type Shown = keyof typeof filters

// The choices name many documents; Romanian has other words for one.
const names: Record<Shown, () => string> = {
  all: m.desk_efactura_all,
  due: m.desk_efactura_due,
  waiting: m.desk_efactura_waiting,
  unknown: m.desk_efactura_unknown,
  rejected: m.desk_shown_rejected,
  sent: m.desk_efactura_sent,
  accepted: m.desk_shown_accepted,
}

const isShown = (value: unknown): value is Shown => typeof value === 'string' && Object.hasOwn(filters, value)

const columns = (): Column<EInvoice>[] => [
  { name: 'document', label: m.desk_efactura_document(), wide: true, cell: (row) => <Document row={row} /> },
  { name: 'issued', label: m.column_date(), cell: ({ issue_date }) => dayInWords(issue_date, language()) },
  {
    name: 'total',
    label: m.column_total(),
    number: true,
    cell: ({ total, currency }) => money(total, currency),
  },
  { name: 'due', label: m.desk_efactura_deadline(), sort: 'due_on', cell: (row) => <Deadline row={row} /> },
  { name: 'state', label: m.column_status(), wide: true, cell: (row) => <StateOf row={row} /> },
  { name: 'verbs', label: m.desk_column_verbs(), cell: (row) => <DocumentVerbs row={row} /> },
]

/** The documents on their way to the tax office, and the access to it. */
export default function EFacturaScreen() {
  const [{ search }, change] = useView()
  const given: { show?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const shown = isShown(given.show) ? given.show : 'all'
  const offices = useQuery(list('tax-offices'))
  const [office] = offices.data?.items ?? []
  useReturn(office)
  const rows = useRows('e-invoices', {
    order: '-due_on',
    sorts: ['due_on'],
    filter: { ...filters[shown], ...(search !== undefined && { search }) },
  })
  const show = (value: string) => void navigate({ to: '.', search: { show: value }, replace: true })
  return (
    <>
      <PageHead title={m.desk_efactura_title()} lead={m.desk_efactura_lead()}>
        <NativeSelect
          size="sm"
          aria-label={m.desk_clients_show()}
          value={shown}
          data={Object.entries(names).map(([value, name]) => ({ value, label: name() }))}
          onChange={({ currentTarget: { value } }) => show(value)}
        />
      </PageHead>
      {office && (
        <div className={classes.office}>
          <OfficeState office={office} />
        </div>
      )}
      <ResourceTable
        caption={m.desk_efactura_title()}
        columns={columns()}
        {...rows}
        empty={
          <Empty
            icon={<IconReceipt size={20} />}
            title={m.desk_efactura_empty()}
            text={offices.data && !office ? m.desk_efactura_not_configured() : m.desk_efactura_empty_text()}
          />
        }
        tools={<SearchBox value={search ?? ''} onChange={(search) => change({ search })} />}
      />
    </>
  )
}
