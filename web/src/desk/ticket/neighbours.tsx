import { Button } from '@mantine/core'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type PageKey, usePageKeys } from '../../stores/overlay.ts'
import { m } from '../../texts/compiled/messages.js'
import { deskHref } from '../routes.ts'
import classes from './ticket.module.css'

/** The queue that a ticket was opened from: the tickets that it showed, in its order, and its filters for the way back. */
type Queue = { readonly ids: readonly number[]; readonly search: Readonly<Record<string, unknown>> }

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** It is in the history of the window, so that it survives a reload and its order stays while tickets move. */
    queue?: Queue
  }
}

/** The queue that the open ticket was reached from; undefined after a link from elsewhere. */
const useQueue = (): Queue | undefined => useRouterState({ select: ({ location }) => location.state.queue })

/** Where a ticket stands in the queue that it was opened from; undefined after a link from elsewhere. */
function usePlace(id: number) {
  const queue = useQueue()
  const at = queue?.ids.indexOf(id) ?? -1
  if (!queue || at < 0) return undefined
  return { queue, at, previous: queue.ids[at - 1], next: queue.ids[at + 1] }
}

/** The keys of rows lead through the queue: a ticket is one of its rows. */
function useStepKeys({ previous, next, queue }: NonNullable<ReturnType<typeof usePlace>>): void {
  const navigate = useNavigate()
  const keys = useMemo((): readonly PageKey[] => {
    const go = (id: number | undefined) => {
      if (id !== undefined) void navigate({ to: deskHref('ticket', { id }), state: { queue } })
    }
    return [
      { press: ['j'], does: m.desk_ticket_next, act: () => go(next) },
      { press: ['k'], does: m.desk_ticket_previous, act: () => go(previous) },
    ]
  }, [navigate, next, previous, queue])
  usePageKeys(keys)
}

type Step = { id: number | undefined; name: string; queue: NonNullable<ReturnType<typeof useQueue>> }

function StepButton({ id, name, queue }: Step) {
  if (id === undefined)
    return (
      <Button size="xs" variant="default" disabled>
        {name}
      </Button>
    )
  return (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => <Link {...props} to={deskHref('ticket', { id })} state={{ queue }} />}
    >
      {name}
    </Button>
  )
}

function Steps({ place }: { place: NonNullable<ReturnType<typeof usePlace>> }) {
  useStepKeys(place)
  const { queue, at, previous, next } = place
  return (
    <nav className={classes.neighbours} aria-label={m.desk_ticket_queue()}>
      <span>{m.desk_ticket_place({ at: at + 1, of: queue.ids.length })}</span>
      <StepButton id={previous} name={m.desk_ticket_previous()} queue={queue} />
      <StepButton id={next} name={m.desk_ticket_next()} queue={queue} />
    </nav>
  )
}

/** The way back to the queue with its filters, and to the tickets beside this one. */
export function Way({ id }: { id: number }) {
  const place = usePlace(id)
  return (
    <div className={classes.way}>
      <Link to={deskHref('tickets')} {...(place && { search: place.queue.search })}>
        {m.tickets_title()}
      </Link>
      {place && <Steps place={place} />}
    </div>
  )
}
