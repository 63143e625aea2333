import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullName } from '../../api/queries/user.ts'
import { one } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'

function Owner({ id }: { id: number }) {
  const { data } = useQuery(one('clients', id))
  return <option value={id}>{data ? fullName(data) : m.loading()}</option>
}

type Props = { accounts: readonly number[]; value: number; onChange: (id: number) => void }

/** Chooses the account of the ticket, for people with access to the tickets of others. */
export function Accounts({ accounts, value, onChange }: Props) {
  if (accounts.length < 2) return null
  return (
    <NativeSelect
      label={m.ticket_account()}
      value={value}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    >
      {accounts.map((id) => (
        <Owner key={id} id={id} />
      ))}
    </NativeSelect>
  )
}
