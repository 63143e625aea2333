import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import type { Column } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { ClientVerbDialog, clientVerbs } from '../verbs/client-verbs.tsx'
import classes from './client.module.css'
import { ClientTable, useOwnView } from './tables.tsx'
import { type Client, clientName } from './words.tsx'

type SignIn = Row<'desk-sign-ins'>

/** What happened, in words. */
export const signInKinds: Record<SignIn['kind'], () => string> = {
  'signed-in': m.event_signed_in,
  'sign-in-failed': m.event_sign_in_failed,
  'sign-in-blocked': m.event_sign_in_blocked,
  'signed-out': m.event_signed_out,
  'session-ended': m.event_session_ended,
  'refresh-reuse': m.event_refresh_reuse,
  'two-factor-failed': m.event_two_factor_failed,
  'recovery-code-used': m.event_recovery_code_used,
}

const columns = (): Column<SignIn>[] => [
  { name: 'what', label: m.desk_column_event(), cell: ({ kind }) => signInKinds[kind]() },
  { name: 'at', label: m.column_date(), sort: 'at', cell: ({ at }) => <When moment={at} /> },
  { name: 'ip', label: m.desk_column_ip(), cell: ({ ip }) => ip },
  {
    name: 'browser',
    label: m.desk_column_browser(),
    wide: true,
    cell: ({ user_agent }) => <div lang="en">{user_agent}</div>,
  },
]

function EndSessions({ client }: { client: Client }) {
  const [isOpen, setOpen] = useState(false)
  if (!client.may.endSessions || !clientVerbs.endSessions.fits(client)) return null
  const named = { id: client.id, name: clientName(client) }
  return (
    <div className={classes.verbs}>
      <Button variant="default" onClick={() => setOpen(true)}>
        {clientVerbs.endSessions.label()}
      </Button>
      {isOpen && <ClientVerbDialog client={named} name="endSessions" onClose={() => setOpen(false)} />}
    </div>
  )
}

/** When and from where a client signed in, or somebody tried to. */
export function SignIns({ client }: { client: Client }) {
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('desk-sign-ins', {
      filter: { client_id: client.id },
      sort: view.sort === 'at' ? 'at' : '-at',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <EndSessions client={client} />
      <ClientTable
        caption={m.desk_tab_sign_ins()}
        columns={columns()}
        query={query}
        view={{ ...view, sort: view.sort ?? '-at' }}
        onChange={change}
        none={m.desk_sign_ins_none()}
      />
    </>
  )
}
