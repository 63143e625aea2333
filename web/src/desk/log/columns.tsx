import { unexplained } from '@portico/contract/resources/staff-actions.ts'
import { Link } from '@tanstack/react-router'
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

function Changes({ changes }: Pick<Action, 'changes'>) {
  if (changes.length === 0) return '–'
  return (
    <details className={classes.changes}>
      <summary>{m.desk_log_changes({ count: changes.length })}</summary>
      {changes.map((change, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of the log never change.
        <Changed key={at} change={change} />
      ))}
    </details>
  )
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
    cell: ({ reason }) => <div>{reason === unexplained ? m.desk_log_unexplained() : reason}</div>,
  },
  {
    name: 'changes',
    label: m.desk_log_changed(),
    wide: true,
    cell: ({ changes }) => <Changes changes={changes} />,
  },
]
