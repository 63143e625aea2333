import type { Failure } from '../../api/failure.ts'
import { m } from '../../texts/compiled/messages.js'
import { faultInWords } from '../../texts/faults.ts'
import { inWords } from '../forms/refusal.ts'

// Apart from what every form may be told: only pages of tickets carry these words.
const known: readonly [RegExp, (match: RegExpExecArray) => string][] = [
  [/^Nobody answers this ticket yet\./, () => m.ticket_fault_unanswered()],
  [/^This ticket is about no panel\.$/, () => m.ticket_fault_no_panel()],
  [/^This ticket has (\d+) messages\. Open another/, ([, max]) => m.ticket_fault_full({ max: max ?? '' })],
  [/^This ticket is closed\./, () => m.ticket_fault_closed()],
  [/^This ticket was closed more than /, () => m.ticket_fault_long_closed()],
  [/^This cannot be done with a ticket that is /, () => m.ticket_fault_state()],
  [/^A ticket tells at most (\d+) /, ([, max]) => m.ticket_fault_emails({ max: max ?? '' })],
  [/^You cannot open tickets /, () => m.ticket_fault_account()],
  [/^What is in this file is not /, () => m.file_fault_content()],
  [/malware/, () => m.file_fault_malware()],
  [/^The files of one message /, () => m.files_fault_message()],
  [/^The files of .+ tickets can have /, () => m.files_fault_account()],
  [/^Files cannot be looked into /, () => m.files_fault_later()],
]

function inTicketWords(said: string): string {
  for (const [pattern, say] of known) {
    const match = pattern.exec(said)
    if (match) return say(match)
  }
  return faultInWords(said)
}

/** Why something of a ticket was refused: what the server said of it, where it said anything. */
export function saidBy(failure: Failure): string {
  const said = failure.errors[0]?.detail
  return failure.status < 500 && failure.status !== 429 && said !== undefined
    ? inTicketWords(said)
    : inWords(failure)
}
