import { Button } from '@mantine/core'
import type { TicketEvent } from '@portico/contract/rules/tickets/ticket-states.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'
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

/** The actions that the ticket's state and the reader's permissions allow. */
export function Actions({ ticket }: { ticket: Ticket }) {
  return verbs
    .filter((verb) => ticket.may[verb] && canHappen(verb, ticket))
    .map((verb) => <StateButton key={verb} ticket={ticket} verb={verb} />)
}
