import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ComponentType, type FunctionComponent, useEffect } from 'react'
import { asFailure } from '../../api/failure.ts'
import { LoadFailure } from '../load-failure.tsx'
import { idIn } from '../table/search-state.ts'
import { every, type Ticket, ticketQuery } from './ticket.ts'
import { Waiting } from './waiting.tsx'

/** Makes the screen of the ticket in the address, of what the portal and the desk show differently. */
export function ticketScreen(
  Opened: ComponentType<{ ticket: Ticket }>,
  NoSuchTicket: ComponentType,
  addressOf: (id: number) => string,
): FunctionComponent {
  function TicketPage({ id }: { id: number }) {
    const { data, error, isPending, refetch } = useQuery({ ...ticketQuery(id), refetchInterval: every })
    const navigate = useNavigate()
    // The conversation of a merged ticket goes on in another one; a reader who does not see that one stays here.
    const next = data?.mergedInto?.id
    useEffect(() => {
      if (next) void navigate({ to: addressOf(next), replace: true })
    }, [navigate, next])
    if (isPending || next) return <Waiting />
    // A ticket that is no longer visible is hidden at once.
    if (asFailure(error).status === 404) return <NoSuchTicket />
    return data ? (
      <Opened ticket={data} />
    ) : (
      <LoadFailure isPage error={error} onRetry={() => void refetch()} />
    )
  }
  return function TicketScreen() {
    const { id }: { id?: string } = useParams({ strict: false })
    const known = idIn(id)
    if (known === undefined) return <NoSuchTicket />
    // Another ticket is another page: a draft does not carry over.
    return <TicketPage key={known} id={known} />
  }
}
