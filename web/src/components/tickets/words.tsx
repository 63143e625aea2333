import type { TicketState } from '@portico/contract/rules/tickets/ticket-states.ts'
import { useUser } from '../../api/queries/user.ts'
import { list } from '../../api/query.ts'
import type { Row } from '../../api/rows.ts'
import { language } from '../../stores/language.ts'
import { m } from '../../texts/compiled/messages.js'
import { Status, type Tone } from '../../ui/status.tsx'

/** Departments: a few rows that rarely change. */
export const departmentsQuery = {
  ...list('ticket-departments', { sort: 'position', page: { size: 100 } }),
  staleTime: 600_000,
}

type Department = Pick<Row<'ticket-departments'>, 'name_en' | 'name_ro'>

export const departmentName = (department: Department): string => department[`name_${language()}`]

type Side = 'client' | 'staff'

/** Whether the reader is staff or a client. */
export const useSide = (): Side => (useUser().staff === null ? 'client' : 'staff')

const states: Readonly<Record<TicketState, Readonly<Record<Side, readonly [Tone, () => string]>>>> = {
  open: { client: ['idle', m.ticket_open], staff: ['warn', m.ticket_open] },
  awaiting_staff: { client: ['idle', m.ticket_awaiting_support], staff: ['warn', m.ticket_awaiting_support] },
  awaiting_client: { client: ['warn', m.ticket_awaiting_you], staff: ['idle', m.ticket_awaiting_client] },
  on_hold: { client: ['idle', m.ticket_on_hold], staff: ['idle', m.ticket_on_hold] },
  resolved: { client: ['good', m.ticket_resolved], staff: ['good', m.ticket_resolved] },
  closed: { client: ['idle', m.ticket_closed], staff: ['idle', m.ticket_closed] },
}

export const stateName = (state: TicketState, side: Side): string => states[state][side][1]()

export function TicketStatus({ state, side }: { state: TicketState; side: Side }) {
  const [tone, name] = states[state][side]
  return <Status tone={tone}>{name()}</Status>
}
