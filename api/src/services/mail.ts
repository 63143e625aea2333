import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import type { Vault } from '../db/vault.ts'
import { causes, choices, type Letter, type LetterLanguage, letterLanguages } from '../mail/letters.ts'
import { enqueue } from './enqueue.ts'

/** As many tries, with the queue's growing pauses, bridge three hours without a mail server. */
const tries = 10

/**
 * How many letters are written within an hour, to one address and in all. Those that anybody can ask for, in anybody's
 * name, leave room for notices: whoever floods the portal or an address must not keep a warning from its owner.
 */
export const letterLimits = {
  asked: { address: 10, all: 800 },
  notice: { address: 20, all: 1000 },
} as const

/** The language that a letter is written in for somebody who speaks `code` (ISO 639-1). */
export const languageOf = (code: string): LetterLanguage =>
  letterLanguages.find((language) => language === code) ?? 'en'

/**
 * Writes a letter in the transaction of the fact that it tells of: it is sent after the commit, or never when the fact is
 * rolled back. A request therefore never waits for a mail server. `language` is ISO 639-1. What a client has chosen to do
 * without (`clients.mail_off`) is not written to their address, whoever's account it is about. Beyond `letterLimits` nothing is
 * written and nobody is told: an answer that differed would say who has an account. Letters that are being written at the same
 * moment do not count each other, so the limits may be passed by as many as there are connections. Returns whether it was
 * written, for whoever may know.
 */
export async function queueMail(
  { tx, vault }: { readonly tx: Database; readonly vault: Vault },
  { to, language, letter }: { readonly to: string; readonly language: string; readonly letter: Letter },
): Promise<boolean> {
  const limit = letterLimits[causes[letter.kind]]
  const lately = sql`select count(*) from outbox_letters where created_at > now() - interval '1 hour'`
  const { rows } = await sql<{ id: number }>`
    insert into outbox_letters (message_id, recipient, language, kind, sealed)
    select ${randomUUID()}, ${to}, ${languageOf(language)}, ${letter.kind}, ${vault.seal(JSON.stringify(letter))}
    where not exists (
        select from clients c where c.email = ${to}::citext and ${choices[letter.kind] ?? null}::text = any(c.mail_off))
      and (${lately}) < ${limit.all} and (${lately} and lower(recipient) = lower(${to})) < ${limit.address}
    returning id`.execute(tx)
  // One after another: a mail server that hangs must not keep all the other jobs waiting.
  for (const { id } of rows)
    await enqueue(tx, 'mail.send', { letterId: id }, { attempts: tries, queue: 'mail' })
  return rows.length > 0
}
