import { sql } from 'kysely'
import type { Work } from '#identity/identity-context.ts'
import { clientsWithLanguage } from '#notifications/clients-with-language.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import type { Database } from '#platform/db/pool.ts'
import { type DeviceName, deviceName } from './device-name.ts'

type Letter = Parameters<typeof queueMail>[1]['letter']

/** The common parameters of most letters: the recipient, and the origin and time of the event. */
type LetterOrigin = {
  readonly name: string
  readonly device: DeviceName
  readonly ip: string | null
  readonly at: string
}

/** The parts of a verb that writes a letter; staff write some without the device of the owner. */
export type Writing = Pick<Work, 'now' | 'vault'> & {
  readonly tx: Database
  readonly origin: { readonly ip: string | null; readonly userAgent: string | undefined }
}

/**
 * Queues a letter to the owner of an account, in their language and in the transaction of the fact. `to`: an
 * address other than the account's own. Returns whether it was queued, as `queueMail` does.
 */
export async function queueOwnerLetter(
  { tx, now, vault, origin }: Writing,
  accountId: string,
  letter: (about: LetterOrigin) => Letter,
  to?: string,
): Promise<boolean> {
  const owner = await clientsWithLanguage(tx)
    .innerJoin('auth_accounts as a', 'a.id', 'c.auth_id')
    .select(['a.email', 'c.first_name', 'l.code'])
    .where('a.id', '=', accountId)
    .executeTakeFirstOrThrow()
  const where = { device: deviceName(origin.userAgent), ip: origin.ip, at: now.toISOString() }
  const written = letter({ name: owner.first_name, ...where })
  return queueMail({ tx, vault }, { to: to ?? owner.email, language: owner.code, letter: written })
}

/** Writes to the administrators when another member of staff signs in from an unknown device; nothing for clients. */
export async function queueStaffDeviceLetters(
  { tx, now, vault, origin }: Work,
  accountId: string,
): Promise<void> {
  const { rows } = await sql<{ email: string; name: string; language: string; who: string }>`
    select a.email, a.display_name as name, l.code as language, m.display_name || ' · ' || m.email as who
    from admins m join admins a on a.role = 'admin' and a.disabled_at is null and a.id <> m.id
      join clients c on c.auth_id = a.auth_id join languages l on l.id = c.language_id
    where m.auth_id = ${accountId} and m.disabled_at is null order by a.id`.execute(tx)
  const where = { device: deviceName(origin.userAgent), ip: origin.ip, at: now.toISOString() }
  for (const { email, name, language, who } of rows)
    await queueMail(
      { tx, vault },
      { to: email, language, letter: { kind: 'staff-new-device', name, who, ...where } },
    )
}
