import { aloneHours, settledHours } from '@portico/contract/resources/desk-requests.ts'
import { hourMs } from '@portico/contract/time.ts'
import { sql } from 'kysely'
import { sessionEnded } from '#identity/sessions/refusal.ts'
import type { Context, Staff } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { hasSecondFactor, staffRole } from '#staff/roles.ts'

type Person = Staff & { readonly rights_since: string; readonly fit: boolean }

/** SQL: whether the only administrator has waited long enough to approve their own request. */
export const ownAfter = sql<boolean>`(staff_requests.asked_alone
  and staff_requests.created_at <= now() - make_interval(hours => ${sql.lit(aloneHours)}))`

/**
 * Locks members of staff in the order of their ids, as changes of staff do, and reads their rights as they are now. `fit`:
 * neither disabled nor without their second factor.
 */
export async function lockPeople(
  { tx }: Pick<Context, 'tx'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Person>> {
  const { rows } = await sql<Omit<Person, 'role'> & { role: string }>`
    select a.id, a.role, a.rights_since, a.disabled_at is null and ${sql.raw(hasSecondFactor('a'))} as fit
    from admins a where a.id = any(${[...ids]}::int8[]) order by a.id for update of a`.execute(tx)
  return new Map(rows.map((row) => [row.id, { ...row, role: staffRole.parse(row.role) }]))
}

/** The member who acts, with the role that they act in. Throws `session_ended`. */
export function actingOf(people: ReadonlyMap<number, Person>, { actor: { staff } }: Context): Person {
  const me = people.get(staff?.id ?? 0)
  if (!me?.fit || me.role !== staff?.role) throw sessionEnded()
  return me
}

/** A thief with a session could invite or raise an accomplice. Throws `request_too_new`. */
export function assertSettled({ rights_since }: Person, now: Date): void {
  if (Date.parse(rights_since) > now.getTime() - settledHours * hourMs)
    throw refuse('request_too_new', { hours: settledHours })
}

/** Whether an administrator has been the only one for a while. */
export async function isAlone({ tx }: Pick<Context, 'tx'>, { id, role }: Staff): Promise<boolean> {
  if (role !== 'admin') return false
  const { rows } = await sql<{ alone: boolean }>`select staff_alone(${id}) as alone`.execute(tx)
  return rows[0]?.alone ?? false
}
