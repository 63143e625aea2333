import { NativeSelect } from '@mantine/core'
import { useUser } from '../../api/queries/user.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { useSearchState } from '../../components/table/search-state.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconReceipt } from '../../ui/icons.tsx'
import { useRows } from '../lists/use-rows.ts'
import { ChangeRate } from '../vat/change-rate.tsx'
import { TaxGaps } from '../vat/gaps.tsx'
import { RateTimes } from '../vat/times.tsx'
import { percents, placeName } from '../vat/words.ts'

const dayOr = (day: string | null, otherwise: string) =>
  day === null ? otherwise : dayInWords(day, language())

const columns = (): Column<Row<'vat-rates'>>[] => [
  {
    name: 'country',
    label: m.desk_vat_country(),
    sort: 'country',
    cell: ({ country, region }) => placeName(country, region),
  },
  { name: 'rate', label: m.desk_vat_rate(), number: true, cell: ({ rate }) => percents([rate]) },
  { name: 'reduced', label: m.desk_vat_reduced(), cell: ({ reduced }) => percents(reduced) },
  {
    name: 'from',
    label: m.desk_vat_from(),
    sort: 'from_day',
    cell: ({ from_day }) => dayOr(from_day, ''),
  },
  { name: 'to', label: m.desk_vat_to(), cell: ({ to_day }) => dayOr(to_day, m.desk_vat_open()) },
  // Laws have the names of their country.
  { name: 'source', label: m.desk_vat_source(), cell: ({ source }) => source },
]

/** Rates of VAT, and what the tax rules do not support. */
export default function VatRatesScreen() {
  const { staff } = useUser()
  const [given, setGiven] = useSearchState()
  const isPast = given.show === 'past'
  const rows = useRows('vat-rates', {
    order: 'country',
    sorts: ['country', 'from_day'],
    filter: { current: isPast ? 'false' : 'true' },
  })
  return (
    <>
      <PageHead title={m.desk_vat_title()} lead={m.desk_vat_lead()}>
        <NativeSelect
          size="sm"
          aria-label={m.desk_clients_show()}
          value={isPast ? 'past' : 'current'}
          data={[
            { value: 'current', label: m.desk_vat_current() },
            { value: 'past', label: m.desk_vat_past() },
          ]}
          onChange={({ currentTarget: { value } }) =>
            setGiven({ page: undefined, show: value === 'past' ? value : undefined })
          }
        />
        {staff?.role === 'admin' && <ChangeRate />}
      </PageHead>
      <TaxGaps />
      <RateTimes />
      <ResourceTable
        caption={m.desk_vat_title()}
        columns={columns()}
        {...rows}
        empty={<Empty icon={<IconReceipt size={20} />} title={m.desk_vat_none()} />}
        tools={<span />}
      />
    </>
  )
}
