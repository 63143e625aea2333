import { NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { ResourceTable, useView } from '../../components/table/resource-table.tsx'
import { useSearchState } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { debtColumns } from '../dunning/columns.tsx'

/** What each choice narrows the list to. */
const filters = {
  all: {},
  negative: { step: 'negative' },
  warned: { step: 'warned' },
  suspended: { step: 'suspended' },
  held: { held: 'true' },
} as const

type Shown = keyof typeof filters

const names: Record<Shown, () => string> = {
  all: m.desk_dunning_all,
  negative: m.desk_client_negative,
  warned: m.desk_client_warned,
  suspended: m.desk_client_suspended,
  held: m.desk_dunning_on_hold,
}

const isShown = (value: unknown): value is Shown => typeof value === 'string' && Object.hasOwn(filters, value)

const sorts = ['negative_since', '-negative_since', 'account_balance', '-account_balance'] as const

/** Who owes, how much and since when, and what comes next. */
export default function DunningScreen() {
  const [view, change] = useView()
  const [given, setGiven] = useSearchState()
  const shown = isShown(given.show) ? given.show : 'all'
  const query = useQuery({
    ...list('desk-debts', {
      filter: filters[shown],
      sort: sorts.find((one) => one === view.sort) ?? 'negative_since',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  const show = (value?: string) => setGiven({ page: undefined, show: value === 'all' ? undefined : value })
  return (
    <>
      <PageHead title={m.desk_dunning_title()} lead={m.desk_dunning_lead()}>
        <NativeSelect
          size="sm"
          aria-label={m.desk_clients_show()}
          value={shown}
          data={Object.entries(names).map(([value, name]) => ({ value, label: name() }))}
          onChange={({ currentTarget: { value } }) => show(value)}
        />
      </PageHead>
      <ResourceTable
        caption={m.desk_dunning_title()}
        columns={debtColumns()}
        query={query}
        view={{ ...view, sort: view.sort ?? 'negative_since' }}
        onChange={change}
        empty={
          <Empty
            icon={<IconCheck size={20} />}
            title={m.desk_dunning_none()}
            text={m.desk_dunning_none_text()}
          />
        }
        tools={<span />}
        onClear={shown === 'all' ? undefined : () => show()}
      />
    </>
  )
}
