import { NativeSelect } from '@mantine/core'
import { PageHead } from '../../components/layout/page-head.tsx'
import { ResourceTable } from '../../components/table/resource-table.tsx'
import { useSearchState } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { debtColumns } from '../dunning/columns.tsx'
import { useRows } from '../lists/use-rows.ts'

/** The filter of each choice. */
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
  warned: m.desk_shown_warned,
  suspended: m.desk_shown_suspended,
  held: m.desk_dunning_on_hold,
}

const isShown = (value: unknown): value is Shown => typeof value === 'string' && Object.hasOwn(filters, value)

/** The clients who owe, with amount, since when, and the next step. */
export default function DunningScreen() {
  const [given, setGiven] = useSearchState()
  const shown = isShown(given.show) ? given.show : 'all'
  const rows = useRows('desk-debts', {
    order: 'negative_since',
    sorts: ['negative_since', 'account_balance'],
    filter: filters[shown],
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
        {...rows}
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
