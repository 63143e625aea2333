import type { Row } from '../../api/rows.ts'
import { m } from '../../texts/compiled/messages.js'
import { When } from '../when.tsx'
import classes from './listed.module.css'

/** The polling interval of lists of tickets, in milliseconds, while the tab is visible. */
export const every = 15_000

type LastProps = {
  ticket: Pick<Row<'tickets'>, 'last_message_at' | 'last_message_by' | 'last_message_author'>
  /** Says from whom a message of a client is that comes without a name. */
  unnamed: string
}

/** When the last message came, and from whom. */
export function LastMessage({ ticket, unnamed }: LastProps) {
  const { last_message_at, last_message_by, last_message_author: name } = ticket
  const ofClient = name === null ? unnamed : m.tickets_last_from({ name })
  return (
    <div className={classes.last}>
      <When moment={last_message_at} />
      <span className={classes.about}>
        {last_message_by === 'staff' ? m.tickets_last_support() : ofClient}
      </span>
    </div>
  )
}
