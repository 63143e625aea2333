import { NativeSelect } from '@mantine/core'
import { ticketPriorities } from '@portico/contract/resources/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { asFailure, type Failure } from '../../api/failure.ts'
import { list } from '../../api/query.ts'
import { fullName } from '../../api/user.ts'
import { useAction } from '../../api/write.ts'
import { saidBy } from '../../components/tickets/refusal.ts'
import { departmentName, departmentsQuery, useSide } from '../../components/tickets/words.tsx'
import { When } from '../../components/when.tsx'
import { href } from '../../routes.ts'
import { language } from '../../stores/language.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { Copyable } from '../../ui/copyable.tsx'
import { exact, relative } from '../../ui/format.ts'
import '../../ui/combobox-styles.ts'
import type { Ticket } from './ticket.ts'
import classes from './view-ticket.module.css'

const staffQuery = list('admins', { sort: 'display_name', page: { size: 100 } })

const refused = { onError: (error: Failure) => toast(m.ticket_not_done(), saidBy(asFailure(error)), 'bad') }

/** Who of staff answers it. */
function Assigned({ ticket: { id, assignedAdmin } }: { ticket: Ticket }) {
  const { data } = useQuery(staffQuery)
  const assign = useAction('tickets', 'assign')
  return (
    <NativeSelect
      size="xs"
      aria-label={m.ticket_assigned()}
      disabled={assign.isPending || !data}
      value={data ? (assignedAdmin?.id ?? '') : ''}
      onChange={({ currentTarget: { value } }) =>
        assign.mutate({ id, payload: { admin_id: value === '' ? null : Number(value) } }, refused)
      }
    >
      <option value="">{m.ticket_nobody()}</option>
      {data?.items.map((one) => (
        <option key={one.id} value={one.id}>
          {one.display_name}
        </option>
      ))}
    </NativeSelect>
  )
}

/** Which department it is at, for staff to hand it on. */
function Department({ ticket: { id, department } }: { ticket: Ticket }) {
  const { data } = useQuery(departmentsQuery)
  const move = useAction('tickets', 'move')
  const codes = data?.items ?? []
  const choose = (chosen: string) => {
    const found = codes.find(({ code }) => code === chosen)
    if (found) move.mutate({ id, payload: { department: found.code } }, refused)
  }
  return (
    <NativeSelect
      size="xs"
      aria-label={m.ticket_department()}
      disabled={move.isPending || !data}
      value={department}
      onChange={({ currentTarget: { value } }) => choose(value)}
    >
      {codes.map((one) => (
        <option key={one.id} value={one.code}>
          {departmentName(one)}
        </option>
      ))}
    </NativeSelect>
  )
}

const priorities: Readonly<Record<number, () => string>> = {
  1: m.priority_low,
  2: m.priority_normal,
  3: m.priority_high,
  4: m.priority_urgent,
}

/** How urgent staff says it is; its times follow. */
function Priority({ ticket: { id, priority } }: { ticket: Ticket }) {
  const setPriority = useAction('tickets', 'setPriority')
  const choose = (chosen: string) => {
    const found = ticketPriorities.find((one) => String(one) === chosen)
    if (found) setPriority.mutate({ id, payload: { priority: found } }, refused)
  }
  return (
    <NativeSelect
      size="xs"
      aria-label={m.ticket_priority()}
      disabled={setPriority.isPending}
      value={priority}
      onChange={({ currentTarget: { value } }) => choose(value)}
    >
      {ticketPriorities.map((one) => (
        <option key={one} value={one}>
          {priorities[one]?.()}
        </option>
      ))}
    </NativeSelect>
  )
}

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
      {isOpen ? <Priority ticket={ticket} /> : priorities[ticket.priority]?.()}
    </Fact>
  )
}

/** A time that staff is held to, and what is left of it. It stands still while the client is waited for. */
function Due({ due, runs }: { due: string; runs: boolean }) {
  const isOver = runs && Date.parse(due) <= Date.now()
  if (!runs) return <span className="quiet">{m.ticket_due_stopped()}</span>
  return (
    <time dateTime={due} className={isOver ? classes.fault : undefined}>
      {`${exact(due, language())} · ${relative(due, language())}`}
    </time>
  )
}

/** What there is to know of the ticket beside what was said. */
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
            <Department ticket={ticket} />
          ) : (
            ticketDepartment && departmentName(ticketDepartment)
          )}
        </Fact>
        {side === 'staff' && <PriorityFact ticket={ticket} />}
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
            <Assigned ticket={ticket} />
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
