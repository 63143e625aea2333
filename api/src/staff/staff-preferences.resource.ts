import { staffPreferences } from '@portico/contract/resources/staff-preferences.ts'
import { sql } from 'kysely'
import type { Context } from '#platform/context.ts'
import { reason, refuse } from '#platform/errors/problem.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'

/** Staff see each other, so that followers of a department are visible. */
const colleagues: Rule<'admins'> = { ...nobody, table: 'admins', staff: () => sql`true` }

const own: Rule<'admins'> = {
  ...nobody,
  table: 'admins',
  staff: ({ id }) => sql`admins.id = ${id}`,
  refusal: () => reason('staff_preferences_not_own'),
}

/** Throws `department_unknown` for a choice about a department that does not exist. */
async function assertDepartments({ tx }: Context, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return
  const known = await tx.selectFrom('ticket_departments').select('code').where('code', 'in', codes).execute()
  if (known.length < codes.length)
    throw refuse('department_unknown', {}, { source: { pointer: '/data/attributes/followed' } })
}

/** Letters greet a member by the name that others see. */
async function greetBy({ tx }: Context, id: number): Promise<void> {
  await sql`update clients c set first_name = m.display_name, last_name = ''
    from admins m where m.id = ${id} and c.auth_id = m.auth_id`.execute(tx)
}

export default serve(staffPreferences, {
  table: 'admins',
  routine: true,
  policy: { read: colleagues, update: own },
  spread: { followed: (value) => ({ followed: JSON.stringify(value) }) },
  updated: async (context, { id }, _, { display_name, followed = {} }) => {
    await assertDepartments(context, Object.keys(followed))
    if (display_name !== undefined) await greetBy(context, id)
  },
})
