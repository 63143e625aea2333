import { askedVerbNames, askedVerbs } from '@portico/contract/rules/asked-verbs.ts'
import Big from 'big.js'
import type { Updateable } from 'kysely'
import * as z from 'zod/mini'
import { reasonInLog } from '#desk/verbs/client-letter.ts'
import type { Context, RowOf, Second } from '#platform/context.ts'
import { columns } from '#platform/db/columns.ts'
import type { DB } from '#platform/db/types.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { notifyOfDecision } from './notify-requests.ts'
import { actingOf, assertSettled, isAlone, lockPeople } from './people.ts'

type Request = RowOf<'staff_requests'>
type Given = { readonly row: Pick<Request, 'id'> }

const verbName = z.enum(askedVerbNames)

/** Locks a request, of two who decide at once the second finds it decided. Throws `request_decided`, `request_expired`. */
async function lockOpen({ tx, now }: Context, id: number): Promise<Request> {
  const request = await tx
    .selectFrom('staff_requests')
    .select(columns.staff_requests)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (request.decision !== null) throw refuse('request_decided')
  if (Date.parse(request.ends_at) <= now.getTime()) throw refuse('request_expired')
  return request
}

type Decided = 'approved' | 'declined' | 'withdrawn'

async function close(
  { tx, now }: Context,
  { id }: Given['row'],
  decision: Decided,
  by: Updateable<DB['staff_requests']> = {},
) {
  const decided = { decision, decided_at: now.toISOString(), decided_reason: await reasonInLog(tx), ...by }
  await tx.updateTable('staff_requests').set(decided).where('id', '=', id).execute()
  return { state: decision }
}

/** Approving moves no more than the approver read. Throws `request_grown`. */
const weighing =
  ({ amount, currency }: Request): Second['weigh'] =>
  (moved) => {
    if (amount === null || currency !== moved.currency || new Big(moved.amount).gt(amount))
      throw refuse('request_grown')
  }

/**
 * Both persons as they are now. Throws `session_ended`, `request_own`, `request_too_new`, `request_rights_lost`.
 */
async function assertTwo(context: Context, request: Request) {
  const { asked_by, asked_role, asked_alone, created_at } = request
  // Changes of staff lock whom they change, so it is locked here in the same order.
  const about = request.about_type === 'desk-staff' && request.ref !== null ? [Number(request.ref)] : []
  const people = await lockPeople(context, [context.actor.staff?.id ?? 0, asked_by, ...about])
  const approver = actingOf(people, context)
  assertSettled(approver, context.now)
  const asker = people.get(asked_by)
  if (!asker?.fit || asker.role !== asked_role || Date.parse(asker.rights_since) > Date.parse(created_at))
    throw refuse('request_rights_lost')
  if (approver.id === asker.id && !(asked_alone && (await isAlone(context, approver))))
    throw refuse('request_own')
  return { approver, asker }
}

/**
 * Approves a request: its verb runs in this transaction, and is checked again. Throws `recent_sign_in_required`, like `lockOpen` and
 * `assertTwo`, `request_grown`, and like the verb.
 */
export async function approve(context: Context, { row }: Given) {
  assertRecentSignIn(context)
  const request = await lockOpen(context, row.id)
  const { approver, asker } = await assertTwo(context, request)
  const { ref, input, reason } = request
  const verb = z.parse(verbName, request.verb)
  const done = await close(context, row, 'approved', { approved_by: approver.id })
  await notifyOfDecision(context, request, 'approved')
  await context.perform({
    staff: { id: asker.id, role: asker.role },
    second: { by: approver.id, weigh: weighing(request) },
    type: askedVerbs[verb].type,
    verb,
    ref,
    input,
    reason,
  })
  return done
}

/** Declines a request. Throws like `lockOpen`. */
export async function decline(context: Context, { row }: Given) {
  const request = await lockOpen(context, row.id)
  await notifyOfDecision(context, request, 'declined')
  return close(context, row, 'declined', { declined_by: context.actor.staff?.id ?? null })
}

/** Takes an own request back. Throws like `lockOpen`. */
export async function withdraw(context: Context, { row }: Given) {
  await lockOpen(context, row.id)
  return close(context, row, 'withdrawn')
}
