import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import { useRows } from '../lists/use-rows.ts'
import { StateChoice, useShownState } from '../queues/state-choice.tsx'
import classes from '../screens/clients.module.css'
import own from '../second/request.module.css'
import { RequestAbout, RequestInput } from '../second/request.tsx'
import { RequestVerbs } from '../second/request-verbs.tsx'
import { type Request, requestStates } from '../second/words.ts'

/** The state, with when it ends or who decided and why. */
function State({ request }: { request: Request }) {
  const { state, ends_at, decided_by_name: by, decided_reason: why } = request
  return (
    <div className={own.state}>
      <Status tone={requestStates[state].tone}>{requestStates[state].name()}</Status>
      {state === 'open' && (
        <span>
          {m.desk_request_until()} <When moment={ends_at} />
        </span>
      )}
      {by !== null && <span>{`${by}: ${why}`}</span>}
    </div>
  )
}

const columns = (): Column<Request>[] => [
  {
    name: 'what',
    label: m.desk_column_request(),
    wide: true,
    cell: (request) => <RequestAbout request={request} />,
  },
  {
    name: 'input',
    label: m.desk_column_input(),
    wide: true,
    cell: (request) => <RequestInput request={request} />,
  },
  {
    name: 'who',
    label: m.desk_column_asked_by(),
    wide: true,
    cell: ({ asked_by_name, reason }) => (
      <div className={classes.name}>
        <strong>{asked_by_name}</strong>
        <span>{reason}</span>
      </div>
    ),
  },
  {
    name: 'at',
    label: m.column_date(),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When moment={createdAt} />,
  },
  { name: 'status', label: m.column_status(), wide: true, cell: (request) => <State request={request} /> },
  { name: 'verbs', label: m.desk_column_verbs(), cell: (request) => <RequestVerbs request={request} /> },
]

/** The requests to a second person; administrators see all, others their own. */
export default function RequestsScreen() {
  const state = useShownState(requestStates, 'open')
  const rows = useRows('desk-requests', { order: '-createdAt', sorts: ['createdAt'], filter: { state } })
  return (
    <>
      <PageHead title={m.desk_requests_title()} lead={m.desk_requests_lead()}>
        <StateChoice states={requestStates} first="open" />
      </PageHead>
      <ResourceTable
        caption={m.desk_requests_title()}
        columns={columns()}
        {...rows}
        empty={
          <Empty
            icon={<IconCheck size={20} />}
            title={state === 'open' ? m.desk_requests_none_open() : m.desk_requests_none()}
            text={m.desk_requests_none_text()}
          />
        }
        tools={<span />}
      />
    </>
  )
}
