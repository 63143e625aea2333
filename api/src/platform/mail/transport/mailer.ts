/** An outgoing mail. */
export type Mail = {
  /** Without its angle brackets; the same at every attempt, so that a duplicate can be recognised. */
  readonly messageId: string
  /** One bare address, never parsed: it may hold any text that a person typed. */
  readonly to: string
  /** The name of the sender where the configuration has none. */
  readonly sender?: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The Reply-To address; none when it is left out. */
  readonly replyTo?: string
  /** The id that links the mails of one conversation, without its angle brackets. */
  readonly thread?: string
  /** The address that stops letters of this kind, by a POST of the mail program too (RFC 8058). */
  readonly unsubscribe?: string
  readonly attachments?: readonly {
    readonly filename: string
    readonly contentType: string
    readonly content: Buffer
  }[]
  /** The time when it was written. */
  readonly date: Date
}

/**
 * The outcome of a send. The reason holds nothing of the content; `forGood` means that the failure is
 * permanent.
 */
export type Handed =
  | { readonly taken: true }
  | { readonly taken: false; readonly reason: string; readonly forGood: boolean }

/** Sends mail. A send ends within half a minute in any case, and never rejects. */
export type Mailer = {
  send(mail: Mail): Promise<Handed>
  /** Closes idle connections. */
  close(): void
}

/** Sends nothing: the letter is only stored. */
export const keepingMailer: Mailer = { send: async () => ({ taken: true }), close: () => undefined }
