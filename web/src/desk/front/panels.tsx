import { leastOfWideSearch } from '@portico/contract/fields.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { PanelStatus } from '../../components/panel-status.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { textIn, useSearchState } from '../../components/table/search-state.ts'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconServer } from '../../ui/icons.tsx'
import { Reasons } from '../client/reasons.tsx'
import { ClientLink } from '../lists/client-link.tsx'
import { useRows } from '../lists/use-rows.ts'
import { StateChoice, useShownState } from '../queues/state-choice.tsx'

type Panel = Row<'desk-panels'>

/** What each state is called as a choice; deleted panels are not listed. */
const states = {
  error: { many: m.desk_shown_panels_error },
  plan: { many: m.desk_shown_panels_plan },
  degraded: { many: m.status_degraded },
  suspended: { many: m.desk_shown_panels_suspended },
  provisioning: { many: m.desk_shown_panels_provisioning },
  deleting: { many: m.desk_shown_panels_deleting },
  active: { many: m.desk_shown_panels_active },
} as const satisfies Record<Exclude<Panel['status'], 'deleted'> | 'plan', { many: () => string }>

const columns = (): Column<Panel>[] => [
  {
    name: 'name',
    label: m.column_name(),
    sort: 'name',
    cell: ({ client_id, client_name, name }) => (
      <ClientLink id={client_id} name={name} tab="panels">
        {client_name}
      </ClientLink>
    ),
  },
  { name: 'status', label: m.column_status(), cell: ({ status }) => <PanelStatus status={status} /> },
  {
    name: 'reasons',
    label: m.reasons_said(),
    wide: true,
    cell: ({ reasons }) => <Reasons reasons={reasons} />,
  },
  { name: 'domain', label: m.desk_column_domain(), cell: ({ domain }) => domain },
  { name: 'plan', label: m.desk_column_plan(), cell: ({ plan_code }) => plan_code },
  { name: 'engine', label: m.desk_engines_column(), cell: ({ engine }) => engine },
  {
    name: 'heard',
    label: m.desk_engines_heard(),
    cell: ({ engine_status_at: at }) => at !== null && <When moment={at} />,
  },
]

/** The panels of all clients, newest first. */
export default function PanelsScreen() {
  const [given] = useSearchState()
  const state = useShownState(states, 'all')
  const search = textIn(given.search)
  const rows = useRows('desk-panels', {
    order: '-createdAt',
    sorts: ['name', 'createdAt'],
    filter: {
      ...(state === 'plan' ? { plan_waits: 'true' as const } : { status: state }),
      search: (search ?? '').length >= leastOfWideSearch ? search : undefined,
    },
  })
  return (
    <>
      <PageHead title={m.desk_panels_title()} lead={m.desk_panels_lead()}>
        <StateChoice states={states} first="all" />
      </PageHead>
      <ResourceTable
        caption={m.desk_panels_title()}
        columns={columns()}
        {...rows}
        empty={
          <Empty
            icon={<IconServer size={20} />}
            title={state ? m.desk_panels_none_of_state() : m.desk_panels_none()}
          />
        }
      />
    </>
  )
}
