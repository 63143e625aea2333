import { Button, NativeSelect } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconTeam } from '../../ui/more-icons.tsx'
import { Status } from '../../ui/status.tsx'
import { useRows } from '../lists/use-rows.ts'
import own from '../second/request.module.css'
import { Invite } from '../staff/invite.tsx'
import { Limits } from '../staff/limits.tsx'
import { MemberVerbs } from '../staff/member-verbs.tsx'
import { type Member, memberStates, roleNames, stateNames } from '../staff/words.ts'
import classes from './clients.module.css'

const columns = (): Column<Member>[] => [
  {
    name: 'name',
    label: m.desk_column_member(),
    sort: 'display_name',
    cell: ({ display_name, email }) => (
      <div className={classes.name}>
        <strong>{display_name}</strong>
        <span>{email}</span>
      </div>
    ),
  },
  { name: 'role', label: m.desk_column_role(), cell: ({ role }) => roleNames[role]() },
  {
    name: 'status',
    label: m.column_status(),
    cell: ({ state }) => <Status tone={memberStates[state].tone}>{memberStates[state].name()}</Status>,
  },
  {
    name: 'factor',
    label: m.desk_column_second_factor(),
    cell: ({ state, second_factor }) =>
      state !== 'invited' &&
      state !== 'expired' &&
      (second_factor ? m.desk_staff_factor_on() : m.desk_staff_factor_off()),
  },
  {
    name: 'last',
    label: m.desk_column_last_sign_in(),
    cell: ({ last_sign_in_at: at }) => (at === null ? '–' : <When moment={at} />),
  },
  { name: 'opened', label: m.desk_column_opened(), number: true, cell: (member) => member.clients_opened },
  { name: 'verbs', label: m.desk_column_verbs(), cell: (member) => <MemberVerbs member={member} /> },
]

/** The members of staff, with role, second factor and state. */
export default function StaffScreen() {
  const given: { state?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [isInviting, setInviting] = useState(false)
  const state = stateNames.find((one) => one === given.state)
  const rows = useRows('desk-staff', { order: 'display_name', sorts: ['display_name'], filter: { state } })
  const show = (value: string) =>
    void navigate({ to: '.', search: value === '' ? {} : { state: value }, replace: true })
  return (
    <>
      <PageHead title={m.desk_staff_title()} lead={m.desk_staff_lead()}>
        <NativeSelect
          size="sm"
          aria-label={m.desk_staff_show()}
          value={state ?? ''}
          data={[
            { value: '', label: m.desk_staff_all() },
            ...stateNames.map((value) => ({ value, label: memberStates[value].many() })),
          ]}
          onChange={({ currentTarget }) => show(currentTarget.value)}
        />
        <Button onClick={() => setInviting(true)}>{m.desk_staff_invite()}</Button>
      </PageHead>
      <ResourceTable
        caption={m.desk_staff_title()}
        columns={columns()}
        {...rows}
        empty={<Empty icon={<IconTeam size={20} />} title={m.desk_staff_none()} />}
        tools={<span />}
        onClear={state === undefined ? undefined : () => show('')}
      />
      <div className={own.below}>
        <Limits />
      </div>
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </>
  )
}
