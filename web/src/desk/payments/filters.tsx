import { NativeSelect } from '@mantine/core'
import { leastOfWideSearch } from '@portico/contract/fields.ts'
import { paymentTakers } from '@portico/contract/resources/desk-payments.ts'
import type { Row } from '../../api/rows.ts'
import { amountIn } from '../../components/money/amount.ts'
import { paymentStates } from '../../components/pay/payment-words.ts'
import { FilterSheet } from '../../components/table/filter-sheet.tsx'
import { SearchBox } from '../../components/table/search-box.tsx'
import { dayIn, idIn, textIn, useSearchState } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'
import { Chip } from '../lists/chip.tsx'
import { ClientChip } from '../lists/client-chip.tsx'
import { DayFields } from '../lists/day-fields.tsx'
import classes from '../lists/lists.module.css'
import { providerName } from '../reports/cells.tsx'

type Status = Row<'desk-payments'>['status']
export type State = 'failed' | 'waiting' | 'settled'

/** Two states of the same name are one choice too many: `created` lasts a moment. */
const statuses: Readonly<Record<State, readonly Status[]>> = {
  failed: ['failed'],
  waiting: ['processing', 'requires_action'],
  settled: ['succeeded', 'partially_refunded', 'refunded', 'disputed'],
}

/** The statuses among which a list of a state can be narrowed further. */
const statusesOf = (state: State | undefined): readonly Status[] =>
  state === undefined ? [...Object.values(statuses).flat(), 'canceled'] : statuses[state]

/** The filters that name payments: such are not looked for in the last days alone. */
function namedIn(given: Readonly<Record<string, unknown>>) {
  const search = textIn(given.search) ?? ''
  return {
    search: search.length >= leastOfWideSearch ? search : undefined,
    client_id: idIn(given.client),
    amount: amountIn(textIn(given.amount) ?? '')?.toFixed(2),
    from: dayIn(given.from),
    to: dayIn(given.to),
  }
}

/** The filters in the address. */
export function usePaymentFilters(state: State | undefined) {
  const [given, change] = useSearchState()
  const named = namedIn(given)
  const isNamed = Object.values(named).some((one) => one !== undefined)
  const filter = {
    ...named,
    state,
    provider: paymentTakers.find((one) => one === given.provider),
    status: statusesOf(state).find((one) => one === given.status),
    days: given.days === 'all' || isNamed ? undefined : ('90' as const),
  }
  const typed = { search: textIn(given.search) ?? '', amount: textIn(given.amount) ?? '' }
  return {
    filter,
    typed,
    change: (wanted: Record<string, unknown>) => change({ page: undefined, ...wanted }),
  }
}

type Filters = ReturnType<typeof usePaymentFilters>

/** The filters that the list has by itself, or by the link that led here. */
export function PaymentChips({ filter: { client_id, days }, change }: Filters) {
  return (
    <div className={classes.chips}>
      {client_id !== undefined && (
        <ClientChip id={client_id} onRemove={() => change({ client: undefined })} />
      )}
      {days !== undefined && <Chip name={m.desk_chip_days()} onRemove={() => change({ days: 'all' })} />}
    </div>
  )
}

function Choices({ filter: { state, provider, status }, change }: Filters) {
  const all = statusesOf(state)
  return (
    <>
      <NativeSelect
        size="sm"
        aria-label={m.desk_report_provider()}
        value={provider ?? ''}
        data={[
          { value: '', label: m.desk_payments_providers() },
          ...paymentTakers.map((value) => ({ value, label: providerName({ provider: value }) })),
        ]}
        onChange={({ currentTarget: { value } }) => change({ provider: value || undefined })}
      />
      {all.length > 1 && (
        <NativeSelect
          size="sm"
          aria-label={m.column_status()}
          value={status ?? ''}
          data={[
            { value: '', label: m.desk_payments_statuses() },
            ...all.map((value) => ({ value, label: paymentStates[value].name() })),
          ]}
          onChange={({ currentTarget: { value } }) => change({ status: value || undefined })}
        />
      )}
    </>
  )
}

/** The search and the filters of the list of payments. */
export function PaymentFilters(filters: Filters) {
  const { filter, typed, change } = filters
  const set = [filter.provider, filter.status, filter.amount, filter.from, filter.to]
  return (
    <FilterSheet
      count={set.filter(Boolean).length}
      search={
        <SearchBox
          label={m.desk_payments_search()}
          value={typed.search}
          onChange={(search) => change({ search: search || undefined })}
        />
      }
    >
      <Choices {...filters} />
      <SearchBox
        label={m.column_total()}
        inputMode="decimal"
        value={typed.amount}
        isWrong={typed.amount !== '' && filter.amount === undefined}
        onChange={(amount) => change({ amount: amount || undefined })}
      />
      <DayFields from={filter.from} to={filter.to} change={change} />
    </FilterSheet>
  )
}
