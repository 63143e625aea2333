import { NativeSelect } from '@mantine/core'
import { leastOfWideSearch } from '@portico/contract/fields.ts'
import type { clientFilter } from '@portico/contract/resources/desk-clients.ts'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { wholeList } from '../../api/query.ts'
import { FilterSheet } from '../../components/table/filter-sheet.tsx'
import { SearchBox } from '../../components/table/search-box.tsx'
import { textIn, useSearchState } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'
import { flagName, flags } from '../client/flags.tsx'
import { useCountries } from '../vat/countries.ts'

export type ClientFilter = z.output<typeof clientFilter>

const shown = ['all', 'owing', 'trial', 'trial_ends', 'plan', 'blocked', 'closed'] as const
type Shown = (typeof shown)[number]

/** The filter of each choice. */
const choices: Record<Shown, ClientFilter> = {
  all: {},
  owing: { owing: 'true' },
  trial: { trial: 'true' },
  trial_ends: { trial_ends: 'true' },
  plan: { plan_waits: 'true' },
  blocked: { status: '0' },
  closed: { status: '4' },
}

const names: Record<Shown, () => string> = {
  all: m.desk_clients_all,
  owing: m.desk_clients_owing,
  trial: m.desk_clients_trial,
  trial_ends: m.desk_clients_trial_ends,
  plan: m.desk_clients_plan_waits,
  blocked: m.desk_clients_blocked,
  closed: m.desk_clients_closed,
}

/** No filter in the address. */
const none = {
  search: undefined,
  show: undefined,
  owing: undefined,
  trial: undefined,
  trial_ends: undefined,
  plan_waits: undefined,
  status: undefined,
  flag: undefined,
  country: undefined,
  currency: undefined,
  list: undefined,
}

const matching = (pattern: RegExp, value: unknown) => {
  const text = textIn(value)
  return text !== undefined && pattern.test(text) ? text : undefined
}

/** The choice that stands for a filter; undefined when none does. */
const shownBy = ({ owing, trial, trial_ends, plan_waits, status }: ClientFilter): Shown | undefined =>
  shown.find((one) => {
    const filter = choices[one]
    return (
      filter.owing === owing &&
      filter.trial === trial &&
      filter.trial_ends === trial_ends &&
      filter.plan_waits === plan_waits &&
      filter.status === status
    )
  })

const yesOrNo = (value: unknown) => (['true', 'false'] as const).find((one) => one === String(value))

/** The filters in the address, as the list takes them, and functions to change or replace them. */
export function useClientFilters() {
  const [given, change] = useSearchState()
  const show = shown.find((one) => one === given.show) ?? 'all'
  const search = textIn(given.search)
  const named = {
    search: (search ?? '').length >= leastOfWideSearch ? search : undefined,
    owing: yesOrNo(given.owing),
    trial: yesOrNo(given.trial),
    trial_ends: yesOrNo(given.trial_ends),
    plan_waits: yesOrNo(given.plan_waits),
    status: (['0', '1', '2', '3', '4'] as const).find((one) => one === String(given.status)),
    flag: flags.find((one) => one === given.flag),
    country: matching(/^[A-Z]{2}$/, given.country),
    currency: matching(/^[A-Z]{3}$/, given.currency),
    list: matching(/^.{1,40}$/, given.list),
  }
  const filter: ClientFilter = Object.fromEntries(
    Object.entries({ ...named, ...choices[show] }).filter(([, value]) => value !== undefined),
  )
  const set = (wanted: Record<string, unknown>) => change({ page: undefined, ...wanted })
  const replace = ({ owing, trial, trial_ends, plan_waits, status, ...rest }: ClientFilter) => {
    const choice = shownBy({ owing, trial, trial_ends, plan_waits, status })
    const chosen =
      choice === undefined
        ? { owing, trial, trial_ends, plan_waits, status }
        : { show: choice === 'all' ? undefined : choice }
    set({ ...none, ...rest, ...chosen })
  }
  return { show, search, filter, set, replace }
}

type Filters = ReturnType<typeof useClientFilters>

/** The codes that an account may be kept in, and the lists of prices. */
function useCodes() {
  const currencies = useQuery(wholeList('currencies', { sort: 'code' }))
  const lists = useQuery(wholeList('price-lists', { sort: 'code' }))
  const codes = (rows: { data?: { items: readonly { code: string }[] } | undefined }) =>
    (rows.data?.items ?? []).map(({ code }) => ({ value: code, label: code }))
  return { currencies: codes(currencies), lists: codes(lists) }
}

/** The search and the filters of the list of clients. */
export function ClientFilters({ show, search, filter: { flag, country, currency, list }, set }: Filters) {
  const countries = useCountries()
  const { currencies, lists } = useCodes()
  const chosen = [show === 'all' ? undefined : show, flag, country, currency, list].filter(Boolean)
  const choice = (name: 'country' | 'currency' | 'list', label: string, any: string) => ({
    size: 'sm',
    'aria-label': label,
    data: [{ value: '', label: any }, ...{ country: countries, currency: currencies, list: lists }[name]],
    value: { country, currency, list }[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      set({ [name]: value || undefined }),
  })
  return (
    <FilterSheet
      count={chosen.length}
      search={<SearchBox value={search ?? ''} onChange={(wanted) => set({ search: wanted || undefined })} />}
    >
      <NativeSelect
        size="sm"
        aria-label={m.desk_clients_show()}
        value={show}
        data={shown.map((value) => ({ value, label: names[value]() }))}
        onChange={({ currentTarget: { value } }) =>
          set({
            owing: undefined,
            trial: undefined,
            trial_ends: undefined,
            plan_waits: undefined,
            status: undefined,
            show: value === 'all' ? undefined : value,
          })
        }
      />
      <NativeSelect
        size="sm"
        aria-label={m.desk_clients_flag()}
        value={flag ?? ''}
        data={[
          { value: '', label: m.desk_flags_any() },
          ...flags.map((value) => ({ value, label: flagName(value) })),
        ]}
        onChange={({ currentTarget: { value } }) => set({ flag: value || undefined })}
      />
      <NativeSelect {...choice('country', m.country(), m.desk_clients_countries())} />
      <NativeSelect {...choice('currency', m.currency(), m.desk_clients_currencies())} />
      <NativeSelect {...choice('list', m.desk_clients_list(), m.desk_clients_lists())} />
    </FilterSheet>
  )
}
