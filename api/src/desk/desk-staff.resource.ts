import { deskStaff } from '@portico/contract/resources/desk-staff.ts'
import { sql } from 'kysely'
import { reason } from '#platform/errors/problem.ts'
import { nobody, type Rule } from '#platform/jsonapi/declare/policy.ts'
import { serve } from '#platform/jsonapi/declare/serve.ts'
import { ownsSecondFactor, staffAlone } from '#staff/roles.ts'
import {
  disable,
  enable,
  endSessionsOf,
  invite,
  inviteAdmin,
  resetFactorsOf,
  setRole,
} from './verbs/change-staff.ts'

/** Administrators, about everyone but themselves. */
const others: Rule<'admins'> = {
  ...nobody,
  table: 'admins',
  staff: ({ id, role }) => sql`(${role} = 'admin' and admins.id <> ${id})`,
  refusal: () => reason('staff_not_self'),
}

const state = sql`case when admins.disabled_at is not null then 'disabled' when admins.auth_id is not null then 'active'
  when admins.invited_until > now() then 'invited' else 'expired' end`

export default serve(deskStaff, {
  table: 'admins',
  ofStaff: true,
  policy: {
    read: staffAlone('admin'),
    invite: staffAlone('admin'),
    inviteAdmin: staffAlone('admin'),
    disable: others,
    enable: others,
    endSessions: others,
    resetFactors: others,
    setRole: others,
  },
  may: {
    disable: (_, { disabled_at }) => disabled_at === null,
    // A member who never joined is invited again.
    enable: (_, { disabled_at, auth_id }) => disabled_at !== null && auth_id !== null,
    endSessions: (_, { auth_id }) => auth_id !== null,
    resetFactors: (_, { auth_id }) => auth_id !== null,
    setRole: (_, { disabled_at, auth_id }) => disabled_at === null && auth_id !== null,
  },
  columns: {
    state: () => state,
    second_factor: () => sql.raw(ownsSecondFactor('admins')),
    // Sessions are deleted soon after their end.
    last_sign_in_at: () => sql`(select max(e.at) from auth_events e
      where e.account_id = admins.auth_id and e.kind = 'signed-in')`,
    clients_opened: () => sql`(select count(distinct k.client_id)::int from staff_looks k
      where k.admin_id = admins.id and k.hour >= date_trunc('day', now(), 'utc'))`,
    invited_until: () => sql`case when admins.auth_id is null then admins.invited_until end`,
  },
  filters: { state: (_, value) => sql`(${state}) = ${value}` },
  order: 'display_name',
  actions: {
    invite,
    inviteAdmin,
    disable,
    enable,
    endSessions: endSessionsOf,
    resetFactors: resetFactorsOf,
    setRole,
  },
})
