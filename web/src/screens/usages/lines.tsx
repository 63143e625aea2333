import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Narrowing, Range } from '../../api/queries/usage.ts'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { useAccount } from '../../components/money/account.tsx'
import { fineMoney } from '../../components/money/figures.ts'
import { Measured, usageStates } from '../../components/money/measured.tsx'
import { NoUse } from '../../components/money/no-use.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { useView } from '../../components/table/table-view.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Status } from '../../ui/status.tsx'
import classes from './usages.module.css'

type Usage = Row<'usages', 'panel' | 'project' | 'notes'>

const sorts = ['usage_on', '-usage_on', 'rated_amount', '-rated_amount'] as const

function State({ usage: { id, status } }: { usage: Usage }) {
  const [tone, name] = usageStates[status]
  const account = useAccount()
  return (
    <span className={classes.state}>
      <Status tone={tone}>{name()}</Status>
      {status === 'billed' && (
        <Link to={href('pay', { usage_id: id })} search={{ account }}>
          {m.usage_pay()}
        </Link>
      )}
    </span>
  )
}

function Notes({ notes }: { notes: Usage['notes'] }) {
  return notes.map(({ id, note_en, note_ro }) => (
    <p key={id} className={classes.note}>
      {language() === 'ro' ? note_ro : note_en}
    </p>
  ))
}

function Name({ usage: { resource_name, resource_ref, panel, project } }: { usage: Usage }) {
  return (
    <span className={classes.resource}>
      {resource_name ?? resource_ref}
      <span className={classes.place}>{[panel?.name, project?.name].filter(Boolean).join(' · ')}</span>
    </span>
  )
}

const columns = (isOneDay: boolean): Column<Usage>[] => [
  { name: 'resource', label: m.usage_resource(), cell: (usage) => <Name usage={usage} /> },
  ...(isOneDay
    ? []
    : [
        {
          name: 'day',
          label: m.usage_by_day(),
          sort: 'usage_on',
          cell: ({ usage_on }: Usage) => dayInWords(usage_on, language()),
        },
      ]),
  { name: 'lines', label: m.usage_measured(), wide: true, cell: (usage) => <Measured usage={usage} /> },
  { name: 'notes', label: m.usage_notes(), cell: ({ notes }) => <Notes notes={notes} /> },
  { name: 'status', label: m.column_status(), cell: (usage) => <State usage={usage} /> },
  {
    name: 'amount',
    label: m.usage_amount(),
    sort: 'rated_amount',
    number: true,
    cell: ({ rated_amount, currency }) => fineMoney(rated_amount, currency),
  },
]

/** Every resource on every day: its quantity, price and cost, and notes about anything unusual. */
export function Lines({ narrowing, range }: { narrowing: Narrowing; range: Range }) {
  const [view, change] = useView()
  const query = useQuery({
    ...list('usages', {
      filter: { ...narrowing, ...range, search: view.search },
      include: ['panel', 'project', 'notes'],
      sort: sorts.find((one) => one === view.sort) ?? '-usage_on',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <ResourceTable
      caption={m.usage_lines()}
      columns={columns(range.from === range.to)}
      query={query}
      view={view}
      onChange={change}
      empty={<NoUse narrowing={narrowing} />}
    />
  )
}
