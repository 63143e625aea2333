import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fullName, useUser } from '../../api/queries/user.ts'
import { one } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import { idIn, useSearchState } from '../table/search-state.ts'
import classes from './money.module.css'

/** The kinds of data of an account that can be shared. */
type Opened = 'billing' | 'tickets'

/** The account in the address; undefined is the person's own, as on the server. */
export function useAccount(opened: Opened = 'billing'): number | undefined {
  const { id, access } = useUser()
  const [given] = useSearchState()
  const asked = idIn(given.account)
  return asked !== undefined && asked !== id && access[opened].includes(asked) ? asked : undefined
}

/** An account by the name of its owner, as an option. */
export function Owner({ id }: { id: number }) {
  const { data } = useQuery(one('clients', id))
  return <option value={id}>{data ? fullName(data) : m.loading()}</option>
}

/** A choice of accounts, for people with whom others have shared theirs. */
export function AccountChoice({ opened = 'billing' }: { opened?: Opened }) {
  const user = useUser()
  const account = useAccount(opened)
  const [, change] = useSearchState()
  const others = user.access[opened].filter((id) => id !== user.id)
  if (others.length === 0) return null
  // Filters of one account do not apply to another.
  const choose = (id: number | undefined) =>
    change({ account: id, workspace: undefined, panel: undefined, resource: undefined, page: undefined })
  return (
    <NativeSelect
      className={classes.account ?? ''}
      label={m.account()}
      value={account ?? user.id}
      onChange={({ currentTarget: { value } }) =>
        choose(Number(value) === user.id ? undefined : Number(value))
      }
    >
      <option value={user.id}>{fullName(user)}</option>
      {others.map((id) => (
        <Owner key={id} id={id} />
      ))}
    </NativeSelect>
  )
}
