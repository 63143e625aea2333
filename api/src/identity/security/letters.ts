import type { Work } from '#identity/identity-context.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import { type DeviceName, deviceName } from './device-name.ts'

type Letter = Parameters<typeof queueMail>[1]['letter']

/** The common parameters of most letters: the recipient, and the origin and time of the event. */
type LetterOrigin = {
  readonly name: string
  readonly device: DeviceName
  readonly ip: string | null
  readonly at: string
}

/**
 * Queues a letter to the owner of an account, in their language and in the transaction of the fact. `to`: an
 * address other than the account's own.
 */
export async function queueOwnerLetter(
  { tx, now, vault, origin }: Work,
  accountId: string,
  letter: (about: LetterOrigin) => Letter,
  to?: string,
): Promise<void> {
  const owner = await clientsWithLanguage(tx)
    .innerJoin('auth_accounts as a', 'a.id', 'c.auth_id')
    .select(['a.email', 'c.first_name', 'l.code'])
    .where('a.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const where = { device: deviceName(origin.userAgent), ip: origin.ip, at: now.toISOString() }
  const written = letter({ name: owner.first_name, ...where })
  await queueMail({ tx, vault }, { to: to ?? owner.email, language: owner.code, letter: written })
}
