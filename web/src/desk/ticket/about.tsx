import { Link } from '@tanstack/react-router'
import { fullName } from '../../api/queries/user.ts'
import { exact, relative } from '../../components/moments.ts'
import { Fact } from '../../components/thread/fact.tsx'
import classes from '../../components/thread/thread.module.css'
import type { Ticket } from '../../components/thread/ticket.ts'
import { priorities } from '../../components/tickets/priorities.ts'
import { departmentName } from '../../components/tickets/words.tsx'
import { When } from '../../components/when.tsx'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Copyable } from '../../ui/copy/copyable.tsx'
import { deskHref } from '../routes.ts'
import { Assigned, Department, Priority, Tags } from './choices.tsx'

/** A response time of staff and what is left of it. It pauses while staff wait for the client. */
function Due({ due, runs }: { due: string; runs: boolean }) {
  const isOver = runs && Date.parse(due) <= Date.now()
  if (!runs) return <span className="quiet">{m.ticket_due_stopped()}</span>
  return (
    <time dateTime={due} className={isOver ? classes.fault : undefined}>
      {`${exact(due, language())} · ${relative(due, language())}`}
    </time>
  )
}

/** The choices that staff make, each as a fact where the reader's role or the state forbids it. */
function Choices({ ticket }: { ticket: Ticket }) {
  const { may, status, ticketDepartment, priority, assignedAdmin } = ticket
  const tags = ticket.tags ?? []
  return (
    <>
      <Fact name={m.ticket_department()}>
        {may.move ? <Department ticket={ticket} /> : ticketDepartment && departmentName(ticketDepartment)}
      </Fact>
      <Fact name={m.ticket_assigned()}>
        {may.assign ? <Assigned ticket={ticket} /> : (assignedAdmin?.display_name ?? m.ticket_nobody())}
      </Fact>
      <Fact name={m.ticket_priority()}>
        {may.setPriority && status !== 'closed' ? <Priority ticket={ticket} /> : priorities[priority]?.()}
      </Fact>
      {(may.tag || tags.length > 0) && (
        <Fact name={m.ticket_tags()}>{may.tag ? <Tags ticket={ticket} /> : tags.join(', ')}</Fact>
      )}
    </>
  )
}

/** What the ticket is, and what staff choose about it. */
export function About({ ticket }: { ticket: Ticket }) {
  const { number, openedBy, panel, follows, status, first_response_due, resolve_due } = ticket
  const runs = status === 'open' || status === 'awaiting_staff'
  const isOver = status === 'resolved' || status === 'closed'
  return (
    <section className="card" aria-labelledby="about">
      <h2 id="about" className={classes.asideTitle}>
        {m.ticket_about()}
      </h2>
      <dl className={classes.facts}>
        <Fact name={m.ticket_number()}>
          <Copyable value={number} label={m.copy_one({ what: number })} done={m.copied()} />
        </Fact>
        <Choices ticket={ticket} />
        {panel && <Fact name={m.ticket_panel()}>{panel.name}</Fact>}
        <Fact name={m.ticket_opened()}>
          <When moment={ticket.createdAt} />
          {openedBy && ` · ${fullName(openedBy)}`}
        </Fact>
        {first_response_due && !isOver && (
          <Fact name={m.ticket_due()}>
            <Due due={first_response_due} runs={runs} />
          </Fact>
        )}
        {resolve_due && (
          <Fact name={m.ticket_resolve_due()}>
            <Due due={resolve_due} runs={runs} />
          </Fact>
        )}
        {follows && (
          <Fact name={m.ticket_follows()}>
            <Link to={deskHref('ticket', { id: follows.id })}>{follows.subject}</Link>
          </Fact>
        )}
      </dl>
    </section>
  )
}
