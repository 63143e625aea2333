import { Link } from '@tanstack/react-router'
import { fullName } from '../../../api/queries/user.ts'
import { exact } from '../../../components/moments.ts'
import { Fact } from '../../../components/thread/fact.tsx'
import classes from '../../../components/thread/thread.module.css'
import type { Ticket } from '../../../components/thread/ticket.ts'
import { departmentName } from '../../../components/tickets/words.tsx'
import { When } from '../../../components/when.tsx'
import { href } from '../../../routes.ts'
import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { Copyable } from '../../../ui/copy/copyable.tsx'

/** The details of the ticket. */
export function About({ ticket }: { ticket: Ticket }) {
  const {
    number,
    openedBy,
    panel,
    ticketDepartment,
    assignedAdmin,
    follows,
    first_response_due: due,
  } = ticket
  const isOver = ticket.status === 'resolved' || ticket.status === 'closed'
  return (
    <section className="card" aria-labelledby="about">
      <h2 id="about" className={classes.asideTitle}>
        {m.ticket_about()}
      </h2>
      <dl className={classes.facts}>
        <Fact name={m.ticket_number()}>
          <Copyable value={number} label={m.copy_one({ what: number })} done={m.copied()} />
        </Fact>
        <Fact name={m.ticket_department()}>{ticketDepartment && departmentName(ticketDepartment)}</Fact>
        {panel && (
          <Fact name={m.ticket_panel()}>
            <Link to={href('dashboard', { panel_id: panel.id })}>{panel.name}</Link>
          </Fact>
        )}
        {assignedAdmin && <Fact name={m.ticket_assigned()}>{assignedAdmin.display_name}</Fact>}
        <Fact name={m.ticket_opened()}>
          <When moment={ticket.createdAt} />
          {openedBy && ` · ${fullName(openedBy)}`}
        </Fact>
        {due && !isOver && (
          <Fact name={m.ticket_due()}>
            <time dateTime={due}>{exact(due, language())}</time>
          </Fact>
        )}
        {follows && (
          <Fact name={m.ticket_follows()}>
            <Link to={href('view-ticket', { id: follows.id })}>{follows.subject}</Link>
          </Fact>
        )}
      </dl>
    </section>
  )
}
