import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { retryMail } from '#notifications/queue-letter.ts'
import { repeatable } from '#notifications/repeatable-letters.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type OfLetter = { readonly row: RowOf<'outbox_letters'> }

/** SQL: the state of a letter; one that staff gave up is not failed, because nothing is left to do about it. */
export const letterState = sql`case when outbox_letters.sent_at is not null then 'sent' when outbox_letters.failed_at is null then 'waiting'
  when outbox_letters.last_error is null then 'dropped' else 'failed' end`

/** Sends a failed letter again. Throws `letter_not_failed`. */
export async function retryLetter({ tx }: Context, { row }: OfLetter) {
  const failed = await tx
    .updateTable('outbox_letters')
    .set({ failed_at: null, last_error: null, attempts: 0 })
    .where('id', '=', row.id)
    .where('failed_at', 'is not', null)
    .where('sealed', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (!failed) throw refuse('letter_not_failed')
  await retryMail(tx, row.id)
  return { state: 'waiting' } as const
}

/** SQL: whether a letter was sent, and its text is kept and may go out again. */
export const isRepeatable = sql<boolean>`(outbox_letters.sent_at is not null and outbox_letters.sealed is not null
  and outbox_letters.kind = any(${[...repeatable]}))`

/** Sends a letter again that was sent, as another letter. Throws `letter_not_kept`. */
export async function resendLetter({ tx }: Context, { row }: OfLetter): Promise<{ letter_id: number }> {
  const { rows } = await sql<{ id: number }>`
    insert into outbox_letters (message_id, recipient, language, kind, sealed)
    select ${randomUUID()}, recipient, language, kind, sealed from outbox_letters
    where id = ${row.id} and ${isRepeatable} returning id`.execute(tx)
  const [made] = rows
  if (!made) throw refuse('letter_not_kept')
  await retryMail(tx, made.id)
  return { letter_id: made.id }
}

/** Gives up a letter that waits. Throws `recent_sign_in_required`, `letter_not_waiting`. */
export async function dropLetter(context: Context, { row }: OfLetter) {
  assertRecentSignIn(context)
  const dropped = await context.tx
    .updateTable('outbox_letters')
    .set({ failed_at: context.now.toISOString(), last_error: null, sealed: null })
    .where('id', '=', row.id)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!dropped) throw refuse('letter_not_waiting')
  return { state: 'dropped' } as const
}
