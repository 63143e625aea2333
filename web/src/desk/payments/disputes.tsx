import type { Row } from '../../api/rows.ts'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconCheck } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import { ClientLink } from '../lists/client-link.tsx'
import { useRows } from '../lists/use-rows.ts'
import { Answer } from './answer.tsx'
import { disputeStates } from './words.ts'

type Dispute = Row<'desk-disputes'>

const columns = (): Column<Dispute>[] => [
  {
    name: 'client',
    label: m.desk_column_client(),
    cell: ({ client_id, client_name }) => (
      <ClientLink id={client_id} name={client_name} tab="payments">
        {m.desk_dispute_evidence()}
      </ClientLink>
    ),
  },
  {
    name: 'since',
    label: m.desk_column_since(),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When moment={createdAt} />,
  },
  {
    name: 'amount',
    label: m.column_total(),
    sort: 'amount',
    number: true,
    cell: ({ amount, currency }) => money(amount, currency),
  },
  {
    name: 'status',
    label: m.column_status(),
    cell: ({ status }) => <Status tone={disputeStates[status].tone}>{disputeStates[status].name()}</Status>,
  },
  {
    name: 'answer',
    label: m.desk_column_answer_by(),
    sort: 'answer_by',
    wide: true,
    cell: (row) => <Answer row={row} />,
  },
  {
    name: 'paid',
    label: m.desk_column_paid(),
    cell: ({ paid_at }) => paid_at !== null && <When moment={paid_at} />,
  },
]

/** Payments that banks took back or ask about, the newest first. */
export function Disputes() {
  const rows = useRows('desk-disputes', { order: '-createdAt', sorts: ['createdAt', 'amount', 'answer_by'] })
  return (
    <ResourceTable
      caption={m.desk_payments_disputes()}
      columns={columns()}
      {...rows}
      empty={
        <Empty
          icon={<IconCheck size={20} />}
          title={m.desk_disputes_none()}
          text={m.desk_disputes_none_text()}
        />
      }
      tools={<span />}
    />
  )
}
