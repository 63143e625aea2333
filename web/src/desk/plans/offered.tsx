import { Link } from '@tanstack/react-router'
import type { Row } from '../../api/rows.ts'
import { planName } from '../../components/plans/words.ts'
import { type Column, ResourceTable } from '../../components/table/resource-table.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { dayInWords } from '../../ui/days.ts'
import { Empty } from '../../ui/empty.tsx'
import { money } from '../../ui/format.ts'
import { IconReceipt } from '../../ui/icons.tsx'
import { Status } from '../../ui/status.tsx'
import { useRows } from '../lists/use-rows.ts'
import { deskHref } from '../routes.ts'
import shared from '../screens/clients.module.css'
import { limitsInWords } from './limits.ts'
import classes from './plans.module.css'
import { stateWords } from './words.ts'

type Plan = Row<'desk-plans'>
type Price = Plan['prices'][number]

const onDay = (day: string) => m.desk_plans_from({ day: dayInWords(day, language()) })

/** A price in a list: since when it counts, and what follows. */
function priceWords({ list, currency, monthly, from, next }: Price): string {
  return [
    list,
    ...(monthly === null ? [] : [money(monthly, currency)]),
    ...(monthly === null || from === null ? [] : [onDay(from)]),
    ...(next === null
      ? []
      : [`${m.desk_plans_next()}: ${money(next.monthly, currency)} ${onDay(next.from)}`]),
  ].join(' · ')
}

const columns = (): Column<Plan>[] => [
  {
    name: 'plan',
    label: m.desk_plans_column(),
    sort: 'code',
    cell: (plan) => (
      <div className={shared.name}>
        <Link to={deskHref('plan', { code: plan.code })}>{planName(plan)}</Link>
        <span>{plan.code}</span>
      </div>
    ),
  },
  {
    name: 'state',
    label: m.column_status(),
    cell: ({ state }) => <Status tone={stateWords[state].tone}>{stateWords[state].name()}</Status>,
  },
  { name: 'limits', label: m.desk_plans_limits(), cell: (plan) => limitsInWords(plan).join(' · ') },
  {
    name: 'prices',
    label: m.desk_plans_prices(),
    cell: ({ prices }) => (
      <div className={classes.prices}>
        {prices.map((price) => (
          <span key={price.list}>{priceWords(price)}</span>
        ))}
      </div>
    ),
  },
]

/** The plans with their limits and prices. */
export function OfferedPlans() {
  const rows = useRows('desk-plans', { order: 'position', sorts: ['position', 'code'] })
  return (
    <ResourceTable
      caption={m.desk_plans_title()}
      columns={columns()}
      {...rows}
      empty={
        <Empty icon={<IconReceipt size={20} />} title={m.desk_plans_none()} text={m.desk_plans_none_text()} />
      }
      tools={<span />}
    />
  )
}
