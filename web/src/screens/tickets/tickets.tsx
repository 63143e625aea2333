import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { fullName, useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { ExportButton } from '../../components/table/export-button.tsx'
import { type Column, ResourceTable, useView } from '../../components/table/resource-table.tsx'
import { priorities } from '../../components/tickets/priorities.ts'
import { departmentName, TicketStatus, useSide } from '../../components/tickets/words.tsx'
import { When } from '../../components/when.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconMessages, IconPlus } from '../../ui/icons.tsx'
import { lazily } from '../../ui/loading/lazily.ts'
import { Status } from '../../ui/status.tsx'
import { Filters, useFilter } from './filters.tsx'
import classes from './tickets.module.css'

const RowKeys = lazily(async () => (await import('./row-keys.tsx')).RowKeys)

/** The polling interval of the list, in milliseconds, while the tab is visible. */
const every = 15_000

const sorts = [
  'last_message_at',
  '-last_message_at',
  'createdAt',
  '-createdAt',
  'priority',
  '-priority',
] as const

type Ticket = Row<'tickets', 'client' | 'panel' | 'ticketDepartment' | 'assignedAdmin'>

function Subject({ ticket }: { ticket: Ticket }) {
  const user = useUser()
  const side = useSide()
  const { id, number, subject, client_unread, client, panel, tags } = ticket
  const isUnread = client_unread && side === 'client'
  const owner = side === 'client' && client && client.id !== user.id ? fullName(client) : undefined
  const ofStaff =
    side === 'staff' ? [client && fullName(client), ...(tags ?? []).map((tag) => `#${tag}`)] : []
  const about = [number, panel?.name, ...ofStaff].filter(Boolean)
  return (
    <div className={classes.subject} data-unread={isUnread || undefined}>
      <Link to={href('view-ticket', { id })}>{subject}</Link>
      {owner !== undefined && <span className={classes.owner}>{owner}</span>}
      {isUnread && <span className="unseen">{m.tickets_unread()}</span>}
      <span className={classes.about}>{about.join(' · ')}</span>
    </div>
  )
}

function State({ ticket }: { ticket: Ticket }) {
  return <TicketStatus state={ticket.status} side={useSide()} />
}

function lastWriter({ last_message_by, last_message_author: name }: Ticket): string {
  if (last_message_by === 'staff') return m.tickets_last_support()
  return name === null ? m.tickets_last_you() : m.tickets_last_from({ name })
}

/** The priority, for staff; unusual ones stand out. */
function Priority({ ticket: { priority } }: { ticket: Ticket }) {
  const name = priorities[priority]?.() ?? ''
  if (priority < 3) return name
  return <Status tone={priority === 3 ? 'warn' : 'bad'}>{name}</Status>
}

function Last({ ticket }: { ticket: Ticket }) {
  return (
    <div className={classes.last}>
      <When moment={ticket.last_message_at} />
      <span className={classes.about}>{lastWriter(ticket)}</span>
    </div>
  )
}

function columns(ofStaff: boolean): Column<Ticket>[] {
  return [
    {
      name: 'subject',
      label: m.ticket_subject(),
      onPhone: 'line',
      cell: (ticket) => <Subject ticket={ticket} />,
    },
    { name: 'status', label: m.column_status(), cell: (ticket) => <State ticket={ticket} /> },
    {
      name: 'department',
      label: m.ticket_department(),
      onPhone: 'hidden',
      cell: ({ ticketDepartment }) => ticketDepartment && departmentName(ticketDepartment),
    },
    ...(ofStaff
      ? [
          {
            name: 'priority',
            label: m.ticket_priority(),
            onPhone: 'end' as const,
            sort: 'priority',
            cell: (ticket: Ticket) => <Priority ticket={ticket} />,
          },
          {
            name: 'assigned',
            label: m.ticket_assigned(),
            onPhone: 'line' as const,
            cell: ({ assignedAdmin }: Ticket) => assignedAdmin?.display_name ?? m.ticket_nobody(),
          },
        ]
      : []),
    {
      name: 'last',
      label: m.tickets_last(),
      ...(!ofStaff && { onPhone: 'end' as const }),
      sort: 'last_message_at',
      cell: (ticket) => <Last ticket={ticket} />,
    },
  ]
}

/** The tickets, latest activity first. Staff see the queue of all clients. */
export default function TicketsScreen() {
  const { filter, isOfOne, ...by } = useFilter()
  const [view, change] = useView()
  const ofStaff = useSide() === 'staff'
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
  const open = (
    <Button
      component={Link}
      to={href(
        'add-ticket',
        filter.panel_id === undefined ? {} : { type: 'technical', panel_id: filter.panel_id },
      )}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      {m.tickets_open()}
    </Button>
  )
  const { client_id: _, accounts: __, ...narrowing } = filter
  const isNarrowed = isOfOne || Object.values(narrowing).some((value) => value !== undefined)
  return (
    <>
      <PageHead title={m.tickets_title()} lead={ofStaff ? m.tickets_lead_staff() : m.tickets_lead()}>
        <ExportButton type="tickets" filter={filter} name="tickets" />
        {!ofStaff && open}
      </PageHead>
      {ofStaff && (
        <Suspense>
          <RowKeys />
        </Suspense>
      )}
      <ResourceTable
        caption={m.tickets_title()}
        isCompact
        columns={columns(ofStaff)}
        query={query}
        view={{ ...view, sort: view.sort ?? '-last_message_at' }}
        onChange={change}
        empty={
          <Empty
            icon={<IconMessages size={20} />}
            title={m.tickets_none_title()}
            text={ofStaff ? m.tickets_none_staff() : m.tickets_none_text()}
          >
            {!ofStaff && open}
          </Empty>
        }
        tools={<Filters filter={filter} {...by} />}
        onClear={isNarrowed ? by.clear : undefined}
      />
    </>
  )
}
