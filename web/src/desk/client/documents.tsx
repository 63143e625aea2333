import { Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { documentKinds, documentState } from '../../components/money/document-words.ts'
import { DocumentButton } from '../../components/pay/document-button.tsx'
import { DocumentTotal } from '../../components/pay/document-total.tsx'
import type { Column } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Status } from '../../ui/status.tsx'
import { BillVerbs } from '../verbs/bill-verbs.tsx'
import { MoneyVerb } from '../verbs/money-verbs.tsx'
import classes from './client.module.css'
import { Drafts } from './drafts.tsx'
import { ClientTable, useOwnView } from './tables.tsx'
import type { Client } from './words.tsx'

const documentColumns = (): Column<Row<'invoices'>>[] => [
  { name: 'number', label: m.column_number(), cell: ({ full_number }) => full_number },
  { name: 'kind', label: m.column_type(), cell: ({ kind }) => documentKinds[kind]() },
  { name: 'date', label: m.column_date(), cell: ({ issue_date }) => dayInWords(issue_date, language()) },
  {
    name: 'total',
    label: m.column_total(),
    number: true,
    cell: (document) => <DocumentTotal of={document} />,
  },
  {
    name: 'status',
    label: m.column_status(),
    cell: (document) => {
      const { tone, name } = documentState(document)
      return <Status tone={tone}>{name()}</Status>
    },
  },
  {
    name: 'files',
    label: m.column_files(),
    cell: ({ id, full_number, xml_ready, signed_ready }) => (
      <Group gap={6} wrap="nowrap">
        <DocumentButton id={id} number={full_number} format="pdf" />
        {xml_ready && <DocumentButton id={id} number={full_number} format="xml" />}
        {signed_ready && <DocumentButton id={id} number={full_number} format="signed" />}
      </Group>
    ),
  },
  { name: 'verbs', label: m.desk_column_verbs(), cell: (bill) => <BillVerbs bill={bill} /> },
]

export function Documents({ client }: { client: Client }) {
  const { id } = client
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('invoices', {
      filter: { client_id: id },
      sort: '-issue_date',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <div className={classes.verbs}>
        <MoneyVerb client={client} name="requestProforma" />
        <MoneyVerb client={client} name="manualInvoice" />
        <MoneyVerb client={client} name="chargeOpenBill" />
      </div>
      {client.may.manualInvoice && <Drafts client={client} />}
      <ClientTable
        caption={m.desk_tab_documents()}
        columns={documentColumns()}
        query={query}
        view={view}
        onChange={change}
        none={m.desk_documents_none()}
      />
    </>
  )
}
