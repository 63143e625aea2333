import type { SettingKey } from '@portico/contract/resources/operator-settings.ts'
import { sql } from 'kysely'
import { activeStaff, type Person } from '#desk/second/notify-requests.ts'
import { reasonInLog } from '#desk/verbs/client-letter.ts'
import type { Letter } from '#notifications/letters/letters.ts'
import { render } from '#notifications/letters/render.ts'
import { notify } from '#notifications/notifications.ts'
import { languageOf, queueMail } from '#notifications/queue-letter.ts'
import type { Context, OutsideContext } from '#platform/context.ts'
import { readStaffAction } from '#platform/db/settings.ts'
import type { Handed } from '#platform/mail/transport/mailer.ts'
import { smtpMailer } from '#platform/mail/transport/smtp-mailer.ts'
import { smtpServer } from '#platform/mail/transport/smtp-server.ts'

/** Settings in use that are replaced or removed, and whom to notify. */
export type Replacement = {
  readonly keys: readonly SettingKey[]
  readonly by: string
  readonly reason: string
  /** The person who makes the replacement is among them: their session may be stolen. */
  readonly admins: readonly Person[]
  /** Those for whom no mail server took a letter before the replacement. */
  readonly unwritten: readonly Person[]
}

const letterTo = ({ name }: Person, { by, keys, reason }: Replacement): Letter => ({
  kind: 'settings-replaced',
  name,
  by,
  settings: keys,
  reason,
})

/** Reads whom a replacement concerns, before anyone is notified. */
export async function readReplacement(
  { tx, actor }: Context,
  keys: readonly SettingKey[],
): Promise<Replacement> {
  const { rows: admins } = await activeStaff(tx, sql`a.role = 'admin'`)
  const own = admins.find(({ id }) => id === actor.staff?.id)
  return { keys, by: own?.name ?? '', reason: await reasonInLog(tx), admins, unwritten: admins }
}

// Nobody waits long for a server that may be the reason of the replacement.
const patienceMs = 5000

/**
 * Writes to the administrators by the present mail server, before it is replaced: by the new one the letters could go to a thief.
 * They skip the queue, which might reach them too late. After one that the server did not answer no more are tried.
 */
export async function mailBeforeReplacement(
  outside: OutsideContext,
  replacement: Replacement,
): Promise<Replacement> {
  const { env, brand } = outside.ports.settings
  const { smtpUrl, publicUrl } = env
  if (smtpUrl === undefined) return replacement
  const mailer = smtpMailer(smtpServer(env, smtpUrl), patienceMs)
  const unwritten: Person[] = []
  let isAnswering = true
  for (const person of replacement.admins) {
    const letter = letterTo(person, replacement)
    const said = render(letter, languageOf(person.language), publicUrl, { look: brand() })
    const messageId = `settings-${crypto.randomUUID()}@${new URL(publicUrl).hostname}`
    const head = { messageId, to: person.email, sender: brand().name, date: outside.now }
    const handed: Handed | undefined = isAnswering ? await mailer.send({ ...head, ...said }) : undefined
    if (handed?.taken) continue
    isAnswering = handed?.forGood === true
    unwritten.push(person)
  }
  mailer.close()
  return { ...replacement, unwritten }
}

/** Notifies the other administrators in the portal, in the transaction of the replacement. Letters that were not taken wait for a server. */
export async function notifyOfReplacement(
  { tx, vault, actor }: Context,
  replacement: Replacement,
): Promise<void> {
  const { keys, by, admins, unwritten } = replacement
  if (keys.length === 0) return
  // Each has its action, so that no notice takes the place of an earlier one.
  const about = await readStaffAction(tx)
  for (const person of admins.filter(({ id }) => id !== actor.staff?.id)) {
    const state = unwritten.some(({ id }) => id === person.id) ? 'unwritten' : 'written'
    const params = { by, about: keys.join(', '), state }
    await notify(tx, person.account, { kind: 'staff_settings', about, params })
  }
  for (const person of unwritten) {
    const { email: to, language } = person
    await queueMail({ tx, vault }, { to, language, letter: letterTo(person, replacement) })
  }
}
