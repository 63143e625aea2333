import { Link } from '@tanstack/react-router'
import { useUser } from '../../api/queries/user.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconTeam } from '../../ui/more-icons.tsx'
import { Flags } from '../client/flags.tsx'
import { type Client, ClientStatus, clientName } from '../client/words.tsx'
import { ExportClients } from '../clients/export.tsx'
import { ClientFilters, useClientFilters } from '../clients/filters.tsx'
import { ClientViews } from '../clients/views.tsx'
import { useRows } from '../lists/use-rows.ts'
import { deskHref } from '../routes.ts'
import classes from './clients.module.css'

const dayOf = (day: string | null): string => (day === null ? '' : dayInWords(day, language()))

const columns = (): Column<Client>[] => [
  {
    name: 'name',
    label: m.column_name(),
    sort: 'last_name',
    cell: (client) => (
      <div className={classes.name}>
        <Link to={deskHref('client', { id: client.id })}>{clientName(client)}</Link>
        <span>{[client.email, client.country].filter(Boolean).join(' · ')}</span>
      </div>
    ),
  },
  {
    name: 'status',
    label: m.column_status(),
    cell: (client) => (
      <div className={classes.states}>
        <ClientStatus client={client} />
        <Flags client={client} />
      </div>
    ),
  },
  {
    name: 'available',
    label: m.desk_clients_balance(),
    number: true,
    cell: ({ available, currency }) => money(available, currency),
  },
  {
    name: 'until',
    label: m.desk_column_until(),
    cell: ({ exhaustion_date, owed_since }) =>
      owed_since === null ? (
        exhaustion_date && <span className={classes.day}>{dayOf(exhaustion_date)}</span>
      ) : (
        // The words may be on a line of their own, so that the row fits.
        <span className={classes.owes}>{m.desk_owes_since({ day: dayOf(owed_since) })}</span>
      ),
  },
  { name: 'panels', label: m.desk_column_panels(), number: true, cell: ({ panels }) => panels },
  { name: 'tickets', label: m.desk_column_tickets(), number: true, cell: ({ open_tickets }) => open_tickets },
  {
    name: 'since',
    label: m.desk_column_since(),
    sort: 'createdAt',
    cell: ({ createdAt }) => <span className={classes.day}>{dayOf(createdAt)}</span>,
  },
]

/** Every client, newest first. */
export default function ClientsScreen() {
  const { staff } = useUser()
  const filters = useClientFilters()
  const { filter, replace } = filters
  const rows = useRows('desk-clients', {
    order: '-createdAt',
    sorts: ['createdAt', 'last_name'],
    filter,
  })
  const isNarrow = filters.search !== undefined || Object.keys(filter).length > 0
  return (
    <>
      <PageHead title={m.desk_clients_title()} lead={m.desk_clients_lead()}>
        {staff?.role === 'admin' && <ExportClients filter={filter} />}
      </PageHead>
      <ResourceTable
        caption={m.desk_clients_title()}
        columns={columns()}
        {...rows}
        empty={
          <Empty
            icon={<IconTeam size={20} />}
            title={m.desk_clients_none_title()}
            text={m.desk_clients_none_text()}
          />
        }
        tools={
          <>
            <ClientFilters {...filters} />
            <ClientViews filter={filter} onShow={replace} />
          </>
        }
        onClear={isNarrow ? () => replace({}) : undefined}
      />
    </>
  )
}
