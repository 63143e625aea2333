import { Group } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { PanelStatus } from '../../components/panel-status.tsx'
import type { Column } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { money } from '../../ui/format.ts'
import classes from '../client/client.module.css'
import { Reasons } from '../client/reasons.tsx'
import { ClientTable, useOwnView } from '../client/tables.tsx'
import type { Client } from '../client/words.tsx'
import { PanelMenu } from './panel-menu.tsx'
import { PanelPlan } from './panel-plan.tsx'
import { PanelVerb } from './panel-verb.tsx'

/** What the desk knows of panels besides, by their id. */
type Known = ReadonlyMap<number, Row<'desk-panels'>>

function Lag({ of }: { of: Row<'desk-panels'> | undefined }) {
  return of?.used_through ? <When moment={of.used_through} /> : null
}

const panelColumns = (client: Client, known: Known): Column<Row<'panels'>>[] => [
  {
    name: 'name',
    label: m.column_name(),
    cell: ({ name, domain }) => (
      <div className={classes.name}>
        <span>{name}</span>
        {domain && <span>{domain}</span>}
      </div>
    ),
  },
  {
    name: 'status',
    label: m.column_status(),
    // Few panels have problems, so they have no column of their own.
    cell: ({ status, reasons }) => (
      <div>
        <PanelStatus status={status} />
        <Reasons reasons={reasons} />
      </div>
    ),
  },
  { name: 'plan', label: m.desk_column_plan(), cell: (panel) => <PanelPlan panel={panel} /> },
  { name: 'lag', label: m.desk_column_used_through(), cell: ({ id }) => <Lag of={known.get(id)} /> },
  {
    name: 'cost',
    label: m.desk_column_month_cost(),
    number: true,
    cell: ({ id }) => {
      const of = known.get(id)
      return of && money(of.month_cost, of.currency)
    },
  },
  { name: 'since', label: m.desk_column_since(), cell: ({ createdAt }) => <When moment={createdAt} /> },
  {
    name: 'verbs',
    label: m.desk_column_verbs(),
    cell: (panel) => (
      <Group gap={6} wrap="nowrap">
        <PanelVerb client={client} panel={panel} />
        <PanelMenu client={client} panel={panel} />
      </Group>
    ),
  },
]

/** The panels of a client, with what the desk knows of them besides. */
export function ClientPanels({ client }: { client: Client }) {
  const { id } = client
  const [view, change] = useOwnView()
  const shown = {
    filter: { client_id: id },
    sort: '-createdAt',
    page: { number: view.page, size: view.size },
  } as const
  const query = useQuery({ ...list('panels', shown), placeholderData: keepPreviousData })
  const atDesk = useQuery({ ...list('desk-panels', shown), placeholderData: keepPreviousData })
  const known = new Map(atDesk.data?.items.map((panel) => [panel.id, panel]))
  return (
    <ClientTable
      caption={m.desk_tab_panels()}
      columns={panelColumns(client, known)}
      query={query}
      view={view}
      onChange={change}
      none={m.desk_panels_none()}
    />
  )
}
