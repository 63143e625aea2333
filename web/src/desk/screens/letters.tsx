import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { ResourceTable, useView } from '../../components/table/resource-table.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { letterColumns, letterStates } from '../queues/columns.tsx'
import { StateChoice, useShownState } from '../queues/state-choice.tsx'

/** The letters of the portal, those first that could not be sent. */
export default function LettersScreen() {
  const [view, change] = useView()
  const state = useShownState(letterStates, 'failed')
  const query = useQuery({
    ...list('desk-letters', {
      filter: { state },
      sort: view.sort === 'createdAt' ? 'createdAt' : '-createdAt',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead title={m.desk_letters_title()} lead={m.desk_letters_lead()}>
        <StateChoice states={letterStates} first="failed" />
      </PageHead>
      <ResourceTable
        caption={m.desk_letters_title()}
        columns={letterColumns()}
        query={query}
        view={{ ...view, sort: view.sort ?? '-createdAt' }}
        onChange={change}
        empty={
          <Empty
            icon={<IconCheck size={20} />}
            title={state === 'failed' ? m.desk_letters_none_failed() : m.desk_letters_none()}
          />
        }
        tools={<span />}
      />
    </>
  )
}
