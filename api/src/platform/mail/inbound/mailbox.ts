/** What a visit to a mailbox came to. */
export type Visit = {
  /** How many mails were taken, and are marked as read. */
  readonly taken: number
  /** How many are new that are too large to be taken. They stay unread, with a flag for whoever looks after the mailbox. */
  readonly tooLarge: number
}

/** A folder that mail comes to, and that nobody else reads. */
export type Mailbox = {
  /**
   * Hands over each mail that is not marked as read, oldest first, as it came and with an id of its delivery that stays
   * the same; when `take` has resolved it is marked. Ends within half a minute; what is left then is for the next visit.
   * Rejects with a reason that may be logged, when the server is away, refuses or is in the way of marking.
   */
  visit(take: (raw: Buffer, deliveryId: string) => Promise<unknown>): Promise<Visit>
}
