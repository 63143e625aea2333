import { stateAfter, type TicketEvent } from '@portico/contract/rules/tickets/ticket-states.ts'
import { one } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'

/** The polling interval for new messages, in milliseconds. Queries run it: they pause in a hidden tab. */
export const every = 10_000

const included = [
  'client',
  'openedBy',
  'panel',
  'ticketDepartment',
  'assignedAdmin',
  'follows',
  'mergedInto',
  'ticketTicketEmails',
] as const

export const ticketQuery = (id: number) => one('tickets', id, { include: included })

export type Ticket = Row<'tickets', (typeof included)[number]>

export type Message = Row<'ticket-messages', 'ticketFiles'>

/** Whether an event is possible in a ticket's state; the server decides who may trigger it. */
export const canHappen = (event: TicketEvent, ticket: Pick<Ticket, 'status' | 'closed_at'>): boolean =>
  stateAfter(ticket, event, new Date()) !== undefined
