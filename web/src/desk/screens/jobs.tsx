import { PageHead } from '../../components/layout/page-head.tsx'
import { ResourceTable } from '../../components/table/resource-table.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { useRows } from '../lists/use-rows.ts'
import { jobColumns, jobStates } from '../queues/columns.tsx'
import { StateChoice, useShownState } from '../queues/state-choice.tsx'

/** The jobs of the portal, those first that are not tried any more. */
export default function JobsScreen() {
  const state = useShownState(jobStates, 'failed')
  const rows = useRows('desk-jobs', { order: '-updatedAt', sorts: ['run_at'], filter: { state } })
  return (
    <>
      <PageHead title={m.desk_jobs_title()} lead={m.desk_jobs_lead()}>
        <StateChoice states={jobStates} first="failed" />
      </PageHead>
      <ResourceTable
        caption={m.desk_jobs_title()}
        columns={jobColumns()}
        {...rows}
        empty={
          <Empty
            icon={<IconCheck size={20} />}
            title={state === 'failed' ? m.desk_jobs_none_failed() : m.desk_jobs_none()}
          />
        }
        tools={<span />}
      />
    </>
  )
}
