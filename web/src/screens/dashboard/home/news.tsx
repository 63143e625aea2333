import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { list } from '../../../api/query.ts'
import { NotificationList } from '../../../components/notifications/notification-list.tsx'
import { openOverlay } from '../../../stores/overlay.ts'
import { m } from '../../../texts/compiled/messages.js'
import dashboard from '../dashboard.module.css'
import classes from './home.module.css'

/** The query has no type, because a background poll must fail silently. */
const newest = {
  ...list('notifications', { sort: '-createdAt', page: { size: 4 } }),
  meta: {},
  refetchInterval: 60_000,
}

/** The newest notifications, and a button to all of them. */
export function News() {
  const { data } = useQuery(newest)
  const isEmpty = data?.items.length === 0
  return (
    <section className={dashboard.section} aria-labelledby="news">
      <div className={classes.head}>
        <h2 id="news">{m.news()}</h2>
        {data && !isEmpty && (
          <Button variant="subtle" size="compact-sm" onClick={() => openOverlay({ kind: 'notifications' })}>
            {m.notifications_all()}
          </Button>
        )}
      </div>
      <div className={`card ${classes.news}`} aria-busy={!data}>
        {isEmpty && <p className="quiet">{m.notifications_none_text()}</p>}
        {data && !isEmpty && <NotificationList items={data.items} />}
      </div>
    </section>
  )
}
