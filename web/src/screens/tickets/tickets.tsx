import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fullName, useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { ExportButton } from '../../components/table/export-button.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { useView } from '../../components/table/table-view.ts'
import listed from '../../components/tickets/listed.module.css'
import { every, LastMessage } from '../../components/tickets/listed.tsx'
import { departmentName, TicketStatus } from '../../components/tickets/words.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconMessages, IconPlus } from '../../ui/icons.tsx'
import { Filters, useFilter } from './filters.tsx'
import classes from './tickets.module.css'

const sorts = ['last_message_at', '-last_message_at', 'createdAt', '-createdAt'] as const

type Ticket = Row<'tickets', 'client' | 'panel' | 'ticketDepartment'>

function Subject({ ticket }: { ticket: Ticket }) {
  const user = useUser()
  const { id, number, subject, client_unread: isUnread, client, panel } = ticket
  const owner = client && client.id !== user.id ? fullName(client) : undefined
  const about = [number, panel?.name].filter(Boolean)
  return (
    <div className={listed.subject} data-unread={isUnread || undefined}>
      <Link to={href('view-ticket', { id })}>{subject}</Link>
      {owner !== undefined && <span className={classes.owner}>{owner}</span>}
      {isUnread && <span className="unseen">{m.tickets_unread()}</span>}
      <span className={listed.about}>{about.join(' · ')}</span>
    </div>
  )
}

function columns(): Column<Ticket>[] {
  return [
    {
      name: 'subject',
      label: m.ticket_subject(),
      onPhone: 'line',
      cell: (ticket) => <Subject ticket={ticket} />,
    },
    {
      name: 'status',
      label: m.column_status(),
      cell: ({ status }) => <TicketStatus state={status} side="client" />,
    },
    {
      name: 'department',
      label: m.ticket_department(),
      onPhone: 'hidden',
      cell: ({ ticketDepartment }) => ticketDepartment && departmentName(ticketDepartment),
    },
    {
      name: 'last',
      label: m.tickets_last(),
      onPhone: 'end',
      sort: 'last_message_at',
      cell: (ticket) => <LastMessage ticket={ticket} unnamed={m.tickets_last_you()} />,
    },
  ]
}

/** The tickets, latest activity first. */
export default function TicketsScreen() {
  const { filter, isOfOne, ...by } = useFilter()
  const [view, change] = useView()
  const query = useQuery({
    ...list('tickets', {
      filter,
      include: ['client', 'panel', 'ticketDepartment'],
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
      <PageHead title={m.tickets_title()} lead={m.tickets_lead()}>
        <ExportButton type="tickets" filter={filter} name="tickets" />
        {open}
      </PageHead>
      <ResourceTable
        caption={m.tickets_title()}
        isCompact
        columns={columns()}
        query={query}
        view={{ ...view, sort: view.sort ?? '-last_message_at' }}
        onChange={change}
        empty={
          <Empty
            icon={<IconMessages size={20} />}
            title={m.tickets_none_title()}
            text={m.tickets_none_text()}
          >
            {open}
          </Empty>
        }
        tools={<Filters filter={filter} {...by} />}
        onClear={isNarrowed ? by.clear : undefined}
      />
    </>
  )
}
