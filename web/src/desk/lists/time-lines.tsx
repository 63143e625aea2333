import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { addDays, dayInWords, daysBetween, utcToday } from '../../ui/days.ts'
import { type Period, stateOf } from './periods.ts'
import classes from './time-lines.module.css'

const inWords = (day: string) => dayInWords(day, language())

/** A period with what holds in it, in words. */
export type TimeSpan = Period & { readonly words: string }

/** From when until when, and what; the last day is named, as people name periods. */
function spanWords({ from, to, words }: TimeSpan): string {
  const since = from === null ? m.desk_plans_always() : m.desk_plans_from({ day: inWords(from) })
  const until = to === null ? undefined : m.desk_prices_until({ day: inWords(addDays(to, -1)) })
  return [words, from === null && until ? undefined : since, until].filter(Boolean).join(' ')
}

/** The share of the shown time before a day, in percent. */
function placeOf(day: string | null, open: number, around: number): number {
  if (day === null) return open
  const share = (daysBetween(utcToday(), day) + around) / (2 * around)
  return Math.min(100, Math.max(0, share * 100))
}

type Props = {
  spans: readonly TimeSpan[]
  /** The days before and after today that are drawn. */
  around?: number
}

/** What holds when: drawn, with today in the middle, and below it in words. */
export function TimeLine({ spans, around = 365 }: Props) {
  return (
    <>
      <div className={classes.bar} aria-hidden="true">
        {spans.map((span) => {
          const [left, right] = [placeOf(span.from, 0, around), placeOf(span.to, 100, around)]
          return (
            <span
              key={span.from}
              className={classes[stateOf(span, utcToday())]}
              style={{ left: `${left}%`, width: `${right - left}%` }}
            />
          )
        })}
        <i />
      </div>
      <ol className={classes.spans}>
        {spans.map((span) => (
          <li key={span.from} className={classes[stateOf(span, utcToday())]}>
            {spanWords(span)}
          </li>
        ))}
      </ol>
    </>
  )
}

/** Something that holds for periods, by its name. */
export type TimeLineRow = { readonly key: string; readonly name: string; readonly spans: readonly TimeSpan[] }

type ListProps = { label: string; rows: readonly TimeLineRow[]; around?: number }

/** Lines of time under each other, which the keys of rows go through; the colours in them are explained above. */
export function TimeLines({ label, rows, around }: ListProps) {
  const drawn = new Set(rows.flatMap(({ spans }) => spans.map((span) => stateOf(span, utcToday()))))
  return (
    <>
      <p className={classes.legend}>
        {(['past', 'now', 'next'] as const)
          .filter((state) => drawn.has(state))
          .map((state) => (
            <span key={state}>
              <i className={classes[state]} aria-hidden="true" />
              {{ past: m.desk_times_past, now: m.desk_times_now, next: m.desk_times_next }[state]()}
            </span>
          ))}
      </p>
      <ul className={classes.lines} aria-label={label}>
        {rows.map(({ key, name, spans }) => (
          <li key={key}>
            <strong>{name}</strong>
            <TimeLine spans={spans} {...(around !== undefined && { around })} />
          </li>
        ))}
      </ul>
    </>
  )
}
