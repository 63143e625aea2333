import { useEffect, useRef } from 'react'
import { act } from '../../api/write.ts'
import { every, type Ticket } from '../../components/thread/ticket.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import classes from './ticket.module.css'

/**
 * Tells colleagues that the reader writes here: with a change of the text, and not more often than their pages read the
 * ticket. A failure is silent, because nothing is lost by it.
 */
export function useWriting(id: number, body: string): void {
  const known = useRef(body)
  const told = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const isChanged = known.current !== body
    known.current = body
    if (!isChanged || body.trim() === '' || performance.now() - told.current < every) return
    told.current = performance.now()
    // Not by `useAction`, which would read the whole page again.
    void act('tickets', 'writing', { id, payload: {} }).catch(() => undefined)
  }, [id, body])
}

/** Who else is writing, so that a client does not get two answers. */
export function Writers({ ticket }: { ticket: Ticket }) {
  const writers = ticket.writers ?? []
  const [name = '', ...others] = writers
  const names = new Intl.ListFormat(language()).format(writers)
  return (
    <p className={classes.writers} role="status">
      {name !== '' &&
        (others.length === 0 ? m.desk_ticket_writing({ name }) : m.desk_ticket_writing_many({ names }))}
    </p>
  )
}
