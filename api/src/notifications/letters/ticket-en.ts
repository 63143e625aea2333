import { sayable } from './clean.ts'
import { type Language, pages } from './words.ts'

/** What is written about tickets, in English. */
export const ticketLetters: Pick<Language['letters'], 'ticket-message'> = {
  'ticket-message': ({ number, subject, author, lines, files, to }) => ({
    // Whoever is only told of answers did not choose the subject, and must not be reached by it.
    subject: `[${number}] ${(to.kind === 'email' ? sayable(subject) : subject) ?? 'Ticket'}`,
    say: [`${author} wrote:`, ...lines, ...(files.length > 0 ? [`Files: ${files.join(', ')}`] : [])],
    button: { label: 'See the ticket', path: pages.ticket(to.ticketId) },
    after: [],
  }),
}
