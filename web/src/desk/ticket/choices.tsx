import { NativeSelect } from '@mantine/core'
import { ticketPriorities } from '@portico/contract/rules/tickets/ticket-limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Failure } from '../../api/failure.ts'
import { list } from '../../api/query.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { ChipsField } from '../../components/forms/chips-field.tsx'
import { departmentName, departmentsQuery } from '../../components/tickets/words.tsx'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import '../../ui/styles/combobox.ts'
import type { Ticket } from '../../components/thread/ticket.ts'
import { priorities } from '../../components/tickets/priorities.ts'

const staffQuery = list('admins', { sort: 'display_name', page: { size: 100 } })

const refused = { onError: (error: Failure) => toast(m.ticket_not_done(), inWords(error), 'bad') }

/** Assigns the ticket to a staff member. */
export function Assigned({ ticket }: { ticket: Ticket }) {
  const { id, assignedAdmin } = ticket
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

/** Moves the ticket to another department. */
export function Department({ ticket: { id, department } }: { ticket: Ticket }) {
  const { data } = useQuery(departmentsQuery)
  const move = useAction('tickets', 'move')
  // A closed department takes no tickets; one that has this ticket keeps it.
  const codes = data?.items.filter(({ code, closed }) => !closed || code === department) ?? []
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

/** Sets the priority; the response times follow it. */
export function Priority({ ticket: { id, priority } }: { ticket: Ticket }) {
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

/** The words by which staff sort tickets. */
export function Tags({ ticket: { id, tags } }: { ticket: Ticket }) {
  const [typed, setTyped] = useState('')
  const tag = useAction('tickets', 'tag')
  return (
    <ChipsField
      size="xs"
      label={m.ticket_tags()}
      labelProps={{ className: 'unseen' }}
      disabled={tag.isPending}
      value={tags ?? []}
      typed={typed}
      onTyped={setTyped}
      onChange={(given) => tag.mutate({ id, payload: { tags: given } }, refused)}
    />
  )
}
