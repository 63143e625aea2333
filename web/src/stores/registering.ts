/** The person who is registering in this tab, until their e-mail is confirmed. Never the password. */
export type Registering = {
  email: string
  first_name: string
  last_name: string
  /** The earliest moment of the next mail, in milliseconds since the epoch. */
  again_at: number
}

/** Minimum time between two mails, in milliseconds. */
export const resendAfter = 60_000

const key = 'registering'

/** It survives a reload, because people reload a page that waits for a mail. */
export const registering = {
  get: (): Registering | undefined => {
    const kept = sessionStorage.getItem(key)
    // Only `keep` writes this value.
    return kept === null ? undefined : (JSON.parse(kept) as Registering)
  },
  keep: (who: Registering): void => sessionStorage.setItem(key, JSON.stringify(who)),
  forget: (): void => sessionStorage.removeItem(key),
}
