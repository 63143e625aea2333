import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { action } from '../../api/query.ts'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { useView } from '../../components/table/table-view.ts'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconReceipt } from '../../ui/icons.tsx'
import lists from '../lists/lists.module.css'
import { numbered, paged } from '../lists/paged.ts'
import { countryName, percents } from '../vat/words.ts'
import classes from './closes.module.css'
import { type Preview, readAll } from './vat-sums.ts'
import type { Close } from './verbs.tsx'

type Sum = Preview['sums'][number] & { readonly id: number }

const untaxed: Readonly<Record<string, () => string>> = {
  AE: m.desk_close_vat_reverse,
  O: m.desk_close_vat_outside,
}

const columns = (): Column<Sum>[] => [
  { name: 'country', label: m.desk_close_vat_country(), cell: ({ country }) => countryName(country) },
  {
    name: 'rate',
    label: m.desk_close_vat_rate(),
    cell: ({ category, rate }) => untaxed[category]?.() ?? percents([rate]),
  },
  { name: 'bills', label: m.desk_close_vat_bills(), number: true, cell: ({ bills }) => bills },
  {
    name: 'net',
    label: m.desk_column_net(),
    number: true,
    cell: ({ net, currency }) => money(net, currency),
  },
  {
    name: 'vat',
    label: m.desk_column_vat(),
    number: true,
    cell: ({ vat, currency }) => money(vat, currency),
  },
  {
    name: 'gross',
    label: m.desk_close_vat_gross(),
    number: true,
    cell: ({ gross, currency }) => money(gross, currency),
  },
]

/** The sums of all bills in each currency, and which clients they are not of. */
function Totals({ preview }: { preview: Preview }) {
  const { totals, refused, uncharged, later, counted, next } = preview
  const left = [
    refused > 0 && m.desk_close_vat_refused({ count: refused }),
    uncharged > 0 && m.desk_close_vat_uncharged({ count: uncharged }),
    later > 0 && m.desk_close_vat_later({ count: later }),
    next !== null && m.desk_close_vat_first({ count: counted }),
  ].filter((one) => one !== false)
  if (totals.length === 0 && left.length === 0) return null
  return (
    <div className={`card ${lists.sums}`}>
      {totals.map(({ currency, net, vat, gross }) => (
        <dl key={currency}>
          {[
            [m.desk_column_net(), net] as const,
            [m.desk_column_vat(), vat] as const,
            [m.desk_close_vat_gross(), gross] as const,
          ].map(([name, amount]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{money(amount, currency)}</dd>
            </div>
          ))}
        </dl>
      ))}
      {left.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}

/** What the bills of the close add up to by country and rate of VAT, before they are issued. */
export function CloseVat({ close }: { close: Close }) {
  const [view, setView] = useView()
  const client = useQueryClient()
  const read = (after: number | undefined) =>
    client.fetchQuery({
      ...action('month-closes', 'previewVat', { id: close.id, payload: { after } }),
      staleTime: 0,
    })
  const query = useQuery({
    queryKey: ['month-closes', 'previewVat', close.id],
    queryFn: () => readAll(read),
    placeholderData: keepPreviousData,
    select: (preview) => ({ preview, ...paged(numbered(preview.sums), view) }),
  })
  return (
    <section className={classes.vat}>
      <h2>{m.desk_close_vat()}</h2>
      <p className="quiet">{m.desk_close_vat_lead()}</p>
      {query.data && <Totals preview={query.data.preview} />}
      <ResourceTable
        caption={m.desk_close_vat()}
        columns={columns()}
        query={query}
        view={view}
        onChange={setView}
        empty={
          <Empty
            icon={<IconReceipt size={20} />}
            title={m.desk_close_vat_none()}
            text={m.desk_close_vat_none_text()}
          />
        }
        tools={<span />}
        isPlain
      />
    </section>
  )
}
