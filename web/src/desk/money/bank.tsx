import { Button, Group, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { SearchBox } from '../../components/table/search-box.tsx'
import { useView } from '../../components/table/table-view.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconReceipt } from '../../ui/icons.tsx'
import { ConfirmAll } from '../bank/confirm-all.tsx'
import { ImportDialog } from '../bank/import-dialog.tsx'
import { Imports } from '../bank/imports.tsx'
import { LineVerbs } from '../bank/line-verbs.tsx'
import { type Line, Payer, Whose } from '../bank/line-words.tsx'
import { useRows } from '../lists/use-rows.ts'

/** The filter of each choice. */
const filters = {
  certain: { state: 'open', match: 'certain' },
  likely: { state: 'open', match: 'likely' },
  none: { state: 'open', match: 'none' },
  open: { state: 'open' },
  doubtful: { state: 'doubtful' },
  matched: { state: 'matched' },
  ignored: { state: 'ignored' },
  returned: { state: 'returned' },
  taken_back: { state: 'taken_back' },
  same: { state: 'same' },
} as const

type Shown = keyof typeof filters

const names: Record<Shown, () => string> = {
  open: m.desk_bank_open,
  certain: m.desk_bank_certain,
  likely: m.desk_bank_likely,
  none: m.desk_bank_none,
  doubtful: m.desk_bank_shown_doubtful,
  matched: m.desk_bank_shown_matched,
  ignored: m.desk_bank_shown_ignored,
  returned: m.desk_bank_shown_returned,
  taken_back: m.desk_bank_shown_taken_back,
  same: m.desk_bank_shown_same,
}

/** The names of one line; those of the choices are of many. */
const lineNames: Record<Exclude<Shown, 'open'>, () => string> = {
  certain: m.desk_bank_line_certain,
  likely: m.desk_bank_line_likely,
  none: m.desk_bank_line_none,
  matched: m.desk_bank_line_matched,
  ignored: m.desk_bank_line_ignored,
  returned: m.desk_bank_line_returned,
  taken_back: m.desk_bank_line_taken_back,
  doubtful: m.desk_bank_line_doubtful,
  same: m.desk_bank_line_same,
}

const isShown = (value: unknown): value is Shown => typeof value === 'string' && Object.hasOwn(filters, value)

const columns = (): Column<Line>[] => [
  { name: 'payer', label: m.desk_bank_payer(), wide: true, cell: (line) => <Payer line={line} /> },
  {
    name: 'day',
    label: m.desk_bank_day(),
    sort: 'booked_on',
    cell: ({ booked_on }) => dayInWords(booked_on, language()),
  },
  {
    name: 'amount',
    label: m.desk_amount(),
    sort: 'amount',
    number: true,
    cell: ({ amount, currency }) => money(amount, currency),
  },
  {
    name: 'match',
    label: m.desk_bank_match_column(),
    cell: ({ state, match }) => lineNames[state === 'open' ? match : state](),
  },
  { name: 'whose', label: m.desk_bank_whose(), wide: true, cell: (line) => <Whose line={line} /> },
  { name: 'verbs', label: m.desk_column_verbs(), cell: (line) => <LineVerbs line={line} /> },
]

/** Imports a statement, and confirms what is certain. */
function Verbs() {
  const [open, setOpen] = useState<'import' | 'confirm'>()
  const { staff } = useUser()
  const { data } = useQuery(list('bank-lines', { filter: filters.certain, page: { number: 1, size: 10 } }))
  const count = data?.page.total ?? 0
  if (staff?.role !== 'billing' && staff?.role !== 'admin') return null
  const close = () => setOpen(undefined)
  return (
    <Group gap={8}>
      {count > 0 && <Button onClick={() => setOpen('confirm')}>{m.desk_bank_confirm({ count })}</Button>}
      <Button variant="default" onClick={() => setOpen('import')}>
        {m.desk_bank_import()}
      </Button>
      {open === 'import' && <ImportDialog onClose={close} />}
      {open === 'confirm' && <ConfirmAll count={count} onClose={close} />}
    </Group>
  )
}

/** Leads to the lines that may be there twice, while there are any. */
function DoubtfulLink() {
  const { data } = useQuery(list('bank-lines', { filter: filters.doubtful, page: { number: 1, size: 10 } }))
  const count = data?.page.total ?? 0
  if (count === 0) return null
  return (
    <Link to="." search={{ show: 'doubtful' }}>
      {m.desk_bank_doubtful_link({ count })}
    </Link>
  )
}

/** Money that came to the bank account, and whose it is. */
export default function BankScreen() {
  const [{ search }, change] = useView()
  const given: { show?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const shown = isShown(given.show) ? given.show : 'open'
  const rows = useRows('bank-lines', {
    order: '-booked_on',
    sorts: ['booked_on', 'amount'],
    filter: { ...filters[shown], ...(search !== undefined && { search }) },
  })
  const show = (value: string) => void navigate({ to: '.', search: { show: value }, replace: true })
  return (
    <>
      <PageHead title={m.desk_bank_title()} lead={m.desk_bank_lead()}>
        <NativeSelect
          size="sm"
          aria-label={m.desk_clients_show()}
          value={shown}
          data={Object.entries(names).map(([value, label]) => ({ value, label: label() }))}
          onChange={({ currentTarget: { value } }) => show(value)}
        />
        {shown !== 'doubtful' && <DoubtfulLink />}
        <Verbs />
      </PageHead>
      <ResourceTable
        caption={m.desk_bank_title()}
        columns={columns()}
        {...rows}
        empty={
          <Empty
            icon={<IconReceipt size={20} />}
            title={shown === 'open' ? m.desk_bank_empty() : m.nothing_found()}
            text={m.desk_bank_empty_text()}
          />
        }
        tools={<SearchBox value={search ?? ''} onChange={(search) => change({ search })} />}
      />
      <Imports />
    </>
  )
}
