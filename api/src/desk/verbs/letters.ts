import { sql } from 'kysely'
import { repeatMail, retryMail } from '#notifications/queue-letter.ts'
import { repeatable } from '#notifications/repeatable-letters.ts'
import type { Context, RowOf } from '#platform/context.ts'
import type { Database } from '#platform/db/pool.ts'
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

/** The most letters that one person sends again in an hour. */
const mostRepeated = 30

/** The action itself is in the log already. Throws `letters_most`. */
async function assertFewRepeated({ tx, actor: { staff } }: Context): Promise<void> {
  const { rows } = await sql<{ repeated: number }>`select count(*)::int as repeated from staff_actions
    where admin_id = ${staff?.id ?? 0} and type = 'desk-letters' and verb = 'resend' and at > now() - interval '1 hour'`.execute(
    tx,
  )
  if ((rows[0]?.repeated ?? 0) > mostRepeated) throw refuse('letters_most')
}

/** Whether letters to a client still go to this address: others may read the mail of a former one. */
async function isInUse(tx: Database, address: string): Promise<boolean> {
  const { rows } = await sql`select from clients where email = ${address}::citext
    union all select from client_entities
      where ${address.toLowerCase()} = any(regexp_split_to_array(lower(trim(billing_emails)), '\\s*,\\s*')) limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * Sends a letter again that was sent, as another letter. Throws `letter_not_kept`, `letter_address_left`, and like
 * `assertFewRepeated`.
 */
export async function resendLetter(context: Context, { row }: OfLetter): Promise<{ letter_id: number }> {
  const { tx } = context
  await assertFewRepeated(context)
  const { rows } = await sql`select from outbox_letters where id = ${row.id} and ${isRepeatable}`.execute(tx)
  if (rows.length === 0) throw refuse('letter_not_kept')
  if (!(await isInUse(tx, row.recipient))) throw refuse('letter_address_left')
  return { letter_id: await repeatMail(tx, row) }
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
