import { sayable } from '#notifications/letters/clean.ts'
import { type Language, pages } from '#notifications/letters/words.ts'

/** English letters about tickets. */
export const ticketLetters: Pick<Language['letters'], 'ticket-message'> = {
  'ticket-message': ({ number, subject, author, lines, files, to }) => ({
    // A subscribed address did not choose the subject, which must not carry an advertisement to it.
    subject: `[${number}] ${(to.kind === 'email' ? sayable(subject) : subject) ?? 'Ticket'}`,
    say: [`${author} wrote:`, ...lines, ...(files.length > 0 ? [`Files: ${files.join(', ')}`] : [])],
    button: { label: 'See the ticket', path: pages.ticket(to.ticketId) },
    after: [],
  }),
}
