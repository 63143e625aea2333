import { Link } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, Suspense } from 'react'
import { fullName } from '../../../api/queries/user.ts'
import { exact, relative } from '../../../components/moments.ts'
import { priorities } from '../../../components/tickets/priorities.ts'
import { departmentName, useSide } from '../../../components/tickets/words.tsx'
import { When } from '../../../components/when.tsx'
import { href } from '../../../routes.ts'
import { language } from '../../../stores/language.ts'
import { m } from '../../../texts/compiled/messages.js'
import { Copyable } from '../../../ui/copy/copyable.tsx'
import { Bone } from '../../../ui/loading/bones.tsx'
import { lazily } from '../../../ui/loading/lazily.ts'
import type { Ticket } from '../ticket.ts'
import classes from '../view-ticket.module.css'

const LateChoice = lazily(async () => (await import('./about-staff.tsx')).Choice)

/** What only staff have beside a ticket. */
export const Choice = (props: ComponentProps<typeof LateChoice>) => (
  <Suspense fallback={<Bone height={30} />}>
    <LateChoice {...props} />
  </Suspense>
)

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function PriorityFact({ ticket }: { ticket: Ticket }) {
  const isOpen = ticket.may.setPriority && ticket.status !== 'closed'
  return (
    <Fact name={m.ticket_priority()}>
      {isOpen ? <Choice ticket={ticket} of="priority" /> : priorities[ticket.priority]?.()}
    </Fact>
  )
}

/** The tags, for staff; clients are sent none. */
function TagsFact({ ticket }: { ticket: Ticket }) {
  const tags = ticket.tags ?? []
  if (!ticket.may.tag && tags.length === 0) return null
  return (
    <Fact name={m.ticket_tags()}>
      {ticket.may.tag ? <Choice ticket={ticket} of="tags" /> : tags.join(', ')}
    </Fact>
  )
}

/** A response time of staff and what is left of it. It pauses while staff waits for the client. */
function Due({ due, runs }: { due: string; runs: boolean }) {
  const isOver = runs && Date.parse(due) <= Date.now()
  if (!runs) return <span className="quiet">{m.ticket_due_stopped()}</span>
  return (
    <time dateTime={due} className={isOver ? classes.fault : undefined}>
      {`${exact(due, language())} · ${relative(due, language())}`}
    </time>
  )
}

/** The details of the ticket. */
export function About({ ticket }: { ticket: Ticket }) {
  const side = useSide()
  const { number, client, openedBy, panel, ticketDepartment, assignedAdmin, follows } = ticket
  const { first_response_due, resolve_due } = ticket
  const isOver = ticket.status === 'resolved' || ticket.status === 'closed'
  const runs = ticket.status === 'open' || ticket.status === 'awaiting_staff'
  return (
    <section className="card" aria-labelledby="about">
      <h2 id="about" className={classes.asideTitle}>
        {m.ticket_about()}
      </h2>
      <dl className={classes.facts}>
        <Fact name={m.ticket_number()}>
          <Copyable value={number} label={m.copy_one({ what: number })} done={m.copied()} />
        </Fact>
        {side === 'staff' && client && <Fact name={m.ticket_account()}>{fullName(client)}</Fact>}
        <Fact name={m.ticket_department()}>
          {ticket.may.move ? (
            <Choice ticket={ticket} of="department" />
          ) : (
            ticketDepartment && departmentName(ticketDepartment)
          )}
        </Fact>
        {side === 'staff' && <PriorityFact ticket={ticket} />}
        <TagsFact ticket={ticket} />
        {panel && (
          <Fact name={m.ticket_panel()}>
            {side === 'client' ? (
              <Link to={href('dashboard', { panel_id: panel.id })}>{panel.name}</Link>
            ) : (
              panel.name
            )}
          </Fact>
        )}
        {ticket.may.assign ? (
          <Fact name={m.ticket_assigned()}>
            <Choice ticket={ticket} of="assigned" />
          </Fact>
        ) : (
          assignedAdmin && <Fact name={m.ticket_assigned()}>{assignedAdmin.display_name}</Fact>
        )}
        <Fact name={m.ticket_opened()}>
          <When moment={ticket.createdAt} />
          {openedBy && ` · ${fullName(openedBy)}`}
        </Fact>
        {first_response_due && !isOver && (
          <Fact name={m.ticket_due()}>
            {side === 'staff' ? (
              <Due due={first_response_due} runs={runs} />
            ) : (
              <time dateTime={first_response_due}>{exact(first_response_due, language())}</time>
            )}
          </Fact>
        )}
        {resolve_due && (
          <Fact name={m.ticket_resolve_due()}>
            <Due due={resolve_due} runs={runs} />
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
