import { useUser } from '../../api/queries/user.ts'
import type { Row } from '../../api/rows.ts'
import { PageHead } from '../../components/layout/page-head.tsx'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { IconReceipt } from '../../ui/icons.tsx'
import { useRows } from '../lists/use-rows.ts'
import classes from '../plans/plans.module.css'
import { AddRate } from '../rates/add-rate.tsx'
import { NeededRates } from '../rates/needs.tsx'

const columns = (): Column<Row<'fx-rates'>>[] => [
  {
    name: 'published_on',
    label: m.desk_rates_day(),
    sort: 'published_on',
    cell: ({ published_on }) => dayInWords(published_on, language()),
  },
  { name: 'base', label: m.desk_rates_currency(), sort: 'base', cell: ({ base }) => base },
  {
    name: 'rate',
    label: m.desk_rates_rate(),
    number: true,
    cell: ({ rate, quote }) => `${rate} ${quote}`,
  },
  { name: 'source', label: m.desk_rates_source(), cell: ({ source }) => source },
]

/** Exchange rates: which are needed, and all that are stored. */
export default function RatesScreen() {
  const { staff } = useUser()
  const rows = useRows('fx-rates', { order: '-published_on', sorts: ['published_on', 'base'] })
  const writes = staff?.role === 'admin' || staff?.role === 'billing'
  return (
    <>
      <PageHead title={m.desk_rates_title()} lead={m.desk_rates_lead()}>
        {writes && <AddRate />}
      </PageHead>
      <div className={classes.page}>
        <NeededRates writes={writes} />
        <ResourceTable
          caption={m.desk_rates_title()}
          columns={columns()}
          {...rows}
          empty={<Empty icon={<IconReceipt size={20} />} title={m.desk_rates_none()} />}
          tools={<span />}
        />
      </div>
    </>
  )
}
