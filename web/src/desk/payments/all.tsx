import type { Row } from '../../api/rows.ts'
import { cardName } from '../../components/pay/card-words.ts'
import { paymentStates, purposes } from '../../components/pay/payment-words.ts'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { When } from '../../components/when.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconReceipt } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import cells from '../e-factura/e-factura.module.css'
import { ClientLink } from '../lists/client-link.tsx'
import { useRows } from '../lists/use-rows.ts'
import { PaymentChips, PaymentFilters, type State, usePaymentFilters } from './filters.tsx'
import { providersWords, whyRefused } from './refused-words.ts'

type Payment = Row<'desk-payments'>

/** Why a payment failed, in our words, or in those of the provider where its code is new to us. */
function Why({ row: { status, failure_code, failure_message, paid_since } }: { row: Payment }) {
  const { tone, name } = paymentStates[status]
  const theirs = providersWords(failure_code, failure_message)
  return (
    <div className={cells.cell}>
      <Status tone={tone}>{name()}</Status>
      {status === 'failed' && <span>{whyRefused(failure_code)}</span>}
      {theirs !== null && <span lang="en">{theirs}</span>}
      {paid_since && <span>{m.desk_payments_paid_since()}</span>}
    </div>
  )
}

/** The card, or the bank, and the reference by which its provider knows the payment. */
function Means({ row: { method, card_brand, card_last4, reference } }: { row: Payment }) {
  return (
    <div className={cells.cell}>
      {card_last4 !== null && <span>{cardName(card_brand, card_last4)}</span>}
      {card_last4 === null && method === 'bank_transfer' && <span>{purposes.bank_transfer()}</span>}
      {reference !== null && <span>{reference}</span>}
    </div>
  )
}

const columns = (): Column<Payment>[] => [
  {
    name: 'client',
    label: m.desk_column_client(),
    cell: ({ client_id, client_name, purpose }) => (
      <ClientLink id={client_id} name={client_name} tab="payments">
        {purposes[purpose]()}
      </ClientLink>
    ),
  },
  {
    name: 'date',
    label: m.column_date(),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When moment={createdAt} />,
  },
  {
    name: 'gross',
    label: m.column_total(),
    number: true,
    cell: ({ gross, currency }) => money(gross, currency),
  },
  { name: 'means', label: m.desk_payments_means(), cell: (row) => <Means row={row} /> },
  { name: 'status', label: m.column_status(), wide: true, cell: (row) => <Why row={row} /> },
  { name: 'tries', label: m.desk_column_attempts(), number: true, cell: ({ tries }) => tries || '' },
  {
    name: 'next',
    label: m.desk_column_next(),
    cell: ({ next_at }) => next_at !== null && <When moment={next_at} />,
  },
]

/** Shown while one of the rows has been tried again, or will be. */
const ofTries: ReadonlySet<string> = new Set(['tries', 'next'])

const none = {
  search: undefined,
  client: undefined,
  provider: undefined,
  status: undefined,
  amount: undefined,
  from: undefined,
  to: undefined,
  days: 'all',
}

/** Payments of all clients in a state, of the last days at first. */
export function AllPayments({ state }: { state: State | undefined }) {
  const filters = usePaymentFilters(state)
  const { filter, change } = filters
  const rows = useRows('desk-payments', { order: '-createdAt', sorts: ['createdAt'], filter })
  const items = rows.query.data?.items ?? []
  const isTried = items.some(({ tries, next_at }) => tries > 0 || next_at !== null)
  const isNarrow = Object.entries(filter).some(([name, one]) => name !== 'state' && one !== undefined)
  return (
    <ResourceTable
      caption={m.desk_payments_title()}
      columns={columns().filter(({ name }) => isTried || !ofTries.has(name))}
      {...rows}
      empty={
        <Empty
          icon={<IconReceipt size={20} />}
          title={state === undefined && !isNarrow ? m.desk_payments_none() : m.desk_payments_nothing()}
        />
      }
      tools={
        <>
          <PaymentFilters {...filters} />
          <PaymentChips {...filters} />
        </>
      }
      onClear={isNarrow ? () => change(none) : undefined}
    />
  )
}
