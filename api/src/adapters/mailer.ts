/** A letter as it leaves the house. */
export type Mail = {
  /** Without its angle brackets; the same at every try, so that whoever got it twice can tell. */
  readonly messageId: string
  /** One bare address, never parsed: it may hold whatever a person typed. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** When it was written. */
  readonly date: Date
}

/** Why a letter was not taken, in words that hold nothing of what it says. */
export class NotTaken extends Error {
  override readonly name: string = 'NotTaken'
  /** Another try would end the same way. */
  readonly forGood: boolean

  constructor(reason: string, forGood: boolean) {
    super(reason)
    this.forGood = forGood
  }
}

/** Hands letters to whoever carries them. `send` resolves once the letter was taken, and rejects with `NotTaken`. */
export type Mailer = {
  send(mail: Mail): Promise<void>
  close(): void
}

/** Carries nothing anywhere: that a letter is kept is all that becomes of it. */
export const keepingMailer: Mailer = { send: async () => undefined, close: () => undefined }
