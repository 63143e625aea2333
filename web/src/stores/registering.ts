/** Who is registering in this tab, until their e-mail is confirmed. Never the password. */
export type Registering = {
  email: string
  first_name: string
  last_name: string
  /** When the mail may be sent again, in milliseconds. */
  again_at: number
}

/** As long after a mail the next may be sent, in milliseconds. */
export const resendAfter = 60_000

const key = 'registering'

/** It outlives a reload, because the page that waits for a mail is one that people reload. */
export const registering = {
  get: (): Registering | undefined => {
    const kept = sessionStorage.getItem(key)
    // Only `keep` writes it.
    return kept === null ? undefined : (JSON.parse(kept) as Registering)
  },
  keep: (who: Registering): void => sessionStorage.setItem(key, JSON.stringify(who)),
  forget: (): void => sessionStorage.removeItem(key),
}
