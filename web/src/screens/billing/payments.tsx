import { NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { PeriodFields } from '../../components/dates/date-field.tsx'
import { OwnerBadge, useAccountFilter } from '../../components/money/account.tsx'
import { cardName } from '../../components/pay/card-words.ts'
import pay from '../../components/pay/pay.module.css'
import { type Payment, paymentStates, purposes } from '../../components/pay/payment-words.ts'
import { Refunds } from '../../components/pay/refunds.tsx'
import { PhoneSheet } from '../../components/table/filter-sheet.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { dayIn, useSearchState } from '../../components/table/search-state.ts'
import { brief, briefSizes } from '../../components/table/table-sizes.ts'
import type { View } from '../../components/table/table-view.ts'
import { When } from '../../components/when.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconReceipt } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import classes from './billing.module.css'

const sorts = ['createdAt', '-createdAt', 'gross', '-gross'] as const

const columns = (): Column<Row<'transactions', 'invoice'>>[] => [
  {
    name: 'purpose',
    label: m.pay_form(),
    cell: ({ id, purpose, client_id }) => (
      <>
        <Link to={href('payment')} search={{ transaction: id }}>
          {purposes[purpose]()}
        </Link>
        <OwnerBadge id={client_id} />
      </>
    ),
  },
  {
    name: 'date',
    label: m.column_date(),
    sort: 'createdAt',
    cell: ({ createdAt }) => <When moment={createdAt} />,
  },
  {
    name: 'card',
    label: m.card(),
    onPhone: 'hidden',
    cell: ({ card_brand, card_last4 }) => card_last4 !== null && cardName(card_brand, card_last4),
  },
  {
    name: 'gross',
    label: m.column_total(),
    sort: 'gross',
    number: true,
    onPhone: 'aside',
    cell: ({ gross, vat, currency }) => (
      <div>
        {money(gross, currency)}
        <div className={pay.quiet}>{m.payment_vat_in({ vat: money(vat, currency) })}</div>
      </div>
    ),
  },
  {
    name: 'invoice',
    label: m.column_invoice(),
    onPhone: 'hidden',
    cell: ({ invoice }) => invoice?.full_number,
  },
  {
    name: 'status',
    label: m.column_status(),
    onPhone: 'end',
    cell: (payment) => (
      <div>
        <Status tone={paymentStates[payment.status].tone}>{paymentStates[payment.status].name()}</Status>
        <Refunds of={payment} />
      </div>
    ),
  },
]

// `Object.keys` loses the type: the record has exactly the states as its keys. `created` reads as processing,
// like the next state.
const states = (Object.keys(paymentStates) as Payment['status'][]).filter((one) => one !== 'created')

/** The filters of the payments, from the address; days are UTC. */
function useFilter() {
  const whose = useAccountFilter()
  const [given, change] = useSearchState()
  const status = states.find((one) => one === given.status)
  const [from, to] = [dayIn(given.from), dayIn(given.to)]
  return {
    filter: { ...whose, status, from, to },
    isNarrowed: [status, from, to].some((value) => value !== undefined),
    change,
  }
}

function Filters({ filter, change }: ReturnType<typeof useFilter>) {
  return (
    <div className={classes.tools}>
      <PhoneSheet count={[filter.status, filter.from, filter.to].filter((one) => one !== undefined).length}>
        <NativeSelect
          size="sm"
          label={m.column_status()}
          value={filter.status ?? ''}
          onChange={({ currentTarget: { value } }) => change({ status: value || undefined })}
        >
          <option value="">{m.filter_all()}</option>
          {states.map((one) => (
            <option key={one} value={one}>
              {paymentStates[one].name()}
            </option>
          ))}
        </NativeSelect>
        <PeriodFields from={filter.from} to={filter.to} onChange={change} />
      </PhoneSheet>
    </div>
  )
}

/** Every payment, newest first; each links to its outcome, and to the next step if it waits for one. */
export function Payments() {
  const narrowing = useFilter()
  const { filter, isNarrowed, change } = narrowing
  const [view, setView] = useState<View>({ page: 1, size: brief })
  const [cleared, setCleared] = useState(0)
  const clear = () => {
    change({ status: undefined, from: undefined, to: undefined })
    setCleared(cleared + 1)
  }
  const query = useQuery({
    ...list('transactions', {
      filter,
      include: ['invoice'],
      sort: sorts.find((one) => one === view.sort) ?? '-createdAt',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <ResourceTable
      caption={m.payments_title()}
      isCompact
      offered={briefSizes}
      columns={columns()}
      query={query}
      view={{ ...view, sort: view.sort ?? '-createdAt' }}
      onChange={(wanted) => setView((last) => ({ ...last, page: 1, ...wanted }))}
      // New fields, because the old ones would keep their typed text after a reset.
      tools={<Filters key={cleared} {...narrowing} />}
      onClear={isNarrowed ? clear : undefined}
      empty={
        <Empty
          icon={<IconReceipt size={20} />}
          title={m.payments_none_title()}
          text={m.payments_none_text()}
        />
      }
    />
  )
}
