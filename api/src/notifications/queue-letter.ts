import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  causes,
  choices,
  type Letter,
  type LetterLanguage,
  letterLanguages,
} from '#notifications/letters/letters.ts'
import type { RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'

/** With the queue's growing pauses this bridges three hours without a mail server. */
const tries = 10

/**
 * The maximum of letters per hour that anybody can trigger: to one address, and in total. They are counted
 * separately, so that a flood of them suppresses no notices, and notices suppress no confirmations.
 */
export const askedLimits = { address: 10, all: 1000 } as const

/**
 * The maximum of letters of one kind per address and hour; further ones are delayed. Per kind, so that many
 * ticket answers do not delay a letter about a changed password.
 */
export const anHour = 60

const kindsOf = (of: 'asked' | 'run') =>
  Object.entries(causes).flatMap(([kind, cause]) => (cause === of ? [kind] : []))
const asked = kindsOf('asked')
const runs = kindsOf('run')

/** Whether a letter that anybody can trigger is within `askedLimits`. */
function withinLimits(to: string) {
  const lately = sql`select count(*) from outbox_letters
    where kind = any(${asked}) and created_at > now() - interval '1 hour'`
  return sql`(${lately}) < ${askedLimits.all} and (${lately} and lower(recipient) = lower(${to})) < ${askedLimits.address}`
}

/** The letter language for a person's language `code` (ISO 639-1). */
export const languageOf = (code: string): LetterLanguage =>
  letterLanguages.find((language) => language === code) ?? 'en'

/** Serialized, so that a hanging mail server does not block all other jobs. */
const mailQueue = 'mail'

const keyPrefix = 'letter-'

// A month close queues more letters than a server accepts in minutes, and a password reset must not wait for them.
const priorities = { run: 0, other: -1 } as const

const enqueueLetter = (tx: Database, letterId: number, afterMs: number, isOfRun: boolean) =>
  enqueue(
    tx,
    'mail.send',
    { letterId },
    {
      attempts: tries,
      queue: mailQueue,
      key: `${keyPrefix}${letterId}`,
      afterMs,
      priority: isOfRun ? priorities.run : priorities.other,
    },
  )

/** SQL: when a letter of a kind may go to an address, at the rate of `anHour`. */
const sendAt = (
  to: string,
  kind: string,
) => sql`greatest(now(), (select send_at + interval '1 hour' from outbox_letters
  where lower(recipient) = lower(${to}) and kind = ${kind} order by send_at desc offset ${anHour - 1} limit 1))`

/** SQL: in how many milliseconds the letter is sent. */
const wait = sql<number>`greatest(0, round(extract(epoch from send_at - now()) * 1000))::float8`

/** Queues a copy of a letter that was sent, in its turn among those to its address. Returns its id. */
export async function repeatMail(
  tx: Database,
  { id, recipient, kind }: Pick<RowOf<'outbox_letters'>, 'id' | 'recipient' | 'kind'>,
): Promise<number> {
  const { rows } = await sql<{ id: number; wait: number }>`
    insert into outbox_letters (message_id, recipient, language, kind, sealed, send_at)
    select ${randomUUID()}, recipient, language, kind, sealed, ${sendAt(recipient, kind)}
    from outbox_letters where id = ${id} returning id, ${wait} as wait`.execute(tx)
  const [made] = rows
  if (!made) throw new Error(`Letter ${id} is not there.`)
  await enqueueLetter(tx, made.id, made.wait, false)
  return made.id
}

/** Queues a letter again that was given up. */
export const retryMail = (tx: Database, letterId: number): Promise<void> =>
  enqueueLetter(tx, letterId, 0, false)

/**
 * Queues the letters that were never tried, for a mail server that is set after they were written: in one statement, because a week
 * of them may wait. The key of a letter's job replaces one that still waits.
 */
export async function requestWaitingLetters(db: Database): Promise<void> {
  await sql`select graphile_worker.add_job('mail.send', json_build_object('letterId', id), queue_name => ${mailQueue}::text,
      run_at => greatest(send_at, now()), max_attempts => ${tries}::int, job_key => ${keyPrefix} || id,
      priority => case when kind = any(${runs}) then ${priorities.run}::int else ${priorities.other}::int end)
    from (select id, kind, send_at from outbox_letters
      where sent_at is null and failed_at is null and attempts = 0 order by id) waiting`.execute(db)
}

/**
 * Queues a letter in the transaction of its fact: it is sent after the commit, or never after a rollback, so
 * no request waits for a mail server. `language` is ISO 639-1. A client who has opted out of the kind
 * (`clients.mail_off`) gets none, also not about another person's account. Letters that anybody can
 * trigger are silently dropped beyond `askedLimits`, because a different response would disclose accounts.
 * All others are sent at the rate of `anHour`. Concurrent calls do not count each other, so a limit may be
 * exceeded by the number of connections. Returns whether it was queued, for callers that may know.
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
      ${sendAt(to, kind)}
    where not exists (
        select from clients c where c.email = ${to}::citext and ${choices[kind] ?? null}::text = any(c.mail_off))
      and ${cause === 'asked' ? withinLimits(to) : sql`true`}
    returning id, ${wait} as wait`.execute(tx)
  // Serialized, so that a hanging mail server does not block all other jobs.
  for (const { id, wait: afterMs } of rows) await enqueueLetter(tx, id, afterMs, cause === 'run')
  return rows.length > 0
}
