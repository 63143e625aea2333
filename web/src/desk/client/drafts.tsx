import { Button, Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import { useDelete } from '../../api/write.ts'
import { ConfirmDialog } from '../../components/dialogs/confirm.tsx'
import type { Column } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import { type Draft, InvoiceDialog } from '../drafts/invoice-dialog.tsx'
import classes from './client.module.css'
import { ClientTable, useOwnView } from './tables.tsx'
import type { Client } from './words.tsx'

type Of = { client: Client; draft: Draft }

function Discard({ draft: { id }, onClose }: { draft: Draft; onClose: () => void }) {
  const action = useDelete('invoice-drafts')
  return (
    <ConfirmDialog
      title={m.desk_draft_discard_title()}
      text={m.desk_draft_discard_text()}
      verb={m.desk_draft_discard()}
      danger
      action={action}
      onConfirm={() => action.mutate({ id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function Verbs({ client, draft }: Of) {
  const [open, setOpen] = useState<'edit' | 'discard'>()
  const close = () => setOpen(undefined)
  return (
    <Group gap={6}>
      <Button variant="default" size="xs" onClick={() => setOpen('edit')}>
        {m.desk_draft_open()}
      </Button>
      <Button variant="default" size="xs" onClick={() => setOpen('discard')}>
        {m.desk_draft_discard()}
      </Button>
      {open === 'edit' && <InvoiceDialog client={client} draft={draft} onClose={close} />}
      {open === 'discard' && <Discard draft={draft} onClose={close} />}
    </Group>
  )
}

const columns = (client: Client): Column<Draft>[] => [
  {
    name: 'lines',
    label: m.column_description(),
    wide: true,
    cell: ({ lines }) => lines.map(({ description_en }) => description_en).join(', '),
  },
  {
    name: 'net',
    label: m.desk_draft_net(),
    number: true,
    cell: ({ net, currency }) => money(net, currency),
  },
  { name: 'who', label: m.desk_column_who(), cell: ({ author_name }) => author_name },
  { name: 'at', label: m.column_date(), cell: ({ createdAt }) => <When moment={createdAt} /> },
  {
    name: 'verbs',
    label: m.desk_column_verbs(),
    cell: (draft) => <Verbs client={client} draft={draft} />,
  },
]

/** The invoices of a client that staff prepare; nothing where there are none. */
export function Drafts({ client }: { client: Client }) {
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('invoice-drafts', {
      filter: { client_id: client.id },
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  if (query.data?.items.length === 0) return null
  return (
    <section className={classes.drafts}>
      <h2 className={classes.heading}>{m.desk_drafts()}</h2>
      <ClientTable
        caption={m.desk_drafts()}
        columns={columns(client)}
        query={query}
        view={view}
        onChange={change}
        none={m.desk_documents_none()}
      />
    </section>
  )
}
