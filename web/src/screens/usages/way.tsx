import { Link } from '@tanstack/react-router'
import { useSearchState } from '../../components/table/search-state.ts'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { type Period, wayTo } from './period.ts'
import classes from './usages.module.css'

/** Breadcrumbs from the year to the month to the day. */
export function Way({ period }: { period: Period }) {
  const [given] = useSearchState()
  const way = wayTo(period)
  return (
    <nav aria-label={m.usage_period()}>
      <ol className={classes.way}>
        {way.map(({ value, name }, at) => (
          <li key={value}>
            {at === way.length - 1 ? (
              <span aria-current="page">{name}</span>
            ) : (
              <Link
                to={href('usages')}
                search={{ ...given, period: value, page: undefined, split: undefined }}
                resetScroll={false}
              >
                {name}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
