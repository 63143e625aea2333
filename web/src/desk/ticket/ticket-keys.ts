import { useEffect, useRef, useState } from 'react'
import { useUser } from '../../api/queries/user.ts'
import { inWords } from '../../api/refusal-words.ts'
import { useAction } from '../../api/write.ts'
import type { Ticket } from '../../components/thread/ticket.ts'
import { type PageKey, usePageKeys } from '../../stores/overlay.ts'
import { toast } from '../../stores/toast.ts'
import { m } from '../../texts/compiled/messages.js'

/** Focuses the field of the composer, for an answer or for a note. */
const write = (kind: 'answer' | 'note') => () => {
  const choice = document.querySelector<HTMLInputElement>(`form input[type="radio"][value="${kind}"]`)
  choice?.click()
  choice?.form?.querySelector('textarea')?.focus()
}

/** Assigns the ticket to the reader. */
function useTakeOver({ id, assignedAdmin }: Ticket): () => void {
  const { staff } = useUser()
  const assign = useAction('tickets', 'assign')
  return () => {
    if (!staff || assignedAdmin?.id === staff.id) return
    assign.mutate(
      { id, payload: { admin_id: staff.id } },
      {
        onSuccess: () => toast(m.ticket_taken()),
        onError: (error) => toast(m.ticket_not_done(), inWords(error), 'bad'),
      },
    )
  }
}

/** The keys of staff in a ticket. */
export function useTicketKeys(ticket: Ticket): void {
  const takeOver = useTakeOver(ticket)
  const latest = useRef(takeOver)
  useEffect(() => {
    latest.current = takeOver
  })
  const [keys] = useState((): readonly PageKey[] => [
    { press: ['r'], does: m.ticket_key_reply, act: write('answer') },
    { press: ['n'], does: m.ticket_key_note, act: write('note') },
    { press: ['a'], does: m.ticket_key_mine, act: () => latest.current() },
  ])
  usePageKeys(keys)
}
