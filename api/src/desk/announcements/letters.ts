import type { announcements } from '@portico/contract/resources/announcements.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Letter } from '#notifications/letters/letters.ts'
import { queueMail } from '#notifications/queue-letter.ts'
import { unsubscribePath } from '#notifications/unsubscribe.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { Database, Pool } from '#platform/db/pool.ts'
import { refuse } from '#platform/errors/problem.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Vault } from '#platform/vault.ts'
import { type Audience, audienceIds, getsLetter } from './audience.ts'

type Announcement = RowOf<'announcements'>
type Verbs = typeof announcements.actions

// Small enough that a batch takes well under a second.
const clientsAtOnce = 200

const audienceOf = ({
  panel_engine_id,
  plan_id,
}: Pick<Announcement, 'panel_engine_id' | 'plan_id'>): Audience => ({
  engine: sql`${panel_engine_id}::int8`,
  plan: sql`${plan_id}::int8`,
})

/** The action of administrators that counts whom a letter would reach now. Throws `announcement_audience`. */
export async function countRecipients(
  { tx }: Pick<Context, 'tx'>,
  { input }: { readonly input: z.output<Verbs['recipients']['input']> },
): Promise<{ recipients: number }> {
  const audience = audienceOf(await audienceIds(tx, { audience: input.audience, of: input.of ?? null }))
  const { rows } = await sql<{ recipients: number }>`
    select count(*)::int8 as recipients from clients c where ${getsLetter(audience, input.about_service === 'true')}`.execute(
    tx,
  )
  return { recipients: Number(rows[0]?.recipients ?? 0) }
}

const requestBatch = (tx: Database, id: number) =>
  enqueue(tx, 'announcement.letters', { announcementId: id }, { key: `announcement.letters ${id}` })

/** Asks for the letters of an announcement, once. Throws `announcement_over`, `announcement_letters_asked`. */
export async function requestLetters(
  { tx }: Pick<Context, 'tx'>,
  id: number,
): Promise<{ letters_asked_at: string }> {
  const { rows } = await sql<{ letters_asked_at: string }>`
    update announcements set letters_asked_at = clock_now(), letters_upto = coalesce((select max(id) from clients), 0)
    where id = ${id} and letters_asked_at is null and (ends_at is null or ends_at > clock_now())
    returning letters_asked_at`.execute(tx)
  const [asked] = rows
  if (asked) {
    await requestBatch(tx, id)
    return asked
  }
  const { letters_asked_at } = await tx
    .selectFrom('announcements')
    .select('letters_asked_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  throw letters_asked_at === null ? refuse('announcement_over') : refuse('announcement_letters_asked')
}

type Reached = {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly language: string
}

/** The next clients who get the letter, by what they are and have at this moment. */
async function nextClients(tx: Database, news: Announcement, most: number): Promise<Reached[]> {
  const { rows } = await sql<Reached>`
    select c.id, c.email::text as email, c.first_name as name, l.code as language
    from clients c join languages l on l.id = c.language_id
    where c.id > ${news.letters_after} and c.id <= ${news.letters_upto} and ${getsLetter(audienceOf(news), news.about_service)}
    order by c.id limit ${most}`.execute(tx)
  return rows
}

const linesOf = (body: string): string[] =>
  body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function letterOf(vault: Vault, news: Announcement, { id, name, language }: Reached): Letter {
  const [title, body] = language === 'ro' ? [news.title_ro, news.body_ro] : [news.title_en, news.body_en]
  const said = { name, title, lines: linesOf(body) }
  if (news.about_service) return { kind: 'announcement', ...said }
  return { kind: 'newsletter', ...said, unsubscribe: unsubscribePath(vault, id) }
}

/** The announcement, locked, while it has letters to send. */
async function takeUp(tx: Database, id: number): Promise<Announcement | undefined> {
  return tx
    .selectFrom('announcements')
    .select(columns.announcements)
    .where('id', '=', id)
    .where('letters_asked_at', 'is not', null)
    .where('letters_done_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Queues the next letters of an announcement, and a job for the rest: all in one transaction, so that a killed process leaves
 * nobody out and nobody twice. One that has ended meanwhile is sent to nobody else.
 */
export function sendBatch(
  { pool, vault }: { readonly pool: Pool; readonly vault: Vault },
  id: number,
  most = clientsAtOnce,
): Promise<void> {
  return pool.kysely.transaction().execute(async (tx) => {
    const news = await takeUp(tx, id)
    if (!news) return
    const { rows } = await sql`select where ${news.ends_at}::timestamptz <= clock_now()`.execute(tx)
    const people = rows.length > 0 ? [] : await nextClients(tx, news, most)
    let queued = 0
    for (const one of people) {
      const { email: to, language } = one
      if (await queueMail({ tx, vault }, { to, language, letter: letterOf(vault, news, one) })) queued += 1
    }
    const isDone = people.length < most
    await sql`update announcements set letters = letters + ${queued}, letters_after = ${people.at(-1)?.id ?? news.letters_after},
      letters_done_at = ${isDone ? sql`clock_now()` : null} where id = ${id}`.execute(tx)
    if (!isDone) await requestBatch(tx, id)
  })
}
