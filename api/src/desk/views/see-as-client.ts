import { noteLook } from '#desk/looks.ts'
import { reasonInLog, writeClient } from '#desk/verbs/client-letter.ts'
import { endView, openView } from '#identity/views/client-views.ts'
import type { Context, RowOf, Staff } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'

type Client = { readonly row: RowOf<'clients'> }

function staffOf({ actor }: Pick<Context, 'actor'>): Staff {
  if (actor.staff === undefined) throw refuse('forbidden')
  return actor.staff
}

/**
 * Opens the account as its owner sees it, which counts as a look at the client. Without their consent they are written to.
 * Throws `recent_sign_in_required`, and like `openView`.
 */
export async function seeAsClient(context: Context, { row }: Client) {
  assertRecentSignIn(context)
  const { tx, now, actor } = context
  await noteLook(context, row.id)
  const reason = await reasonInLog(tx)
  const parties = { client: row.id, staff: staffOf(context), reason }
  const { token, until, by, byConsent } = await openView({ tx, now, sessionId: actor.sessionId }, parties)
  if (!byConsent)
    await writeClient(context, row.id, (about) => ({ kind: 'account-viewed', ...about, by, reason }))
  return { token, until }
}

/** Ends the own view of the account. */
export async function leaveClient(context: Context, { row }: Client): Promise<{ ended: number }> {
  return { ended: await endView(context, { client: row.id, staff: staffOf(context) }) }
}
