import { type Insertable, sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { storedAddress } from '#platform/db/address.ts'
import type { Database } from '#platform/db/pool.ts'
import { nameStaff, nameStaffAction, staffAction } from '#platform/db/settings.ts'
import type { DB } from '#platform/db/types.ts'
import { Problem, reason, refuse } from '#platform/errors/problem.ts'
import type { Model } from '#platform/jsonapi/declare/model.ts'
import type { Call } from '#platform/jsonapi/http/engine.ts'

const endedSession = { 'www-authenticate': 'Bearer error="invalid_token"' }

const source = { header: 'Portico-Reason' }
const [least, most] = [3, 300]

/** The reason in the header, whose characters beyond ASCII are percent-encoded; empty without one. */
function sentReason({ request }: Call): string {
  const sent = request.headers['portico-reason']
  if (typeof sent !== 'string') return ''
  try {
    return decodeURIComponent(sent).trim()
  } catch {
    throw refuse('staff_reason_encoding', {}, { source })
  }
}

/**
 * Why staff write: the header `Portico-Reason`, or the word `routine` for types whose writes are a day's work.
 * Throws `staff_reason_required`, `staff_reason_encoding`, `staff_reason_length`.
 */
export function reasonOf(model: Model, call: Call): string {
  const reason = sentReason(call) || (model.binding.routine ? 'routine' : '')
  if (reason === '') throw refuse('staff_reason_required', {}, { source })
  if (reason.length < least || reason.length > most || reason.includes('\0') || !reason.isWellFormed())
    throw refuse('staff_reason_length', { least, most }, { source })
  return reason
}

const verbs: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'update', DELETE: 'delete' }

/** The verb of a request and the row that it names, as the log of staff has them. */
function verbOf({ request }: Call): { verb: string; ref: string | null } {
  const [, rest = ''] = request.url.split('?', 1)[0]?.split('/v1/') ?? []
  const [, second, third, fourth] = rest.split('/')
  const verb = verbs[request.method] ?? request.method
  if (second === '-actions') return { verb: third ?? verb, ref: null }
  if (third === '-actions') return { verb: fourth ?? verb, ref: second ?? null }
  return { verb: third === 'relationships' ? 'update' : verb, ref: second ?? null }
}

/** Says to the database that the transaction is one of staff, if it is. */
export async function markStaff(tx: Database, { staff }: Context['actor']): Promise<void> {
  if (staff) await nameStaff(tx, staff.id)
}

/**
 * Who was disabled, signed out or given another role while a verb of several transactions runs does no more of it. Throws
 * `session_ended`.
 */
export async function assertStillStaff(tx: Database, { staff, sessionId }: Context['actor']): Promise<void> {
  if (!staff) return
  const { rows } =
    await sql`select from admins where id = ${staff.id} and role = ${staff.role} and disabled_at is null
    and not exists (select from auth_sessions where id = ${sessionId} and revoked_at is not null)`.execute(tx)
  if (rows.length === 0) throw new Problem(reason('session_ended'), { headers: endedSession })
}

/**
 * Writes the action of a staff request into the log, in the transaction of its changes, which the database notes
 * under it. Does nothing for others. Throws like `reasonOf`.
 */
export async function logStaffAction(
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  model: Model,
  call: Call,
): Promise<void> {
  if (!actor.staff) return
  const act = { ...verbOf(call), type: model.name, reason: reasonOf(model, call) }
  await writeAction(tx, call, { ...act, admin_id: actor.staff.id, approved_by: null })
}

type Act = Pick<
  Insertable<DB['staff_actions']>,
  'admin_id' | 'approved_by' | 'verb' | 'type' | 'ref' | 'reason'
>

/** Writes an action into the log; from now on the database notes the changes of the transaction under it. */
export async function writeAction(tx: Database, { request }: Call, act: Act): Promise<void> {
  const { id } = await tx
    .insertInto('staff_actions')
    .values({ ...act, request_id: request.id, ip: storedAddress(request.ip) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await nameStaffAction(tx, id)
}

/**
 * Names the client of the action of this transaction, where it has changed no row from which the database takes it. At the end,
 * because the reference locks the client's row, which verbs lock in a stronger way.
 */
export async function nameClient({ tx, actor }: Context, model: Model, id: unknown): Promise<void> {
  if (!actor.staff || model.binding.table !== 'clients' || id === undefined) return
  await sql`update staff_actions set client_id = ${Number(id)}
    where id = ${staffAction} and client_id is null`.execute(tx)
}
