import { staffPreferences } from '@portico/contract/resources/staff-preferences.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
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

export default serve(staffPreferences, {
  table: 'admins',
  routine: true,
  policy: { read: colleagues, update: own },
  spread: { followed: (value) => ({ followed: JSON.stringify(value) }) },
})
