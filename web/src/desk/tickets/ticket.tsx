import { Link } from '@tanstack/react-router'
import { Actions } from '../../components/thread/actions.tsx'
import { Composer } from '../../components/thread/composer.tsx'
import { Conversation } from '../../components/thread/conversation.tsx'
import { Notified } from '../../components/thread/notified.tsx'
import thread from '../../components/thread/thread.module.css'
import { canHappen, type Ticket } from '../../components/thread/ticket.ts'
import { ticketScreen } from '../../components/thread/ticket-screen.tsx'
import { TicketStatus } from '../../components/tickets/words.tsx'
import { m } from '../../texts/compiled/messages.js'
import { Empty } from '../../ui/empty.tsx'
import { IconMessages } from '../../ui/icons.tsx'
import { useTitle } from '../../ui/title.ts'
import { deskHref } from '../routes.ts'
import { About } from '../ticket/about.tsx'
import { Access } from '../ticket/access.tsx'
import { ClientCard } from '../ticket/client-card.tsx'
import { ofStaff } from '../ticket/composer-parts.tsx'
import { Merge } from '../ticket/merge.tsx'
import { Way } from '../ticket/neighbours.tsx'
import classes from '../ticket/ticket.module.css'
import { useTicketKeys } from '../ticket/ticket-keys.ts'
import { Writers } from '../ticket/writers.tsx'

/** Replaces the composer where the ticket accepts no answer of staff. */
function Over({ ticket }: { ticket: Ticket }) {
  return (
    <div className={`card ${thread.over}`}>
      <p>{canHappen('reopen', ticket) ? m.ticket_over_reopen() : m.ticket_over()}</p>
    </div>
  )
}

function Opened({ ticket }: { ticket: Ticket }) {
  useTicketKeys(ticket)
  useTitle(`${ticket.subject} · ${m.desk()} · ${m.brand()}`)
  return (
    <>
      <Way id={ticket.id} />
      <header className={thread.header}>
        <div className={thread.title}>
          <h1 tabIndex={-1}>{ticket.subject}</h1>
          <TicketStatus state={ticket.status} side="staff" />
        </div>
        <div className={thread.actions}>
          {ticket.may.merge && <Merge ticket={ticket} />}
          <Actions ticket={ticket} />
        </div>
      </header>
      <div className={classes.columns}>
        <div className={thread.main}>
          <Conversation ticket={ticket.id} />
          <Writers ticket={ticket} />
          {ticket.may.reply &&
            (canHappen('staffMessage', ticket) ? (
              <Composer ticket={ticket} ofStaff={ofStaff} />
            ) : (
              <Over ticket={ticket} />
            ))}
        </div>
        <aside className={thread.aside} aria-label={m.ticket_about()}>
          <About ticket={ticket} />
          <ClientCard ticket={ticket} />
          <Access ticket={ticket} />
          <Notified ticket={ticket} />
        </aside>
      </div>
    </>
  )
}

function NoSuchTicket() {
  return (
    <Empty icon={<IconMessages size={20} />} title={m.ticket_gone_title()} text={m.ticket_gone_text()} isPage>
      <Link to={deskHref('tickets')}>{m.tickets_title()}</Link>
    </Empty>
  )
}

/** The ticket in the address: its conversation, and its client beside it. */
export default ticketScreen(Opened, NoSuchTicket, (id) => deskHref('ticket', { id }))
