import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { fullName } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { ExportButton } from '../../components/table/export-button.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { useView } from '../../components/table/table-view.ts'
import listed from '../../components/tickets/listed.module.css'
import { every, LastMessage } from '../../components/tickets/listed.tsx'
import { priorities } from '../../components/tickets/priorities.ts'
import { departmentName, TicketStatus } from '../../components/tickets/words.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconMessages } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import { deskHref } from '../routes.ts'
import { QueueFilters, useQueueFilter } from '../ticket/queue-filters.tsx'

const sorts = [
  'last_message_at',
  '-last_message_at',
  'createdAt',
  '-createdAt',
  'priority',
  '-priority',
] as const

type Ticket = Row<'tickets', 'client' | 'panel' | 'ticketDepartment' | 'assignedAdmin'>

function Subject({ ticket, ids }: { ticket: Ticket; ids: readonly number[] }) {
  const search = useSearch({ strict: false })
  const { id, number, subject, client, panel, tags } = ticket
  const about = [number, panel?.name, client && fullName(client), ...(tags ?? []).map((tag) => `#${tag}`)]
  return (
    <div className={listed.subject}>
      <Link to={deskHref('ticket', { id })} state={{ queue: { ids, search } }}>
        {subject}
      </Link>
      <span className={listed.about}>{about.filter(Boolean).join(' · ')}</span>
    </div>
  )
}

/** The priority; unusual ones stand out. */
function Priority({ ticket: { priority } }: { ticket: Ticket }) {
  const name = priorities[priority]?.() ?? ''
  if (priority < 3) return name
  return <Status tone={priority === 3 ? 'warn' : 'bad'}>{name}</Status>
}

const columns = (ids: readonly number[]): Column<Ticket>[] => [
  {
    name: 'subject',
    label: m.ticket_subject(),
    onPhone: 'line',
    cell: (ticket) => <Subject ticket={ticket} ids={ids} />,
  },
  {
    name: 'status',
    label: m.column_status(),
    cell: ({ status }) => <TicketStatus state={status} side="staff" />,
  },
  {
    name: 'department',
    label: m.ticket_department(),
    onPhone: 'hidden',
    cell: ({ ticketDepartment }) => ticketDepartment && departmentName(ticketDepartment),
  },
  {
    name: 'priority',
    label: m.ticket_priority(),
    onPhone: 'end',
    sort: 'priority',
    cell: (ticket) => <Priority ticket={ticket} />,
  },
  {
    name: 'assigned',
    label: m.ticket_assigned(),
    onPhone: 'line',
    cell: ({ assignedAdmin }) => assignedAdmin?.display_name ?? m.ticket_nobody(),
  },
  {
    name: 'last',
    label: m.tickets_last(),
    onPhone: 'line',
    sort: 'last_message_at',
    cell: (ticket) => (
      <LastMessage
        ticket={ticket}
        unnamed={ticket.client ? m.tickets_last_from({ name: fullName(ticket.client) }) : ''}
      />
    ),
  },
]

/** The tickets of all clients, latest activity first. */
export default function QueueScreen() {
  const { filter, set, clear } = useQueueFilter()
  const [view, change] = useView()
  const query = useQuery({
    ...list('tickets', {
      filter,
      include: ['client', 'panel', 'ticketDepartment', 'assignedAdmin'],
      sort: sorts.find((one) => one === view.sort) ?? '-last_message_at',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: every,
  })
  const isNarrowed = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <PageHead title={m.tickets_title()} lead={m.tickets_lead_staff()}>
        <ExportButton type="tickets" filter={filter} name="tickets" />
      </PageHead>
      <ResourceTable
        caption={m.tickets_title()}
        isCompact
        columns={columns(query.data?.items.map(({ id }) => id) ?? [])}
        query={query}
        view={{ ...view, sort: view.sort ?? '-last_message_at' }}
        onChange={change}
        empty={
          <Empty
            icon={<IconMessages size={20} />}
            title={m.tickets_none_title()}
            text={m.tickets_none_staff()}
          />
        }
        tools={<QueueFilters filter={filter} set={set} />}
        onClear={isNarrowed ? clear : undefined}
      />
    </>
  )
}
