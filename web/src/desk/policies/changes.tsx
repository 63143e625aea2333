import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import type { Column } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Section } from '../../ui/section.tsx'
import { ClientTable, useOwnView } from '../client/tables.tsx'
import classes from './changes.module.css'
import { ruleName, ruleValue } from './words.ts'

type Change = Row<'policy-changes'>

const columns = (): Column<Change>[] => [
  { name: 'at', label: m.column_date(), sort: 'at', cell: ({ at }) => <When moment={at} /> },
  { name: 'who', label: m.desk_column_who(), cell: ({ admin_name, caller }) => admin_name ?? caller },
  {
    name: 'changes',
    label: m.desk_log_changed(),
    wide: true,
    cell: ({ changes }) => (
      <ul className={classes.changes}>
        {changes.map((one) => (
          <li key={`${one.policy} ${one.currency} ${one.field}`}>
            {`${ruleName(one)}: ${ruleValue(one, one.before)} → ${ruleValue(one, one.after)}`}
          </li>
        ))}
      </ul>
    ),
  },
  { name: 'reason', label: m.desk_column_reason(), wide: true, cell: ({ reason }) => <div>{reason}</div> },
]

/** The changes of the rules, newest first, with who made each and why. */
export function PolicyChanges() {
  const [view, change] = useOwnView()
  const query = useQuery({
    ...list('policy-changes', {
      sort: view.sort === 'at' ? 'at' : '-at',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Section id="changes" title={m.desk_policies_changes()} lead={m.desk_policies_changes_lead()}>
      <ClientTable
        caption={m.desk_policies_changes()}
        columns={columns()}
        query={query}
        view={{ sort: '-at', ...view }}
        onChange={change}
        none={m.desk_policies_changes_none()}
      />
    </Section>
  )
}
