import { NativeSelect } from '@mantine/core'
import { leastOfWideSearch } from '@portico/contract/fields.ts'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable, SearchBox, useView } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconTeam } from '../../ui/more-icons.tsx'
import { type Flag, Flags, flagName, flags } from '../client/flags.tsx'
import { type Client, ClientStatus, clientName } from '../client/words.tsx'
import { useRows } from '../lists/use-rows.ts'
import { deskHref } from '../routes.ts'
import classes from './clients.module.css'

const shown = ['all', 'owing', 'trial', 'blocked', 'closed'] as const
type Shown = (typeof shown)[number]

/** The filter of each choice. */
const filters = {
  all: {},
  owing: { owing: 'true' },
  trial: { trial: 'true' },
  blocked: { status: '0' },
  closed: { status: '4' },
} as const

const names: Record<Shown, () => string> = {
  all: m.desk_clients_all,
  owing: m.desk_clients_owing,
  trial: m.desk_clients_trial,
  blocked: m.desk_clients_blocked,
  closed: m.desk_clients_closed,
}

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
    label: m.column_balance(),
    number: true,
    cell: ({ available, currency }) => money(available, currency),
  },
  {
    name: 'until',
    label: m.desk_column_until(),
    cell: ({ exhaustion_date, owed_since }) => (
      <span className={classes.day}>
        {owed_since === null ? dayOf(exhaustion_date) : m.desk_owes_since({ day: dayOf(owed_since) })}
      </span>
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
  const [{ search }, change] = useView()
  const given: { show?: unknown; flag?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = shown.find((one) => one === given.show) ?? 'all'
  const flag = flags.find((one) => one === given.flag)
  const narrow = (wanted: { show?: Shown | undefined; flag?: Flag | undefined }) =>
    void navigate({ to: '.', search: { ...given, page: undefined, ...wanted }, replace: true })
  const isLong = (search ?? '').length >= leastOfWideSearch
  const rows = useRows('desk-clients', {
    order: '-createdAt',
    sorts: ['createdAt', 'last_name'],
    filter: { ...filters[show], flag, search: isLong ? search : undefined },
  })
  const clear = () => void navigate({ to: '.', search: {}, replace: true })
  return (
    <>
      <PageHead title={m.desk_clients_title()} lead={m.desk_clients_lead()} />
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
            <SearchBox value={search ?? ''} onChange={(search) => change({ search: search || undefined })} />
            <NativeSelect
              size="sm"
              aria-label={m.desk_clients_show()}
              value={show}
              data={shown.map((value) => ({ value, label: names[value]() }))}
              onChange={(event) => {
                const wanted = shown.find((one) => one === event.currentTarget.value)
                if (wanted) narrow({ show: wanted === 'all' ? undefined : wanted })
              }}
            />
            <NativeSelect
              size="sm"
              aria-label={m.desk_clients_flag()}
              value={flag ?? ''}
              data={[
                { value: '', label: m.desk_flags_any() },
                ...flags.map((value) => ({ value, label: flagName(value) })),
              ]}
              onChange={(event) => narrow({ flag: flags.find((one) => one === event.currentTarget.value) })}
            />
          </>
        }
        onClear={show === 'all' && flag === undefined && search === undefined ? undefined : clear}
      />
    </>
  )
}
