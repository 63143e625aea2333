import { PageHead } from '../../components/layout/page-head.tsx'
import { ResourceTable } from '../../components/table/resource-table.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { useRows } from '../lists/use-rows.ts'
import { letterColumns, letterStates } from '../queues/columns.tsx'
import { StateChoice, useShownState } from '../queues/state-choice.tsx'

/** The letters of the portal, those first that could not be sent. */
export default function LettersScreen() {
  const state = useShownState(letterStates, 'failed')
  const rows = useRows('desk-letters', { order: '-createdAt', sorts: ['createdAt'], filter: { state } })
  return (
    <>
      <PageHead title={m.desk_letters_title()} lead={m.desk_letters_lead()}>
        <StateChoice states={letterStates} first="failed" />
      </PageHead>
      <ResourceTable
        caption={m.desk_letters_title()}
        columns={letterColumns()}
        {...rows}
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
