import {
  migrationReason,
  type OwnReason,
  type unexplained,
} from '@portico/contract/resources/staff-actions.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Row } from '../../api/rows.ts'
import type { Column } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { deskHref } from '../routes.ts'
import classes from './log.module.css'

type Action = Row<'staff-actions'>
type Change = Action['changes'][number]

const said = (value: unknown): string => {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What the origins of writes are called. */
export const origins: Record<Action['origin'], () => string> = {
  desk: m.desk_log_origin_desk,
  portal: m.desk_log_origin_portal,
  cli: m.desk_log_origin_cli,
  sql: m.desk_log_origin_sql,
}

/** The columns that an action changed in one row, before and after. */
function Changed({ change: { table, id, before, after } }: { change: Change }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return (
    <table className={classes.changed}>
      <caption>{`${table} ${id ?? ''}`}</caption>
      <thead>
        <tr>
          <th scope="col">{m.desk_log_column()}</th>
          <th scope="col">{m.desk_log_before()}</th>
          <th scope="col">{m.desk_log_after()}</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{said(before?.[name])}</td>
            <td>{said(after?.[name])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Changes({ changes, changes_total: total }: Pick<Action, 'changes' | 'changes_total'>) {
  const [isOpen, setOpen] = useState(false)
  if (total === 0) return '–'
  return (
    <details className={classes.changes} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{m.desk_log_changes({ count: total })}</summary>
      {isOpen && total > changes.length && <p>{m.desk_log_changes_first({ count: changes.length })}</p>}
      {isOpen &&
        changes.map((change, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries of the log never change.
          <Changed key={at} change={change} />
        ))}
    </details>
  )
}

const ownWords: Record<OwnReason | typeof unexplained, () => string> = {
  unexplained: m.desk_log_unexplained,
  'address of staff changed': m.desk_log_own_address,
  'another token secret': m.desk_log_own_secret,
  'data of the demo': m.desk_log_own_demo,
  'invitation of staff accepted': m.desk_log_own_invitation,
  'link of the first administrator': m.desk_log_own_first,
  'published exchange rates': m.desk_log_own_rates,
  'start of the portal': m.desk_log_own_start,
}

/** A reason as a person gave it, or that of the portal itself in words. */
function Reason({ origin, reason }: Pick<Action, 'origin' | 'reason'>) {
  if (origin === 'desk') return reason
  if (reason.startsWith(migrationReason))
    return m.desk_log_own_migration({ name: reason.slice(migrationReason.length) })
  // Others gave a reason of their own.
  return ownWords[reason as keyof typeof ownWords]?.() ?? reason
}

/** The columns of the log of staff. */
export const logColumns = (): Column<Action>[] => [
  { name: 'at', label: m.column_date(), sort: 'at', cell: ({ at }) => <When moment={at} /> },
  {
    name: 'who',
    label: m.desk_column_who(),
    cell: ({ admin_name, caller, origin, approved_by_name: by }) => (
      <div className={classes.what}>
        {admin_name ?? caller}
        {by !== null && <span>{m.desk_log_approved_by({ name: by })}</span>}
        {origin !== 'desk' && <span>{origins[origin]()}</span>}
      </div>
    ),
  },
  {
    name: 'what',
    label: m.desk_column_action(),
    cell: ({ verb, resource_type, ref }) => (
      <div className={classes.what}>
        <code>{verb}</code>
        <span>{`${resource_type} ${ref ?? ''}`}</span>
      </div>
    ),
  },
  {
    name: 'client',
    label: m.account(),
    cell: ({ client_id: id, client_name }) =>
      id !== null && <Link to={deskHref('client', { id, tab: 'log' })}>{client_name || id}</Link>,
  },
  {
    name: 'reason',
    label: m.desk_column_reason(),
    wide: true,
    cell: (action) => (
      <div>
        <Reason {...action} />
      </div>
    ),
  },
  {
    name: 'changes',
    label: m.desk_log_changed(),
    wide: true,
    cell: (action) => <Changes {...action} />,
  },
]
