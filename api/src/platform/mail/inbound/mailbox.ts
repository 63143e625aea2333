/** The result of a visit to a mailbox. */
export type Visit = {
  /** The number of mails that were taken and marked as read. */
  readonly taken: number
  /**
   * The number of new mails that are too large. They stay unread and flagged for the person who looks after
   * the mailbox.
   */
  readonly tooLarge: number
}

/** A mail folder that only the portal reads. */
export type Mailbox = {
  /**
   * Delivers each unread mail, oldest first, in raw form with a stable delivery id; marks it once `take` has
   * resolved. Ends within half a minute and leaves the rest for the next visit. Rejects with a loggable
   * reason when the server is away, refuses, or cannot mark mail.
   */
  visit(take: (raw: Buffer, deliveryId: string) => Promise<unknown>): Promise<Visit>
}
