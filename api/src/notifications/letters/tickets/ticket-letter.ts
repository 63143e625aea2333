/** The recipient of a ticket's letter, which determines its reply address. */
type AnsweredBy = {
  readonly ticketId: number
  readonly kind: 'client' | 'staff' | 'email'
  readonly id: number
}

/** A message of a ticket, for those who take part in it. */
export type TicketLetter = {
  readonly kind: 'ticket-message'
  readonly name: string
  /** The author, the paragraphs, and the names of the files. */
  readonly author: string
  readonly lines: readonly string[]
  readonly files: readonly string[]
  /** The number of the ticket. */
  readonly number: string
  readonly subject: string
  readonly to: AnsweredBy
}
