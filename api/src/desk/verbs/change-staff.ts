import type { deskStaff } from '@portico/contract/resources/desk-staff.ts'
import type * as z from 'zod/mini'
import { assertSecond } from '#desk/second/assert-second.ts'
import { sessionEnded } from '#identity/sessions/refusal.ts'
import { inviteStaff } from '#identity/staff-invitations.ts'
import { disableMember, endMemberSessions, giveRights, resetFactors } from '#identity/staff-registry.ts'
import type { Context, RowOf } from '#platform/context.ts'
import { refuse } from '#platform/errors/problem.ts'
import { assertRecentSignIn } from '#platform/recent-sign-in.ts'
import { reasonInLog, writeClient } from './client-letter.ts'

type Member = { readonly row: RowOf<'admins'> }
type Input<V extends 'invite' | 'inviteAdmin' | 'setRole'> = {
  readonly input: z.output<(typeof deskStaff.actions)[V]['input']>
}

/**
 * Locks both members in the order of their ids, so that of two administrators who act on each other the second
 * finds their rights gone. Returns the role that the other has now. Throws `recent_sign_in_required`, `session_ended`.
 */
async function begin(context: Context, row?: RowOf<'admins'>) {
  assertRecentSignIn(context)
  const { tx, actor } = context
  const own = actor.staff?.id ?? 0
  const locked = await tx
    .selectFrom('admins')
    .select(['id', 'role', 'disabled_at'])
    .where('id', 'in', [own, row?.id ?? own])
    .orderBy('id')
    .forUpdate()
    .execute()
  const me = locked.find(({ id }) => id === own)
  if (me?.role !== 'admin' || me.disabled_at !== null) throw sessionEnded()
  return locked.find(({ id }) => id === row?.id)?.role
}

/** Invites a member. Throws like `begin` and `inviteStaff`. */
export async function invite(context: Context, { input }: Input<'invite'>) {
  await begin(context)
  return inviteStaff(context, input)
}

/** Invites an administrator. Throws like `invite`, and `second_person_required`. */
export async function inviteAdmin(context: Context, { input }: Input<'inviteAdmin'>) {
  assertSecond(context)
  await begin(context)
  return inviteStaff(context, { ...input, role: 'admin' })
}

/** Takes all rights of a member away. Throws like `begin`, and `staff_last_admin`. */
export async function disable(context: Context, { row }: Member) {
  await begin(context, row)
  await disableMember(context, row.id)
  return { state: 'disabled' } as const
}

/** Gives a member their rights back. Throws like `begin`. */
export async function enable(context: Context, { row }: Member) {
  await begin(context, row)
  await giveRights(context, row.id, { disabled_at: null })
  return { state: 'active' } as const
}

/** Ends the sessions of a member, with the invitations that they sent. Throws like `begin`. */
export async function endSessionsOf(context: Context, { row }: Member) {
  await begin(context, row)
  return { ended: await endMemberSessions(context, row) }
}

/** Removes the second factor of a member, as `resetFactors` says. Throws like `begin`, `second_person_required` for administrators, `two_factor_off`. */
export async function resetFactorsOf(context: Context, { row }: Member) {
  if ((await begin(context, row)) === 'admin') assertSecond(context)
  const { tx } = context
  const ended = await resetFactors(context, row)
  if (ended === undefined) throw refuse('two_factor_off')
  const reason = await reasonInLog(tx)
  const { id } = await tx
    .selectFrom('clients')
    .select('id')
    .where('auth_id', '=', row.auth_id)
    .executeTakeFirstOrThrow()
  await writeClient(context, id, (about) => ({ kind: 'two-factor-reset', ...about, reason }))
  return { ended }
}

/**
 * Gives a member another role. Throws like `begin`, `staff_last_admin`, and `second_person_required` to and from that of an
 * administrator.
 */
export async function setRole(context: Context, { row, input: { role } }: Member & Input<'setRole'>) {
  const before = await begin(context, row)
  if (role === 'admin' || before === 'admin') assertSecond(context)
  await giveRights(context, row.id, { role })
  return { role }
}
