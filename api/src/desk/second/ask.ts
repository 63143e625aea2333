import { type deskRequests, requestHours } from '@portico/contract/resources/desk-requests.ts'
import { askedVerbs } from '@portico/contract/rules/asked-verbs.ts'
import { hourMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { reasonInLog } from '#desk/verbs/client-letter.ts'
import type { Asked, Context, Second } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { aboutOf } from './about.ts'
import { notifyOfRequest } from './notify-requests.ts'
import { actingOf, assertSettled, isAlone, lockPeople } from './people.ts'

type Input = z.output<typeof deskRequests.actions.ask.input>
type Moved = Parameters<Second['weigh']>[0]

/**
 * The most requests of one person in the time in which they can be approved, so that a stolen session cannot flood the
 * administrators. Those that were withdrawn count: each sent its letters.
 */
const mostOpen = 20

async function assertFewOpen({ tx, now }: Context, asker: number): Promise<void> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from staff_requests
    where asked_by = ${asker} and (decision is null or decision = 'withdrawn') and ends_at > ${now.toISOString()}`.execute(
    tx,
  )
  if ((rows[0]?.open ?? 0) >= mostOpen) throw refuse('requests_too_many', { most: mostOpen })
}

/** Runs the verb and undoes it: what is refused now is not asked for. Returns what it would move, if it moves money. */
async function tryOut({ tx, perform }: Context, asked: Omit<Asked, 'second'>): Promise<Moved | undefined> {
  const weighed: Moved[] = []
  await sql`savepoint tried`.execute(tx)
  await perform({ ...asked, second: { by: null, weigh: (moved) => weighed.push(moved) } })
  await sql`rollback to savepoint tried`.execute(tx)
  return weighed[0]
}

/**
 * Asks a second person for a verb. Throws `recent_sign_in_required`, `session_ended`, `request_too_new`,
 * `requests_too_many`, and like the verb.
 */
export async function ask(context: Context, { input: { verb, ref, input } }: { readonly input: Input }) {
  assertRecentSignIn(context)
  const { tx, actor, now } = context
  const { id, role, ...since } = actingOf(await lockPeople(context, [actor.staff?.id ?? 0]), context)
  assertSettled({ id, role, ...since }, now)
  await assertFewOpen(context, id)
  const { type } = askedVerbs[verb]
  const reason = await reasonInLog(tx)
  const moved = await tryOut(context, { staff: { id, role }, type, verb, ref, input, reason })
  const isLonely = await isAlone(context, { id, role })
  const about = await aboutOf(tx, { type, ref, input })
  const ends_at = new Date(now.getTime() + requestHours * hourMs).toISOString()
  const made = await tx
    .insertInto('staff_requests')
    .values({
      verb,
      about_type: type,
      ref,
      input: JSON.stringify(input),
      ...about,
      amount: moved?.amount ?? null,
      currency: moved?.currency ?? null,
      reason,
      asked_by: id,
      asked_role: role,
      asked_alone: isLonely,
      created_at: now.toISOString(),
      ends_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await notifyOfRequest(context, { id: made.id, verb, about: about.about, reason, asker: id, isLonely })
  return { request_id: made.id, ends_at }
}
