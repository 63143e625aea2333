import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAction } from '../../api/write.ts'
import { Message } from '../../components/message.tsx'
import { Actions } from '../../components/thread/actions.tsx'
import { Composer } from '../../components/thread/composer.tsx'
import { Conversation } from '../../components/thread/conversation.tsx'
import { Notified } from '../../components/thread/notified.tsx'
import classes from '../../components/thread/thread.module.css'
import { canHappen, type Ticket } from '../../components/thread/ticket.ts'
import { ticketScreen } from '../../components/thread/ticket-screen.tsx'
import { TicketStatus } from '../../components/tickets/words.tsx'
import { href } from '../../routes.ts'
import { m } from '../../texts/compiled/messages.js'
import { useTitle } from '../../ui/title.ts'
import { About } from './aside/about.tsx'
import { Access } from './aside/access.tsx'

/** Marks the ticket as read as soon as it is shown. */
function useMarkRead({ id, client_unread, last_message_at, may }: Ticket): void {
  const { mutate } = useAction('tickets', 'markRead')
  const isNew = client_unread && may.markRead === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new message is marked as read.
  useEffect(() => {
    if (!isNew) return undefined
    const stop = new AbortController()
    const markIfVisible = () => {
      if (document.hidden) return
      stop.abort()
      mutate({ id, payload: {} })
    }
    document.addEventListener('visibilitychange', markIfVisible, { signal: stop.signal })
    markIfVisible()
    return () => stop.abort()
  }, [id, isNew, last_message_at])
}

/** Replaces the composer where the ticket accepts no more answers. */
function Over({ ticket }: { ticket: Ticket }) {
  return (
    <div className={`card ${classes.over}`}>
      <p>{m.ticket_over()}</p>
      <Button
        mt={12}
        variant="default"
        renderRoot={(props) => (
          <Link
            {...props}
            to={href('add-ticket', { type: ticket.department })}
            search={{ follows: ticket.id }}
          />
        )}
      >
        {m.ticket_follow_up()}
      </Button>
    </div>
  )
}

function Opened({ ticket }: { ticket: Ticket }) {
  useMarkRead(ticket)
  useTitle(`${ticket.subject} · ${m.brand()}`)
  return (
    <>
      <Link className={classes.back} to={href('tickets')}>
        {m.tickets_title()}
      </Link>
      <header className={classes.header}>
        <div className={classes.title}>
          <h1 tabIndex={-1}>{ticket.subject}</h1>
          <TicketStatus state={ticket.status} side="client" />
        </div>
        <div className={classes.actions}>
          <Actions ticket={ticket} />
        </div>
      </header>
      <div className={classes.columns}>
        <div className={classes.main}>
          <Conversation ticket={ticket.id} />
          {ticket.may.reply &&
            (canHappen('clientMessage', ticket) ? <Composer ticket={ticket} /> : <Over ticket={ticket} />)}
        </div>
        <aside className={classes.aside} aria-label={m.ticket_about()}>
          <About ticket={ticket} />
          <Access ticket={ticket} />
          <Notified ticket={ticket} />
        </aside>
      </div>
    </>
  )
}

function NoSuchTicket() {
  return (
    <Message title={m.ticket_gone_title()} text={m.ticket_gone_text()}>
      <Link to={href('tickets')}>{m.tickets_title()}</Link>
    </Message>
  )
}

/** The ticket in the address, as a conversation. */
export default ticketScreen(Opened, NoSuchTicket, (id) => href('view-ticket', { id }))
