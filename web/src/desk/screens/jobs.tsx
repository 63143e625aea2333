import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { ResourceTable, useView } from '../../components/table/resource-table.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { jobColumns, jobStates } from '../queues/columns.tsx'
import { StateChoice, useShownState } from '../queues/state-choice.tsx'

const sorts = ['run_at', '-run_at'] as const

/** The jobs of the portal, those first that are not tried any more. */
export default function JobsScreen() {
  const [view, change] = useView()
  const state = useShownState(jobStates, 'failed')
  const query = useQuery({
    ...list('desk-jobs', {
      filter: { state },
      sort: sorts.find((one) => one === view.sort) ?? '-updatedAt',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead title={m.desk_jobs_title()} lead={m.desk_jobs_lead()}>
        <StateChoice states={jobStates} first="failed" />
      </PageHead>
      <ResourceTable
        caption={m.desk_jobs_title()}
        columns={jobColumns()}
        query={query}
        view={view}
        onChange={change}
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
