import { sayable } from './clean.ts'
import { type Language, pages } from './words.ts'

/** What is written about tickets, in Romanian. */
export const ticketLetters: Pick<Language['letters'], 'ticket-message'> = {
  'ticket-message': ({ number, subject, author, lines, files, to }) => ({
    // Whoever is only told of answers did not choose the subject, and must not be reached by it.
    subject: `[${number}] ${(to.kind === 'email' ? sayable(subject) : subject) ?? 'Tichet'}`,
    say: [`${author} a scris:`, ...lines, ...(files.length > 0 ? [`Fișiere: ${files.join(', ')}`] : [])],
    button: { label: 'Vezi tichetul', path: pages.ticket(to.ticketId) },
    after: [],
  }),
}
