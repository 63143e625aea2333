import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { billingOf } from '../../api/queries/billing.ts'
import { list } from '../../api/query.ts'
import { PeriodFields } from '../../components/dates/date-field.tsx'
import { PageHead } from '../../components/layout/page-head.tsx'
import { AccountChoice, useAccount } from '../../components/money/account.tsx'
import { LogDescription } from '../../components/money/log-description.tsx'
import { type Entry, kindNames } from '../../components/money/log-words.ts'
import { DocumentNumber } from '../../components/pay/document-number.tsx'
import { ExportButton } from '../../components/table/export-button.tsx'
import { PhoneSheet } from '../../components/table/filter-sheet.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { dayIn, useSearchState } from '../../components/table/search-state.ts'
import { useView } from '../../components/table/table-view.ts'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords, shortMonth } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconReceipt } from '../../ui/icons.tsx'
import classes from './billing-log.module.css'

// `Object.keys` loses the type: the record has exactly the types as its keys.
const kinds = Object.keys(kindNames) as Entry['kind'][]

const sorts = ['date', '-date'] as const

const columns = (amount: (value: number | null) => string | false): Column<Entry>[] => [
  { name: 'description', label: m.column_description(), cell: (entry) => <LogDescription entry={entry} /> },
  {
    name: 'period',
    label: m.column_period(),
    onPhone: 'hidden',
    cell: ({ period }) => shortMonth(period, language()),
  },
  { name: 'date', label: m.column_date(), sort: 'date', cell: ({ date }) => dayInWords(date, language()) },
  { name: 'kind', label: m.column_type(), onPhone: 'end', cell: ({ kind }) => kindNames[kind]() },
  {
    name: 'deposit',
    label: m.column_deposit(),
    number: true,
    onPhone: 'aside',
    cell: ({ deposit }) => amount(deposit),
  },
  {
    name: 'payment',
    label: m.column_payment(),
    number: true,
    onPhone: 'aside',
    // On a phone its column has no heading, and what was taken must differ from what came in.
    cell: ({ payment }) => payment !== null && amount(-payment),
  },
  {
    name: 'invoice',
    label: m.column_invoice(),
    cell: ({ invoice }) => invoice && <DocumentNumber document={invoice} />,
  },
  {
    name: 'balance',
    label: m.column_balance(),
    number: true,
    onPhone: 'labelled',
    cell: ({ balance_after }) => (
      <span className={balance_after < 0 ? classes.bad : ''}>{amount(balance_after)}</span>
    ),
  },
]

/** The filters of the log, from the address. */
function useFilter() {
  const client_id = useAccount()
  const [given, change] = useSearchState()
  const filter = {
    client_id,
    kind: kinds.find((one) => one === given.kind),
    from: dayIn(given.from),
    to: dayIn(given.to),
  }
  return { filter, set: (wanted: Record<string, unknown>) => change({ page: undefined, ...wanted }) }
}

function Filters({ filter, set }: ReturnType<typeof useFilter>) {
  return (
    <div className={classes.filters}>
      <PhoneSheet count={[filter.kind, filter.from, filter.to].filter((one) => one !== undefined).length}>
        <NativeSelect
          label={m.column_type()}
          value={filter.kind ?? ''}
          onChange={({ currentTarget: { value } }) => set({ kind: value || undefined })}
        >
          <option value="">{m.log_kind_all()}</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindNames[kind]()}
            </option>
          ))}
        </NativeSelect>
        <PeriodFields from={filter.from} to={filter.to} onChange={set} />
      </PhoneSheet>
    </div>
  )
}

/** Every movement of the balance, newest first, with the balance after it. */
export default function BillingLogScreen() {
  const { filter, set } = useFilter()
  const [view, change] = useView()
  const [cleared, setCleared] = useState(0)
  const query = useQuery({
    ...list('billing-logs', {
      filter,
      sort: sorts.find((one) => one === view.sort) ?? '-date',
      page: { number: view.page, size: view.size },
    }),
    placeholderData: keepPreviousData,
  })
  const currency = useQuery(billingOf(filter.client_id)).data?.items[0]?.currency
  // An empty cell stands for zero, as in books.
  const amount = (value: number | null) => value !== null && currency !== undefined && money(value, currency)
  const isNarrowed = [filter.kind, filter.from, filter.to].some((value) => value !== undefined)
  const clear = () => {
    set({ kind: undefined, from: undefined, to: undefined })
    setCleared(cleared + 1)
  }
  const empty = (
    <Empty icon={<IconReceipt size={20} />} title={m.log_none_title()} text={m.log_none_text()}>
      <Button
        renderRoot={(props) => (
          <Link {...props} to={href('payment')} search={{ account: filter.client_id }} />
        )}
      >
        {m.payment_title()}
      </Button>
    </Empty>
  )
  return (
    <>
      <PageHead title={m.billing_log_title()} lead={m.log_page_lead()}>
        <AccountChoice />
        <ExportButton type="billing-logs" filter={filter} name="billing-log" />
      </PageHead>
      <ResourceTable
        caption={m.billing_log_title()}
        isCompact
        columns={columns(amount)}
        query={query}
        view={{ ...view, sort: view.sort ?? '-date' }}
        onChange={change}
        empty={empty}
        // New fields, because the old ones would keep their typed text after a reset.
        tools={<Filters key={cleared} filter={filter} set={set} />}
        onClear={isNarrowed ? clear : undefined}
      />
    </>
  )
}
