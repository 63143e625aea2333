import { dayMs } from '../../time.ts'
/** The states of a ticket, in the order of their ids (ticket-statuses). */
export const ticketStates = [
  'open',
  'awaiting_staff',
  'awaiting_client',
  'on_hold',
  'resolved',
  'closed',
] as const
export type TicketState = (typeof ticketStates)[number]

/** The events of a ticket. An internal note is none of these. */
export type TicketEvent = 'clientMessage' | 'staffMessage' | 'hold' | 'resolve' | 'close' | 'reopen'

/** Days after its closing during which a ticket can be reopened; later a new ticket continues it. */
const reopenedForDays = 30

/** Days without a message after which a resolved ticket closes automatically. */
export const closedAfterDays = 7

/** The part of a ticket that transitions need. */
export type TicketMoment = { readonly status: TicketState; readonly closed_at: string | null }

const mayReopen = ({ closed_at }: TicketMoment, now: Date): boolean =>
  closed_at !== null && now.getTime() - Date.parse(closed_at) <= reopenedForDays * dayMs

/**
 * The transitions by event, from state to state; an event that is not listed for a state cannot happen in it.
 */
const transitions: Readonly<Record<TicketEvent, Partial<Record<TicketState, TicketState>>>> = {
  clientMessage: {
    open: 'awaiting_staff',
    awaiting_staff: 'awaiting_staff',
    awaiting_client: 'awaiting_staff',
    on_hold: 'awaiting_staff',
    resolved: 'awaiting_staff',
    closed: 'awaiting_staff',
  },
  staffMessage: {
    open: 'awaiting_client',
    awaiting_staff: 'awaiting_client',
    awaiting_client: 'awaiting_client',
    on_hold: 'awaiting_client',
    resolved: 'awaiting_client',
  },
  hold: { open: 'on_hold', awaiting_staff: 'on_hold', awaiting_client: 'on_hold' },
  resolve: { open: 'resolved', awaiting_staff: 'resolved', awaiting_client: 'resolved', on_hold: 'resolved' },
  close: {
    open: 'closed',
    awaiting_staff: 'closed',
    awaiting_client: 'closed',
    on_hold: 'closed',
    resolved: 'closed',
  },
  reopen: { resolved: 'awaiting_staff', closed: 'awaiting_staff' },
}

/**
 * The state of a ticket after an event; undefined when the event cannot happen, which the server answers with
 * 409. A closed ticket can be reopened for `reopenedForDays`.
 */
export function stateAfter(ticket: TicketMoment, event: TicketEvent, now: Date): TicketState | undefined {
  if (ticket.status === 'closed' && !mayReopen(ticket, now)) return undefined
  return transitions[event][ticket.status]
}
