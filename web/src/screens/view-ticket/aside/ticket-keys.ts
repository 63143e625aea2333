import { useEffect } from 'react'
import { useUser } from '../../../api/queries/user.ts'
import { inWords } from '../../../api/refusal-words.ts'
import { useAction } from '../../../api/write.ts'
import { openOverlay } from '../../../stores/overlay.ts'
import { toast } from '../../../stores/toast.ts'
import { m } from '../../../texts/compiled/messages.js'
import type { Ticket } from '../ticket.ts'

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

/** Keys pressed in a field or in an overlay belong to it. */
const isElsewhere = (target: EventTarget | null) =>
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null) ||
  document.querySelector('[role="dialog"], [role="menu"]') !== null

/**
 * Whether letters are keys, as `stores/letter-keys.ts` keeps it. Importing that would move it to one more file, which
 * every client would load.
 */
function areOn(): boolean {
  try {
    return localStorage.getItem('letterKeys') !== '0'
  } catch {
    return true
  }
}

/** The keys of staff in a ticket. */
export function useTicketKeys(ticket: Ticket): void {
  const takeOver = useTakeOver(ticket)
  useEffect(() => {
    const keys = [
      { press: ['r'], does: m.ticket_key_reply, act: write('answer') },
      { press: ['n'], does: m.ticket_key_note, act: write('note') },
      { press: ['a'], does: m.ticket_key_mine, act: takeOver },
    ] as const
    const showAll = () => openOverlay({ kind: 'keys', more: keys })
    const press = (event: KeyboardEvent) => {
      const act = event.key === '?' ? showAll : keys.find((one) => one.press[0] === event.key)?.act
      const isModified = event.metaKey || event.ctrlKey || event.altKey
      if (!act || isModified || !areOn() || isElsewhere(event.target)) return
      // The field that gets the focus would have the letter too, and the window the list without these keys.
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}
