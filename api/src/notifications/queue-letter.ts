import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  causes,
  choices,
  type Letter,
  type LetterLanguage,
  letterLanguages,
} from '#notifications/letters/letters.ts'
import type { Database } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'

/** As many tries, with the queue's growing pauses, bridge three hours without a mail server. */
const tries = 10

/**
 * How many letters that anybody can ask for, in anybody's name, are written within an hour: to one address, and in all. They
 * are counted by themselves, so that whoever floods the portal or an address keeps no notice from its owner, and no notices
 * keep a confirmation from a newcomer.
 */
export const askedLimits = { address: 10, all: 1000 } as const

/**
 * How many letters of one kind leave for one address within an hour; further ones leave later. By kind, so that however many
 * answers to tickets somebody gets, that their password was changed they read at once.
 */
export const anHour = 60

const asked = Object.entries(causes).flatMap(([kind, cause]) => (cause === 'asked' ? [kind] : []))

/** Whether a letter that anybody can ask for is within `askedLimits`. */
function withinLimits(to: string) {
  const lately = sql`select count(*) from outbox_letters
    where kind = any(${asked}) and created_at > now() - interval '1 hour'`
  return sql`(${lately}) < ${askedLimits.all} and (${lately} and lower(recipient) = lower(${to})) < ${askedLimits.address}`
}

/** The language that a letter is written in for somebody who speaks `code` (ISO 639-1). */
export const languageOf = (code: string): LetterLanguage =>
  letterLanguages.find((language) => language === code) ?? 'en'

/**
 * Writes a letter in the transaction of the fact that it tells of: it is sent after the commit, or never when the fact is
 * rolled back. A request therefore never waits for a mail server. `language` is ISO 639-1. What a client has chosen to do
 * without (`clients.mail_off`) is not written to their address, whoever's account it is about. What anybody can ask for is not
 * written beyond `askedLimits` and nobody is told: an answer that differed would say who has an account. Everything else is
 * written, and leaves as `anHour` allows. Letters that are being written at the same moment do not count each other, so the
 * limits may be passed by as many as there are connections. Returns whether it was written, for whoever may know.
 */
export async function queueMail(
  { tx, vault }: { readonly tx: Database; readonly vault: Vault },
  { to, language, letter }: { readonly to: string; readonly language: string; readonly letter: Letter },
): Promise<boolean> {
  const { kind } = letter
  const cause = causes[kind]
  const { rows } = await sql<{ id: number; wait: number }>`
    insert into outbox_letters (message_id, recipient, language, kind, sealed, send_at)
    select ${randomUUID()}, ${to}, ${languageOf(language)}, ${kind}, ${vault.seal(JSON.stringify(letter))},
      greatest(now(), (select send_at + interval '1 hour' from outbox_letters
        where lower(recipient) = lower(${to}) and kind = ${kind} order by send_at desc offset ${anHour - 1} limit 1))
    where not exists (
        select from clients c where c.email = ${to}::citext and ${choices[kind] ?? null}::text = any(c.mail_off))
      and ${cause === 'asked' ? withinLimits(to) : sql`true`}
    returning id, round(extract(epoch from send_at - now()) * 1000)::float8 as wait`.execute(tx)
  // One after another: a mail server that hangs must not keep all the other jobs waiting.
  for (const { id, wait } of rows)
    await enqueue(
      tx,
      'mail.send',
      { letterId: id },
      // The close of a month writes more than a server takes in minutes, and a new password does not wait for that.
      { attempts: tries, queue: 'mail', afterMs: wait, priority: cause === 'run' ? 0 : -1 },
    )
  return rows.length > 0
}
