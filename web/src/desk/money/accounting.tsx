import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconReceipt } from '../../ui/icons.tsx'
import { ExportForm } from '../accounting/export-form.tsx'
import { exportKinds } from '../accounting/kinds.ts'
import { useRows } from '../lists/use-rows.ts'

const columns = (): Column<Row<'accounting-exports'>>[] => [
  { name: 'file', label: m.desk_export_file(), wide: true, cell: ({ kind }) => exportKinds[kind].name() },
  { name: 'from', label: m.desk_log_from(), cell: ({ from_day }) => dayInWords(from_day, language()) },
  { name: 'to', label: m.desk_log_to(), cell: ({ to_day }) => dayInWords(to_day, language()) },
  { name: 'who', label: m.desk_column_who(), cell: ({ exported_by }) => exported_by },
  {
    name: 'at',
    label: m.desk_export_at(),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When moment={createdAt} />,
  },
]

/** Files for the accounts, and who exported them. */
export default function AccountingScreen() {
  const rows = useRows('accounting-exports', { order: '-createdAt', sorts: ['createdAt'] })
  return (
    <>
      <PageHead title={m.desk_accounting_title()} lead={m.desk_accounting_lead()} />
      <ExportForm />
      <ResourceTable
        caption={m.desk_exports_title()}
        columns={columns()}
        {...rows}
        empty={<Empty icon={<IconReceipt size={20} />} title={m.desk_exports_none()} />}
        tools={<span />}
      />
    </>
  )
}
