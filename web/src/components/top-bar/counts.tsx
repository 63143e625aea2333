import { useQuery } from '@tanstack/react-query'
import { waitingQuery } from '../../api/queries/user.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './top-bar.module.css'

const useWaiting = () => useQuery(waitingQuery).data

type Props = { count: number | undefined; words: (given: { count: number }) => string }

/** A number over an icon, and what it counts for those who do not see it. */
function Count({ count = 0, words }: Props) {
  if (count === 0) return null
  return (
    <>
      <span className={`${classes.badge} numbers`} aria-hidden="true">
        {count}
      </span>
      <span className="unseen">{words({ count })}</span>
    </>
  )
}

/** The unread notifications, at the bell. */
export const UnreadCount = () => <Count count={useWaiting()?.notifications} words={m.notifications_unread} />

/** The tickets that wait for the person's answer. */
export const TicketCount = () => <Count count={useWaiting()?.tickets} words={m.tickets_waiting} />

/** Marks the button of the team while a sent invitation has no answer. */
export function SentDot() {
  const waiting = useWaiting()
  if (!waiting || waiting.sent === 0) return null
  return (
    <>
      <span className={classes.dot} />
      <span className="unseen">{m.share_waiting()}</span>
    </>
  )
}
