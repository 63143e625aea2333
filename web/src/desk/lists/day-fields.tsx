import { DateField } from '../../components/dates/date-field.tsx'
import { dayIn } from '../../components/table/search-state.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './lists.module.css'

type Props = {
  from: string | undefined
  to: string | undefined
  change: (wanted: { from?: string | undefined; to?: string | undefined }) => void
  className?: string | undefined
}

/** The filter of a list by its first and last day, which stay together where a line ends. */
export function DayFields({ from, to, change, className = '' }: Props) {
  return (
    <div className={classes.days}>
      <DateField
        size="sm"
        className={className}
        aria-label={m.desk_log_from()}
        placeholder={m.desk_log_from()}
        value={from ?? ''}
        onChange={(day) => change({ from: dayIn(day) })}
      />
      <DateField
        size="sm"
        className={className}
        aria-label={m.desk_log_to()}
        placeholder={m.desk_log_to()}
        value={to ?? ''}
        onChange={(day) => change({ to: dayIn(day) })}
      />
    </div>
  )
}
