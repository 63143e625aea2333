import { useUser } from '../../api/queries/user.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { ResourceTable } from '../../components/table/resource-table.tsx'
import { useView } from '../../components/table/table-view.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconReceipt } from '../../ui/icons.tsx'
import { ArchiveButton } from '../documents/archive.tsx'
import { documentColumns } from '../documents/columns.tsx'
import { DocumentChips, DocumentFilters, useDocumentFilters } from '../documents/filters.tsx'
import { DocumentSums } from '../documents/sums.tsx'
import { useRows } from '../lists/use-rows.ts'

const none = {
  search: undefined,
  client: undefined,
  from: undefined,
  to: undefined,
  kind: undefined,
  status: undefined,
  days: 'all',
}

/** Every document of every client, newest first. */
export default function DocumentsScreen() {
  const { staff } = useUser()
  const [{ search }] = useView()
  const { filter, change } = useDocumentFilters()
  const rows = useRows('desk-documents', { order: '-issue_date', sorts: ['issue_date', 'total'], filter })
  const isNarrow = Object.values(filter).some((one) => one !== undefined)
  return (
    <>
      <PageHead title={m.desk_documents_title()} lead={m.desk_documents_lead()}>
        {staff?.role !== 'support' && <ArchiveButton />}
      </PageHead>
      <DocumentSums filter={filter} />
      <ResourceTable
        caption={m.desk_documents_title()}
        columns={documentColumns()}
        {...rows}
        empty={
          <Empty
            icon={<IconReceipt size={20} />}
            title={m.desk_documents_empty()}
            text={m.desk_documents_empty_text()}
          />
        }
        tools={
          <>
            <DocumentFilters search={search} filter={filter} change={change} />
            <DocumentChips filter={filter} change={change} />
          </>
        }
        onClear={isNarrow ? () => change(none) : undefined}
      />
    </>
  )
}
