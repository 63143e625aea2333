import { useQuery } from '@tanstack/react-query'
import { notificationsQuery } from '../../api/notifications.ts'
import { ToldList } from '../../components/layout/told-list.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/bones.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconBell } from '../../ui/icons.ts'
import classes from './dashboard.module.css'

/** As many as stand beside the panels of others without being longer than those; the bell has the rest. */
const shown = 3

/** The latest of what the bell tells. */
export function Latest() {
  const { data, isError, error, refetch } = useQuery(notificationsQuery)
  if (!data)
    return isError ? <LoadFailure error={error} onRetry={() => void refetch()} /> : <Bone height={190} />
  if (data.items.length === 0)
    return (
      <div className="card">
        <Empty
          icon={<IconBell size={20} />}
          title={m.notifications_none()}
          text={m.notifications_none_text()}
        />
      </div>
    )
  return (
    <div className={`card ${classes.latest}`}>
      <ToldList items={data.items.slice(0, shown)} />
    </div>
  )
}
