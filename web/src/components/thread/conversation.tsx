import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { list } from '../../api/query.ts'
import { m } from '../../texts/compiled/messages.js'
import { Bone } from '../../ui/loading/bones.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { MessageCard } from './message.tsx'
import classes from './thread.module.css'
import { every } from './ticket.ts'

const pageOf = (ticket: number, number: number) =>
  list('ticket-messages', {
    filter: { ticket_id: ticket },
    include: ['ticketFiles'],
    sort: '-createdAt',
    page: { number, size: 25 },
  })

/** The loaded messages, oldest first; the pages come newest first. */
function useMessages(ticket: number) {
  const [pages, setPages] = useState(1)
  const queries = useQueries({
    queries: Array.from({ length: pages }, (_, at) => ({
      ...pageOf(ticket, at + 1),
      refetchInterval: every,
    })),
  })
  // A new message can move another to the next page while pages load, so duplicates are dropped.
  const messages = new Map(queries.flatMap(({ data }) => data?.items ?? []).map((one) => [one.id, one]))
  const first = queries[0]
  return {
    first,
    messages: [...messages.values()].sort((a, b) => a.id - b.id),
    hasEarlier: (first?.data?.page.pages ?? 1) > pages,
    isLoadingEarlier: queries.some(({ isPending }) => isPending),
    loadEarlier: () => setPages(pages + 1),
  }
}

/** The messages of the ticket. Screen readers announce new ones. */
export function Conversation({ ticket }: { ticket: number }) {
  const { first, messages, hasEarlier, isLoadingEarlier, loadEarlier } = useMessages(ticket)
  if (!first?.data)
    return (
      <div className={`card ${classes.waiting}`}>
        {first?.isError ? (
          <LoadFailure error={first.error} onRetry={() => void first.refetch()} />
        ) : (
          <Bone height={120} />
        )}
      </div>
    )
  return (
    <div className={classes.conversation} role="log" aria-label={m.ticket_conversation()}>
      {hasEarlier && (
        <Button variant="default" loading={isLoadingEarlier} onClick={loadEarlier}>
          {m.ticket_earlier()}
        </Button>
      )}
      {messages.map((message) => (
        <MessageCard key={message.id} message={message} />
      ))}
    </div>
  )
}
