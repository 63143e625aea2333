/** A letter as it leaves the house. */
export type Mail = {
  /** Without its angle brackets; the same at every try, so that whoever got it twice can tell. */
  readonly messageId: string
  /** One bare address, never parsed: it may hold whatever a person typed. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Where an answer comes to; nowhere when it is left out. */
  readonly replyTo?: string
  /** What mails of one conversation have in common, without its angle brackets. */
  readonly thread?: string
  readonly attachments?: readonly {
    readonly filename: string
    readonly contentType: string
    readonly content: Buffer
  }[]
  /** When it was written. */
  readonly date: Date
}

/** What became of a letter. The reason holds nothing of what it says; `forGood` means that another try would end alike. */
export type Handed =
  | { readonly taken: true }
  | { readonly taken: false; readonly reason: string; readonly forGood: boolean }

/** Hands letters to whoever carries them. A send ends within half a minute, whatever hangs, and never rejects. */
export type Mailer = {
  send(mail: Mail): Promise<Handed>
  /** Ends what is idle. */
  close(): void
}

/** Carries nothing anywhere: that a letter is kept is all that becomes of it. */
export const keepingMailer: Mailer = { send: async () => ({ taken: true }), close: () => undefined }
