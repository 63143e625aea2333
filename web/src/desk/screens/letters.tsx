import { PageHead } from '../../components/layout/page-head.tsx'
import { useSignInOptions } from '../../components/sign-in/sign-in-options.ts'
import { ResourceTable } from '../../components/table/resource-table.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconCheck } from '../../ui/icons.tsx'
import { useRows } from '../lists/use-rows.ts'
import { letterColumns, letterStates } from '../queues/columns.tsx'
import { StateChoice, useShownState } from '../queues/state-choice.tsx'

/** The letters of the portal in every state, the newest first. */
export default function LettersScreen() {
  const state = useShownState(letterStates, 'all')
  const { mail } = useSignInOptions()
  const filter = state === undefined ? {} : { state }
  const rows = useRows('desk-letters', { order: '-createdAt', sorts: ['createdAt'], filter })
  return (
    <>
      <PageHead
        title={m.desk_letters_title()}
        lead={mail ? m.desk_letters_lead() : m.desk_letters_no_server()}
      >
        <StateChoice states={letterStates} first="all" />
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
