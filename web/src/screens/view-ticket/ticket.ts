import { stateAfter, type TicketEvent } from '@portico/contract/rules/tickets/ticket-states.ts'
import { one } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'

/** How often it is looked for what others wrote, in milliseconds. Queries do that: they rest in a hidden tab. */
export const every = 10_000

const included = [
  'client',
  'openedBy',
  'panel',
  'ticketDepartment',
  'assignedAdmin',
  'follows',
  'ticketTicketEmails',
] as const

export const ticketQuery = (id: number) => one('tickets', id, { include: included })

export type Ticket = Row<'tickets', (typeof included)[number]>

export type Message = Row<'ticket-messages', 'ticketFiles'>

/** Whether something can happen to a ticket in its state; who may do it is the server's to say. */
export const canHappen = (event: TicketEvent, ticket: Pick<Ticket, 'status' | 'closed_at'>): boolean =>
  stateAfter(ticket, event, new Date()) !== undefined
