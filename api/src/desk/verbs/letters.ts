import { retryMail } from '#notifications/queue-letter.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type OfLetter = { readonly row: RowOf<'outbox_letters'> }

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
