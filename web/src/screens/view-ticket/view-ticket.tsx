import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asFailure } from '../../api/failure.ts'
import { useAction } from '../../api/write.ts'
import { LoadFailure } from '../../components/load-failure.tsx'
import { Message } from '../../components/message.tsx'
import { idIn } from '../../components/table/search-state.ts'
import { Actions } from '../../components/thread/actions.tsx'
import { Composer } from '../../components/thread/composer.tsx'
import { Conversation } from '../../components/thread/conversation.tsx'
import { Notified } from '../../components/thread/notified.tsx'
import classes from '../../components/thread/thread.module.css'
import { canHappen, every, type Ticket, ticketQuery } from '../../components/thread/ticket.ts'
import { Waiting } from '../../components/thread/waiting.tsx'
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
    const look = () => {
      if (document.hidden) return
      stop.abort()
      mutate({ id, payload: {} })
    }
    document.addEventListener('visibilitychange', look, { signal: stop.signal })
    look()
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

/** Leads to the ticket where the conversation of a merged one goes on. */
function Moved({ to }: { to: number }) {
  const navigate = useNavigate()
  useEffect(() => void navigate({ to: href('view-ticket', { id: to }), replace: true }), [navigate, to])
  return <Waiting />
}

function TicketPage({ id }: { id: number }) {
  const { data, error, isPending, refetch } = useQuery({ ...ticketQuery(id), refetchInterval: every })
  if (isPending) return <Waiting />
  // A ticket that is no longer visible is hidden at once.
  if (asFailure(error).status === 404) return <NoSuchTicket />
  if (!data) return <LoadFailure isPage error={error} onRetry={() => void refetch()} />
  // A reader who does not see the other ticket stays here.
  return data.mergedInto ? <Moved to={data.mergedInto.id} /> : <Opened ticket={data} />
}

/** The ticket in the address, as a conversation. */
export default function ViewTicketScreen() {
  const { id }: { id?: string } = useParams({ strict: false })
  const known = idIn(id)
  if (known === undefined) return <NoSuchTicket />
  // Another ticket is another page: a draft does not carry over.
  return <TicketPage key={known} id={known} />
}
