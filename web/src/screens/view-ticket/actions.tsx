import { Button } from '@mantine/core'
import type { TicketEvent } from '@portico/contract/rules/tickets/ticket-states.ts'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { href } from '../../routes.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
import { lazily } from '../../ui/loading/lazily.ts'
import { canHappen, type Ticket } from './ticket.ts'

type Verb = Extract<TicketEvent, 'reopen' | 'hold' | 'resolve' | 'close'>

const words: Readonly<Record<Verb, { verb: () => string; done: () => string }>> = {
  reopen: { verb: m.ticket_reopen, done: m.ticket_reopened },
  hold: { verb: m.ticket_hold, done: m.ticket_held },
  resolve: { verb: m.ticket_resolve, done: m.ticket_resolved_toast },
  close: { verb: m.ticket_close, done: m.ticket_closed_toast },
}

function StateButton({ ticket, verb }: { ticket: Ticket; verb: Verb }) {
  const act = useAction('tickets', verb)
  const { verb: name, done } = words[verb]
  const press = () =>
    act.mutate(
      { id: ticket.id, payload: {} },
      {
        onSuccess: () => toast(done()),
        onError: (error) => toast(m.ticket_not_done(), inWords(error), 'bad'),
      },
    )
  return (
    <Button variant="default" loading={act.isPending} onClick={press}>
      {name()}
    </Button>
  )
}

// `Object.keys` loses the type: the record has exactly these keys.
const verbs = Object.keys(words) as Verb[]

const Merge = lazily(async () => (await import('./merge.tsx')).Merge)

/** The actions that the ticket's state and the reader's permissions allow. */
export function Actions({ ticket }: { ticket: Ticket }) {
  return (
    <>
      <Suspense>{ticket.may.merge && <Merge ticket={ticket} />}</Suspense>
      {verbs
        .filter((verb) => ticket.may[verb] && canHappen(verb, ticket))
        .map((verb) => (
          <StateButton key={verb} ticket={ticket} verb={verb} />
        ))}
    </>
  )
}

/** Replaces the composer where the ticket accepts no more answers. */
export function Over({ ticket }: { ticket: Ticket }) {
  const isStaffs = ticket.may.note === true
  return (
    <div className="card" style={{ padding: '16px 24px' }}>
      <p>{isStaffs && canHappen('reopen', ticket) ? m.ticket_over_reopen() : m.ticket_over()}</p>
      {!isStaffs && (
        <Button
          mt={12}
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to={href('add-ticket', { type: ticket.department })}
              search={{ follows: ticket.id }}
            />
          )}
        >
          {m.ticket_follow_up()}
        </Button>
      )}
    </div>
  )
}
