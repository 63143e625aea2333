import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Billing } from '../../api/queries/billing.ts'
import { useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import { OwnerBadge, useAccountFilter } from '../../components/money/account.tsx'
import { documentKinds, documentState } from '../../components/money/document-words.ts'
import { UseFilters, useNarrowing } from '../../components/money/use-filters.tsx'
import { DocumentNumber } from '../../components/pay/document-number.tsx'
import { DocumentTotal } from '../../components/pay/document-total.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { textIn, useSearchState } from '../../components/table/search-state.ts'
import { brief, briefSizes } from '../../components/table/table-sizes.ts'
import type { View } from '../../components/table/table-view.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { addDays, dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconReceipt } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import '../../ui/styles/checkbox.ts'
import { Archive } from './archive.tsx'
import classes from './billing.module.css'
import { type Document, DocumentFiles } from './document-files.tsx'

const sorts = ['issue_date', '-issue_date', 'total', '-total'] as const

type Ticks = { readonly ticked: readonly number[]; readonly onTick: (id: number) => void }

/** `ticks` of documents for one file; undefined where they are of several accounts, because a file is of one. */
const columns = (own: number, ticks: Ticks | undefined): Column<Document>[] => [
  {
    name: 'number',
    label: m.column_number(),
    cell: (document) => (
      <div className={classes.numbered}>
        {ticks && (
          <Checkbox
            size="md"
            aria-label={m.document_tick({ number: document.full_number })}
            checked={ticks.ticked.includes(document.id)}
            onChange={() => ticks.onTick(document.id)}
          />
        )}
        <DocumentNumber document={document} />
        <OwnerBadge id={document.client_id} />
      </div>
    ),
  },
  { name: 'kind', label: m.column_type(), onPhone: 'end', cell: ({ kind }) => documentKinds[kind]() },
  {
    name: 'date',
    label: m.column_date(),
    sort: 'issue_date',
    cell: ({ issue_date }) => dayInWords(issue_date, language()),
  },
  {
    name: 'total',
    label: m.column_total(),
    sort: 'total',
    number: true,
    onPhone: 'aside',
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
    onPhone: 'end',
    cell: (document) => (
      <DocumentFiles
        document={document}
        account={document.client_id === own ? undefined : document.client_id}
      />
    ),
  },
]

/** Every document, newest first, with its files. */
export function Invoices({ profile, preset }: { profile: Billing; preset: number | undefined }) {
  const narrowing = useNarrowing(preset)
  const { project_id, panel_id, resource } = narrowing
  const { id: own } = useUser()
  const { client_id, accounts } = useAccountFilter()
  const [given, change] = useSearchState()
  const statements = given.documents === 'statements' ? 'only' : 'without'
  const [view, setView] = useState<View>({ page: 1, size: brief, search: textIn(given.invoice) })
  const [ticked, setTicked] = useState<readonly number[]>([])
  const onTick = (id: number) =>
    setTicked((last) => (last.includes(id) ? last.filter((one) => one !== id) : [...last, id]))
  const query = useQuery({
    ...list('invoices', {
      filter: {
        client_id,
        accounts,
        project_id,
        panel_id,
        resource,
        search: view.search,
        // A settled proforma is hidden behind its invoice, but a search by its number still finds it.
        without: view.search ? undefined : 'settled_proformas',
        // Bills of nothing to pay are a list of their own.
        statements: view.search ? undefined : statements,
      },
      sort: sorts.find((one) => one === view.sort) ?? '-issue_date',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  const isNarrowed =
    statements === 'only' || [project_id, panel_id, resource].some((one) => one !== undefined)
  return (
    <div className={classes.part}>
      <ResourceTable
        caption={m.invoices_title()}
        isCompact
        offered={briefSizes}
        columns={columns(own, accounts ? undefined : { ticked, onTick })}
        query={query}
        view={{ ...view, sort: view.sort ?? '-issue_date' }}
        onChange={(wanted) => setView((last) => ({ ...last, page: 1, ...wanted }))}
        tools={
          <div className={classes.narrowing}>
            <UseFilters
              narrowing={narrowing}
              range={{ from: addDays(profile.as_of, -364), to: profile.as_of }}
            >
              <NativeSelect
                size="sm"
                label={m.invoices_show()}
                value={statements === 'only' ? 'statements' : ''}
                data={[
                  { value: '', label: m.invoices_documents() },
                  { value: 'statements', label: m.invoices_statements() },
                ]}
                onChange={({ currentTarget: { value } }) => {
                  change({ documents: value || undefined })
                  setView((last) => ({ ...last, page: 1 }))
                }}
              />
            </UseFilters>
          </div>
        }
        empty={
          <Empty
            icon={<IconReceipt size={20} />}
            title={m.invoices_none_title()}
            text={m.invoices_none_text()}
          >
            <Button variant="default" onClick={() => change({ documents: 'statements' })}>
              {m.invoices_statements()}
            </Button>
          </Empty>
        }
        onClear={
          isNarrowed
            ? () => change({ workspace: undefined, panel: 'all', resource: undefined, documents: undefined })
            : undefined
        }
      />
      {!accounts && query.data && query.data.page.total > 0 && (
        <Archive today={profile.as_of} ticked={ticked} onClear={() => setTicked([])} />
      )}
    </div>
  )
}
