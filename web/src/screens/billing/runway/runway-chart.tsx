import { useQuery } from '@tanstack/react-query'
import type { Billing } from '../../../api/queries/billing.ts'
import { action } from '../../../api/query.ts'
import { LineChart } from '../../../components/chart/line-chart.tsx'
import { LoadFailure } from '../../../components/load-failure.tsx'
import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { addDays, dayInWords, shortDay } from '../../../ui/days.ts'
import { money } from '../../../ui/format.ts'
import { Bone } from '../../../ui/loading/bones.tsx'
import { projected, type TopUps } from './projection.ts'
import type { Lasting } from './runway-words.ts'

/** The days of the future. */
const ahead = 30

type Props = {
  profile: Billing
  /** The forecast of what is tried out. */
  then: Lasting | undefined
  topUps: TopUps | undefined
}

/** The balance of the last days, and as expected for the next ones. */
export function RunwayChart({ profile, then, topUps }: Props) {
  const { id, as_of, available, currency, credit_limit } = profile
  // During an upgrade an older replica does not say when it warns.
  const { warn_below }: Partial<Billing> = profile
  const { data, isError, error, refetch } = useQuery(
    action('billing-profiles', 'history', { id, payload: {} }),
  )
  if (!data)
    return isError ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Bone height={320} />
  // Today is the last day; usage of today that is not charged yet is taken off.
  const past = data.days.slice(0, -1)
  const next = projected(then ?? profile, ahead, topUps)
  const days = [
    ...past.map(({ on }) => on),
    ...Array.from({ length: ahead + 1 }, (_, at) => addDays(as_of, at)),
  ]
  const values = [...past.map(({ held }) => held), then?.available ?? available, ...next]
  const format = (amount: number) => money(amount, currency)
  return (
    <LineChart
      label={m.runway_chart()}
      name={m.balance()}
      columns={days.map((day, at) => {
        const date = dayInWords(day, language())
        return {
          key: day,
          name: at > past.length ? m.runway_expected({ date }) : date,
          short: shortDay(day, language()),
        }
      })}
      values={values}
      today={past.length}
      limits={[
        ...(warn_below === undefined || warn_below === -credit_limit
          ? []
          : [
              {
                at: warn_below,
                name: m.runway_warns({ amount: format(warn_below) }),
                tone: 'warn' as const,
              },
            ]),
        {
          at: -credit_limit,
          name: m.runway_suspends({ amount: format(-credit_limit) }),
          tone: 'bad',
        },
      ]}
      format={format}
    />
  )
}
