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

/**
 * The account of a list, as a filter: the one in the address; of a person who reads several, and has chosen none, all of
 * them together.
 */
export function useAccountFilter(): { client_id: number | undefined; accounts: 'all' | undefined } {
  const { id, access } = useUser()
  const [given] = useSearchState()
  const client_id = useAccount()
  const isOfAll = idIn(given.account) === undefined && access.billing.some((one) => one !== id)
  return { client_id, accounts: isOfAll ? 'all' : undefined }
}

/** Whose a row is, in a list of several accounts: nothing for the reader's own. */
export function OwnerBadge({ id }: { id: number | undefined }) {
  const { id: own } = useUser()
  const isOther = id !== undefined && id !== own
  const { data } = useQuery({ ...one('clients', id ?? 0), enabled: isOther })
  if (!isOther) return null
  return <span className={classes.owner}>{data ? fullName(data) : m.loading()}</span>
}

/** An account by the name of its owner, as an option. */
export function Owner({ id }: { id: number }) {
  const { data } = useQuery(one('clients', id))
  return <option value={id}>{data ? fullName(data) : m.loading()}</option>
}

/** A choice of accounts, for people with whom others have shared theirs. */
export function AccountChoice({
  opened = 'billing',
  withAll = false,
}: {
  opened?: Opened
  withAll?: boolean
}) {
  const user = useUser()
  const account = useAccount(opened)
  const [given, change] = useSearchState()
  const isOfAll = withAll && idIn(given.account) === undefined
  const others = user.access[opened].filter((id) => id !== user.id)
  if (others.length === 0) return null
  // Filters of one account do not apply to another.
  const choose = (id: number | undefined) =>
    change({ account: id, workspace: undefined, panel: undefined, resource: undefined, page: undefined })
  return (
    <NativeSelect
      className={classes.account ?? ''}
      label={m.account()}
      value={isOfAll ? '' : (account ?? user.id)}
      onChange={({ currentTarget: { value } }) =>
        // Where all are together, one's own is a choice like any other.
        choose(!withAll && Number(value) === user.id ? undefined : idIn(value))
      }
    >
      {withAll && <option value="">{m.tickets_all_accounts()}</option>}
      <option value={user.id}>{fullName(user)}</option>
      {others.map((id) => (
        <Owner key={id} id={id} />
      ))}
    </NativeSelect>
  )
}
