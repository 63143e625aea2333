import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { action, list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { Loaded } from '../../components/loaded.tsx'
import { fineMoney } from '../../components/money/figures.ts'
import { Measured, usageStates } from '../../components/money/measured.tsx'
import type { Column } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { money } from '../../ui/format.ts'
import { Section, SectionBody, SectionList, SectionRow } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import classes from './client.module.css'
import { ClientTable, useOwnView } from './tables.tsx'
import type { Client } from './words.tsx'

type Usage = Row<'usages', 'panel'>
type Props = { client: Client }

// Without a range the server takes its own last 30 days, by its clock.
const sumsOf = (client_id: number) =>
  action('usages', 'summary', { payload: { client_id, group_by: ['panel'] } })

/** What each panel cost, dearest first. */
function ByPanel({ client: { id } }: Props) {
  const query = useQuery(sumsOf(id))
  return (
    <Section id="usage-by-panel" title={m.desk_usage_by_panel()}>
      <Loaded query={query} rows={2}>
        {({ rows, currency }) =>
          rows.length === 0 ? (
            <SectionBody>
              <p>{m.desk_usage_none()}</p>
            </SectionBody>
          ) : (
            <SectionList label={m.desk_usage_by_panel()}>
              {rows
                .toSorted((a, b) => b.rated_amount - a.rated_amount)
                .map(({ key: [panel = ''], label: [name], rated_amount }) => (
                  <SectionRow key={panel} title={name || panel}>
                    <span className="numbers">{money(rated_amount, currency)}</span>
                  </SectionRow>
                ))}
            </SectionList>
          )
        }
      </Loaded>
    </Section>
  )
}

function State({ status }: Pick<Usage, 'status'>) {
  const [tone, name] = usageStates[status]
  return <Status tone={tone}>{name()}</Status>
}

const columns = (): Column<Usage>[] => [
  {
    name: 'day',
    label: m.usage_by_day(),
    sort: 'usage_on',
    cell: ({ usage_on }) => dayInWords(usage_on, language()),
  },
  { name: 'panel', label: m.ticket_panel(), cell: ({ panel }) => panel?.name },
  {
    name: 'resource',
    label: m.usage_resource(),
    cell: ({ resource_name, resource_ref }) => resource_name ?? resource_ref,
  },
  { name: 'lines', label: m.usage_measured(), wide: true, cell: (usage) => <Measured usage={usage} /> },
  { name: 'status', label: m.column_status(), cell: ({ status }) => <State status={status} /> },
  {
    name: 'amount',
    label: m.usage_amount(),
    sort: 'rated_amount',
    number: true,
    cell: ({ rated_amount, currency }) => fineMoney(rated_amount, currency),
  },
]

const sorts = ['usage_on', '-usage_on', 'rated_amount', '-rated_amount'] as const

/** What a client used, and what it cost. */
export function Usage({ client }: Props) {
  const [view, change] = useOwnView()
  const sort = sorts.find((one) => one === view.sort) ?? '-usage_on'
  const query = useQuery({
    ...list('usages', {
      filter: { client_id: client.id },
      include: ['panel'],
      sort,
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <div className={classes.parts}>
      <ByPanel client={client} />
      <ClientTable
        caption={m.desk_tab_usage()}
        columns={columns()}
        query={query}
        view={{ ...view, sort }}
        onChange={change}
        none={m.desk_usage_none()}
      />
    </div>
  )
}
