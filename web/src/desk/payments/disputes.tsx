import type { Row } from '../../api/rows.ts'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconCheck } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import cells from '../e-factura/e-factura.module.css'
import { ClientLink } from '../lists/client-link.tsx'
import { useRows } from '../lists/use-rows.ts'
import { disputeStates } from './words.ts'

type Dispute = Row<'desk-disputes'>

/** Until when a dispute that is open is answered, and where. */
function Answer({ row: { status, answer_by, provider, provider_ref } }: { row: Dispute }) {
  return (
    <div className={cells.cell}>
      {status === 'open' && answer_by !== null ? <When moment={answer_by} /> : null}
      {status === 'open' && answer_by === null && <span>{m.desk_dispute_no_day()}</span>}
      <span>{m.desk_dispute_at({ provider, ref: provider_ref })}</span>
    </div>
  )
}

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
