import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { LogDescription } from '../../components/money/log-description.tsx'
import { cardName } from '../../components/pay/card-words.ts'
import { DocumentNumber } from '../../components/pay/document-number.tsx'
import { paymentStates, purposes } from '../../components/pay/payment-words.ts'
import { Refunds } from '../../components/pay/refunds.tsx'
import type { Column } from '../../components/table/resource-table.tsx'
import { departmentName, TicketStatus } from '../../components/tickets/words.tsx'
import { When } from '../../components/when.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Status } from '../../ui/status.tsx'
import { logColumns } from '../log/columns.tsx'
import { letterColumns } from '../queues/columns.tsx'
import { RefundVerb } from '../refunds/refund.tsx'
import { TransferVerbs } from '../refunds/transfer-verbs.tsx'
import { UndoTransferVerb } from '../refunds/undo-transfer.tsx'
import { Debt, DebtVerb } from '../refunds/write-off-debt.tsx'
import { deskHref } from '../routes.ts'
import { MoneyVerb } from '../verbs/money-verbs.tsx'
import classes from './client.module.css'
import { Means } from './means.tsx'
import { ClientTable, useOwnView } from './tables.tsx'
import type { Client } from './words.tsx'

type Props = { client: Client }

const balanceColumns = (currency: string): Column<Row<'billing-logs'>>[] => [
  { name: 'description', label: m.column_description(), cell: (entry) => <LogDescription entry={entry} /> },
  { name: 'date', label: m.column_date(), sort: 'date', cell: ({ date }) => dayInWords(date, language()) },
  {
    name: 'invoice',
    label: m.column_invoice(),
    cell: ({ invoice }) => invoice && <DocumentNumber document={invoice} />,
  },
  {
    name: 'deposit',
    label: m.column_deposit(),
    number: true,
    cell: ({ deposit }) => deposit !== null && money(deposit, currency),
  },
  {
    name: 'payment',
    label: m.column_payment(),
    number: true,
    cell: ({ payment }) => payment !== null && money(payment, currency),
  },
  {
    name: 'after',
    label: m.column_balance(),
    number: true,
    cell: ({ balance_after }) => money(balance_after, currency),
  },
]

export function Money({ client }: Props) {
  const { id, currency } = client
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('billing-logs', {
      filter: { client_id: id },
      sort: view.sort === 'date' ? 'date' : '-date',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <div className={classes.verbs}>
        <MoneyVerb client={client} name="adjust" />
      </div>
      <ClientTable
        caption={m.desk_tab_money()}
        columns={balanceColumns(currency)}
        query={query}
        view={{ ...view, sort: view.sort ?? '-date' }}
        onChange={change}
        none={m.desk_money_none()}
      />
    </>
  )
}

const paymentColumns = (): Column<Row<'transactions'>>[] => [
  { name: 'purpose', label: m.pay_form(), cell: ({ purpose }) => purposes[purpose]() },
  { name: 'date', label: m.column_date(), cell: ({ createdAt }) => <When moment={createdAt} /> },
  {
    name: 'card',
    label: m.card(),
    cell: ({ card_brand, card_last4 }) => card_last4 !== null && cardName(card_brand, card_last4),
  },
  {
    name: 'gross',
    label: m.column_total(),
    number: true,
    cell: ({ gross, currency }) => money(gross, currency),
  },
  {
    name: 'status',
    label: m.column_status(),
    cell: (payment) => (
      <div>
        <Status tone={paymentStates[payment.status].tone}>{paymentStates[payment.status].name()}</Status>
        <Refunds of={payment} />
        <Debt of={payment} />
      </div>
    ),
  },
  {
    name: 'verbs',
    label: m.desk_column_verbs(),
    cell: (payment) => (
      <>
        <RefundVerb payment={payment} />
        <UndoTransferVerb payment={payment} />
        <TransferVerbs payment={payment} />
        <DebtVerb payment={payment} />
      </>
    ),
  },
]

const paymentVerbs = ['refund', 'recordSentTransfer', 'dropTransfer', 'writeOffDebt'] as const

export function Payments({ client }: Props) {
  const { id } = client
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('transactions', {
      filter: { client_id: id },
      sort: '-createdAt',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  const acts = query.data?.items.some(({ may }) => paymentVerbs.some((verb) => may[verb])) ?? false
  const hidden = new Set([...(client.may.readCards ? [] : ['card']), ...(acts ? [] : ['verbs'])])
  return (
    <>
      {client.may.readCards && <Means client={client} />}
      <ClientTable
        caption={m.desk_tab_payments()}
        columns={paymentColumns().filter(({ name }) => !hidden.has(name))}
        query={query}
        view={view}
        onChange={change}
        none={m.desk_payments_none()}
      />
    </>
  )
}

const ticketColumns = (): Column<Row<'tickets', 'ticketDepartment' | 'assignedAdmin'>>[] => [
  {
    name: 'subject',
    label: m.ticket_subject(),
    cell: ({ id, subject }) => <Link to={deskHref('ticket', { id })}>{subject}</Link>,
  },
  {
    name: 'status',
    label: m.column_status(),
    cell: ({ status }) => <TicketStatus state={status} side="staff" />,
  },
  {
    name: 'department',
    label: m.ticket_department(),
    cell: ({ ticketDepartment }) => ticketDepartment && departmentName(ticketDepartment),
  },
  {
    name: 'assigned',
    label: m.ticket_assigned(),
    cell: ({ assignedAdmin }) => assignedAdmin?.display_name ?? m.ticket_nobody(),
  },
  { name: 'last', label: m.tickets_last(), cell: ({ last_message_at }) => <When moment={last_message_at} /> },
]

export function Tickets({ client: { id } }: Props) {
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('tickets', {
      filter: { client_id: id },
      include: ['ticketDepartment', 'assignedAdmin'],
      sort: '-last_message_at',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <ClientTable
      caption={m.desk_tab_tickets()}
      columns={ticketColumns()}
      query={query}
      view={view}
      onChange={change}
      none={m.tickets_none_title()}
    />
  )
}

export function Letters({ client: { id } }: Props) {
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('desk-letters', {
      filter: { client_id: id },
      sort: view.sort === 'createdAt' ? 'createdAt' : '-createdAt',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <ClientTable
      caption={m.desk_tab_letters()}
      columns={letterColumns().filter(({ name }) => name !== 'to')}
      query={query}
      view={{ ...view, sort: view.sort ?? '-createdAt' }}
      onChange={change}
      none={m.desk_letters_none()}
    />
  )
}

export function Log({ client: { id } }: Props) {
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('staff-actions', {
      filter: { client_id: id },
      sort: '-at',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <ClientTable
      caption={m.desk_tab_log()}
      columns={logColumns().filter(({ name }) => name !== 'client')}
      query={query}
      view={view}
      onChange={change}
      none={m.desk_log_none()}
    />
  )
}
