import { useQuery } from '@tanstack/react-query'
import { waitingQuery } from '../../api/waiting.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './waiting-dot.module.css'

/** Marks the link to the team while an invitation is pending. */
export function WaitingDot() {
  const { data } = useQuery({ ...waitingQuery, staleTime: 60_000 })
  if (!data || data.page.total === 0) return null
  return (
    <>
      <span className={classes.dot} />
      <span className="unseen">{m.share_waiting()}</span>
    </>
  )
}
